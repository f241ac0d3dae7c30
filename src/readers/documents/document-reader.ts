import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { captureText } from '../../core/evidence/capture.js'
import { isoInstant } from '../../core/evidence/iso-instant.js'
import { MemoryError } from '../../errors.js'
import type { Clock } from '../../ports/clock.js'
import type { DocumentReader, ReadDocument, ReadOptions } from '../../ports/document-reader.js'
import { readRegularFile } from '../regular-file.js'
import { decodeText } from '../text-encoding.js'
import type { DocumentRequest, MadeDocument } from './document-messages.js'
import { createDocumentThreads, type DocumentThreads } from './document-thread.js'
import { makeDocument } from './make-document.js'
import { decodePage } from './page-text.js'
import { type PathRules, readablePath } from './readable-path.js'
import { fetchPage, parseAddress } from './web-fetch.js'

export interface DocumentReaderOptions extends PathRules {
  readonly clock: Clock
  /** Allows pages of this machine and its network. */
  readonly allowPrivate: boolean
  /** For tests: shorter limits, another worker. */
  readonly threads?: DocumentThreads
  readonly fetchLimits?: { readonly limitMs?: number; readonly maxBytes?: number }
}

const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_PDF_BYTES = 50 * 1024 * 1024
/** Time limit for an HTML page, or for one page of a PDF. */
const LIMIT_MS = 10_000
/** Texts up to this size take a few milliseconds, less than starting a thread. */
const SHORT_TEXT = 32 * 1024
/** Messages may be many and short, and each is a segment at least. */
const SHORT_CONVERSATION = 8 * 1024

const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.length)).includes('%PDF-')

