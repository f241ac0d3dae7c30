const MAX_ACTOR_CHARS = 64
/** Limit of the name that a client gives itself. */
const MAX_INPUT_CHARS = 1000

/** The actor as stored in the journal and shown at terminals: one short line without invisible characters. */
export function toActor(name: string): string {
  const visible = name.slice(0, MAX_INPUT_CHARS).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  const words = visible.split(' ').filter((word) => word !== '')
  const short = [...words.join(' ')].slice(0, MAX_ACTOR_CHARS).join('').trim()
  if (short === '') return 'unknown'
  return short.endsWith(':') ? `${short}unknown` : short
}
