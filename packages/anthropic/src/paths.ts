export const ROOT = '/memories'

/** A path below /memories in one form only; anything that could mean another place is refused. */
export function checkPath(path: unknown): string {
  const refused = (): Error => new Error(`The path ${JSON.stringify(path)} must begin with ${ROOT} and stay below it.`)
  if (typeof path !== 'string' || path.length > 1000 || /[\\%\0-\x1f]/u.test(path)) throw refused()
  const trimmed = path.length > 1 ? path.replace(/\/+$/u, '') : path
  if (trimmed !== ROOT && !trimmed.startsWith(`${ROOT}/`)) throw refused()
  if (
    trimmed
      .split('/')
      .slice(1)
      .some((part) => part === '' || part === '.' || part === '..')
  )
    throw refused()
  return trimmed
}