export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const threads = options.threads ?? createDocumentThreads({ limitMs: LIMIT_MS })

  const make = async (request: DocumentRequest, signal: AbortSignal): Promise<MadeDocument> => {
    const { form, text = '', title, maskSecrets } = request
    if ((form === 'markdown' || form === 'text') && text.length <= SHORT_TEXT)
      return { captured: captureText(text, form, { maskSecrets, title }), title, contentType: form, stub: null }
    return threads.make(request, signal)
  }

  /** Converts to Markdown; a page that exceeds the limit, or cannot be parsed, becomes plain words. */
  const makeHtml = async (
    request: DocumentRequest,
    signal: AbortSignal,
  ): Promise<MadeDocument & { readonly warnings: readonly string[] }> => {
    try {
      return { ...(await threads.make(request, signal)), warnings: [] }
    } catch (failure) {
      if (signal.aborted || !(failure instanceof MemoryError)) throw failure
      const made = await threads.make({ ...request, form: 'plain_html' }, signal)
      return { ...made, warnings: [`The page was captured as plain text: ${failure.message}`] }
    }
  }

  const makePdf = async (request: DocumentRequest, signal: AbortSignal): Promise<MadeDocument> => {
    try {
      return await threads.make(request, signal)
    } catch (failure) {
      if (signal.aborted || !(failure instanceof MemoryError)) throw failure
      return { captured: EMPTY_DOCUMENT, title: request.title, contentType: 'pdf', stub: `the PDF cannot be read (${failure.message})` }
    }
  }

  type DocumentContent = Omit<ReadDocument, 'origin'>

  const document = async (
    bytes: Buffer,
    how: { readonly form: DocumentRequest['form']; readonly title: string; decode(): { text: string; warnings: readonly string[] } | null },
    { maskSecrets, signal }: ReadOptions,
  ): Promise<DocumentContent> => {
    const known = { byteCount: bytes.length, sha256: await hashInTurns(bytes) }
    const { title } = how
    if (how.form === 'pdf') {
      const made = await makePdf({ form: 'pdf', bytes, title, maskSecrets }, signal)
      return { ...flat(made), ...known, warnings: made.stub === null ? [] : [`Captured without text: ${made.stub}.`] }
    }
    const decoded = how.decode()
    if (decoded === null)
      return {
        ...EMPTY_DOCUMENT,
        ...known,
        title,
        contentType: 'binary',
        stub: 'it is not text',
        warnings: ['Captured without text: it is not text.'],
      }
    const request: DocumentRequest = { form: how.form, text: decoded.text, title, maskSecrets }
    const made = how.form === 'html' ? await makeHtml(request, signal) : { ...(await make(request, signal)), warnings: [] }
    const empty = made.captured.chunks.length === 0 ? ['It contains no text.'] : []
    return { ...flat(made), ...known, warnings: [...decoded.warnings, ...made.warnings, ...empty] }
  }

  return {
    async file(path, as, readOptions) {
      const noun = as === 'pdf' ? 'PDF' : 'File'
      const real = await readablePath(path, options, noun)
      const name = real ?? path
      const maxBytes = as === 'pdf' || name.toLowerCase().endsWith('.pdf') ? MAX_PDF_BYTES : MAX_FILE_BYTES
      const bytes = real === undefined ? null : await readRegularFile(real, { maxBytes, followLinks: false })
      if (bytes === null || real === undefined)
        throw new MemoryError('invalid_input', `${noun} path is not a file: ${path}`, {
          hint: 'Pass the path of a file that this process can read.',
        })
      if (bytes === 'too_large')
        throw new MemoryError('too_large', `${noun} is larger than ${maxBytes} bytes: ${path}`, { hint: 'Capture a part of it.' })
      const title = basename(real)
      const form =
        as === 'pdf' || isPdf(bytes) ? 'pdf' : as === 'markdown' || /\.(?:md|markdown|mdx)$/i.test(real) ? 'markdown' : textForm(real)
      const read = await document(bytes, { form, title, decode: () => plain(decodeText(bytes)) }, readOptions)
      return { ...read, title: form === 'pdf' ? read.title : title, path: real, origin: { path: real } }
    },
    async conversation(title, messages, { maskSecrets, signal }) {
      const request: DocumentRequest = { form: 'conversation', messages, title, maskSecrets }
      const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
      const made = characters <= SHORT_CONVERSATION ? await makeDocument(request, () => undefined) : await threads.make(request, signal)
      return made.captured
    },
    async web(text, readOptions) {
      const address = parseAddress(text)
      const fetched = await fetchPage(address, { allowPrivate: options.allowPrivate, signal: readOptions.signal, ...options.fetchLimits })
      const { bytes, type, charset, finalUrl } = fetched
      const form = isPdf(bytes) && (type === '' || type === 'application/pdf') ? 'pdf' : webForm(type, bytes)
      const read = await document(bytes, { form, title: address.href, decode: () => decodePage(bytes, charset) }, readOptions)
      const origin = { url: address.href, final_url: finalUrl, fetched_at: isoInstant(options.clock.now()) }
      return { ...read, url: address.href, origin }
    },
    async folder(path) {
      const real = await readablePath(path, options, 'Repo')
      const entries = real === undefined ? undefined : await entriesOf(real)
      if (real === undefined || entries === undefined)
        throw new MemoryError('invalid_input', `Repo path is not a directory: ${path}`, {
          hint: 'Pass the path of a folder that this process can read.',
        })
      return { path: real, entries }
    },
    close: () => threads.close(),
  }
}

/** The direct entries of a folder; undefined if it is not a folder or unreadable. */
async function entriesOf(path: string) {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() })).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return undefined
    throw failure
  }
}

const HASHED_BATCH_SIZE = 4 * 1024 * 1024

/** Hashes in slices and yields in between. */
async function hashInTurns(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let index = 0; index < bytes.length; index += HASHED_BATCH_SIZE) {
    if (index > 0) await nextTurn()
    hash.update(bytes.subarray(index, index + HASHED_BATCH_SIZE))
  }
  return hash.digest('hex')
}

const EMPTY_DOCUMENT = { chunks: [], charCount: 0, masked: [] }

const plain = (text: string | null) => (text === null ? null : { text, warnings: [] })

const flat = ({ captured, title, contentType, stub }: MadeDocument) => ({ ...captured, title, contentType, stub })

const textForm = (path: string): 'html' | 'text' => (/\.(?:html?|xhtml)$/i.test(path) ? 'html' : 'text')

function webForm(type: string, bytes: Buffer): DocumentRequest['form'] {
  if (type === 'application/pdf') return 'pdf'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown'
  if (type !== '') return 'text'
  return /^\s*<(?:!doctype html|html|head|body)/i.test(bytes.subarray(0, 500).toString('latin1')) ? 'html' : 'text'
}
