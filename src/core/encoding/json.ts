export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object says itself: what every object inherits, such as `constructor`, nobody has said. */
export const ownIn = <T>(members: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined

/** Keys sorted, no white space: two equal values always give the same text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isJsonObject(value)) {
    const members: string[] = []
    for (const key of Object.keys(value).sort()) {
      const member = value[key]
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
    }
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

/** Whether a value holds more members, at all depths, than the limit. Counted without recursion, and no further than needed. */
export function hasMoreMembersThan(value: unknown, limit: number): boolean {
  const waiting: unknown[] = [value]
  let count = 0
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one)
    count += members.length
    if (count > limit) return true
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return false
}
