export const ROOT = '/memories'
const MAX_PATH_CHARS = 1000

/** Returns a normalised path below /memories; rejects every form that could denote another place. */
export function checkPath(path: unknown): string {
  const outside = (): Error => new Error(`Path must start with ${ROOT}, got: ${String(path)}`)
  const refused = (): Error =>
    new Error(`Path ${JSON.stringify(path)} would escape ${ROOT} directory, or contains %, \\ or control characters`)
  if (typeof path !== 'string') throw outside()
  const trimmed = path.length > 1 ? path.replace(/\/+$/u, '') : path
  if (trimmed !== ROOT && !trimmed.startsWith(`${ROOT}/`)) throw outside()
  if (path.length > MAX_PATH_CHARS || /[\\%\0-\x1f]/u.test(path)) throw refused()
  if (
    trimmed
      .split('/')
      .slice(1)
      .some((part) => part === '' || part === '.' || part === '..')
  )
    throw refused()
  return trimmed
}
