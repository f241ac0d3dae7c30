export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own member. Inherited ones, such as `constructor`, are undefined. */
export const ownIn = <T>(members: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined

/** The strings of a list; none for any other value. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

/** Serialises with sorted keys and without white space: equal values have equal texts. */
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

/** True if a member satisfies the predicate. Does not copy long lists. */
export const someMember = (value: object, isSuch: (member: unknown) => boolean): boolean =>
  Array.isArray(value) ? value.some(isSuch) : Object.values(value).some(isSuch)

/** Counts nesting only up to `limit`, so that a hostile value cannot exhaust the stack. */
export function depthExceeds(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  return someMember(value, (member) => depthExceeds(member, limit - 1))
}

/** True if a value has more members, at all depths, than the limit. Iterative, and stops at the limit. */
export function hasMoreMembersThan(value: unknown, limit: number): boolean {
  const waiting: unknown[] = [value]
  let count = 0
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += members.length
    if (count > limit) return true
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return false
}
