import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Announces the address of a data directory's server to local commands, in a file that only its user can read. */
export interface Presence {
  announce(url: string): void
  /** True if a request carries the secret of that file. */
  isMine(authorization: string | undefined): boolean
  withdraw(): void
}

interface ServerNotice {
  readonly url: string
  readonly pid: number
  readonly secret: string
}

const noticeFile = (directory: string): string => join(directory, 'server.json')

export function createPresence(directory: string): Presence {
  const secret = randomBytes(32).toString('base64url')
  const expected = Buffer.from(`Bearer ${secret}`)
  return {
    announce(url) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const notice: ServerNotice = { url, pid: process.pid, secret }
      // A link or a file of others would receive the secret.
      rmSync(noticeFile(directory), { force: true })
      writeFileSync(noticeFile(directory), `${JSON.stringify(notice)}\n`, { mode: 0o600, flag: 'wx' })
    },
    isMine(authorization) {
      const credentials = Buffer.from(authorization ?? '')
      return credentials.length === expected.length && timingSafeEqual(credentials, expected)
    },
    withdraw() {
      if (readNotice(directory)?.secret === secret) rmSync(noticeFile(directory), { force: true })
    },
  }
}

/** The server started last on a data directory, which may have ended. */
export function readNotice(directory: string): ServerNotice | undefined {
  try {
    const notice: unknown = JSON.parse(readFileSync(noticeFile(directory), 'utf8'))
    if (typeof notice !== 'object' || notice === null) return undefined
    const { url, pid, secret } = Object.fromEntries(Object.entries(notice))
    return typeof url === 'string' && typeof pid === 'number' && typeof secret === 'string' ? { url, pid, secret } : undefined
  } catch {
    return undefined
  }
}
