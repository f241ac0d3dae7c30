export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys sorted, no white space: two equal values always give the same text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .flatMap((key) => {
        const member = value[key]
        return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(member)}`]
      })
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** Whether one of them is such; long lists are not copied first. */
export const someMember = (value: object, isSuch: (member: unknown) => boolean): boolean =>
  Array.isArray(value) ? value.some(isSuch) : Object.values(value).some(isSuch)

/** Nesting depth, counted only as far as `limit` so that a hostile value cannot exhaust the stack. */
export function depthExceeds(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  return someMember(value, (member) => depthExceeds(member, limit - 1))
}
