const MAX_ACTOR_CHARS = 64
/** What a client calls itself may be any text of any length; no more of it is looked at. */
const MAX_INPUT_CHARS = 1000

/** Who acts, as the journal keeps it and terminals show it: one short line without characters that nobody sees. */
export function toActor(name: string): string {
  const visible = name.slice(0, MAX_INPUT_CHARS).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  const words = visible.split(' ').filter((word) => word !== '')
  const short = [...words.join(' ')].slice(0, MAX_ACTOR_CHARS).join('').trim()
  if (short === '') return 'unknown'
  return short.endsWith(':') ? `${short}unknown` : short
}
