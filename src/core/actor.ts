const LONGEST = 64
/** What a client calls itself may be any text of any length; no more of it is looked at. */
const READ = 1000

/** Who acts, as the journal keeps it and terminals show it: one short line without characters that nobody sees. */
export function toActor(name: string): string {
  const visible = name.slice(0, READ).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  const words = visible.split(' ').filter((word) => word !== '')
  const short = [...words.join(' ')].slice(0, LONGEST).join('').trim()
  if (short === '') return 'unknown'
  return short.endsWith(':') ? `${short}unknown` : short
}
