import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MemoryError } from '../../errors.js'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Allows only files of this server: no inline scripts or styles, no other origins, no frames. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

interface StoredFile {
  readonly type: string
  readonly tag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** Responds with a file of a folder; undefined if there is none with that name. */
export type FileServer = (name: string, headers: Headers) => Response | undefined

/** Files of one folder, read once. */
export function createFileServer(folder: string): FileServer {
  let files: ReadonlyMap<string, StoredFile> | undefined
  return (name, headers) => {
    files ??= readFolder(folder)
    const file = files.get(name)
    if (file === undefined) return undefined
    const shared = { ...PAGE_HEADERS, ETag: file.tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
    if (headers.get('if-none-match') === file.tag) return new Response(null, { status: 304, headers: shared })
    const packed = /\bgzip\b/u.test(headers.get('accept-encoding') ?? '')
    return new Response(new Uint8Array(packed ? file.gzipped : file.plain), {
      headers: { ...shared, 'Content-Type': file.type, ...(packed ? { 'Content-Encoding': 'gzip' } : {}) },
    })
  }
}

function readFolder(folder: string): ReadonlyMap<string, StoredFile> {
  try {
    return new Map(
      readdirSync(folder).flatMap((name) => {
        const type = CONTENT_TYPES[extname(name)]
        if (type === undefined) return []
        const plain = readFileSync(join(folder, name))
        const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
        return [[name, { type, tag, plain, gzipped: gzipSync(plain, { level: 9 }) }] as const]
      }),
    )
  } catch (cause) {
    throw new MemoryError('unavailable', 'The files of the console are missing from this installation.', {
      hint: 'Run `npm run build`, or install the package again.',
      cause,
    })
  }
}
