import { spawn } from 'node:child_process'
import { readNotice } from './presence.js'

const ASK_MS = 2000

/** A link to the console of the server on a data directory; undefined if none is running. */
export async function linkToRunning(directory: string): Promise<string | undefined> {
  const notice = readNotice(directory)
  if (notice === undefined) return undefined
  try {
    const response = await fetch(`${notice.url}/console/code`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${notice.secret}` },
      signal: AbortSignal.timeout(ASK_MS),
    })
    if (!response.ok) return undefined
    const answer: unknown = await response.json()
    const code = typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined
    return typeof code === 'string' ? linkWith(notice.url, code) : undefined
  } catch {
    return undefined
  }
}

/** In the fragment, which browsers do not send. */
const linkWith = (url: string, code: string): string => `${url}/console/#code=${code}`

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a link in the browser. False if no browser is available. */
export function openBrowser(link: string): Promise<boolean> {
  const [command = '', ...before] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...before, link], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
