import { sha256 } from '../../../core/encoding/hash.js'
import type { JsonObject } from '../../../core/encoding/json.js'
import type { IngestMode } from '../../../core/evidence/adapter.js'
import { conversationText, type Message } from '../../../core/evidence/capture.js'
import { checkString, isBlank } from '../../../core/input/input.js'
import { MemoryError } from '../../../errors.js'
import type { DocumentReader, ReadDocument } from '../../../ports/document-reader.js'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../concurrency-limit.js'
import type { Environment } from '../../environment.js'
import { type Patch, withPatch } from '../patches/patches.js'
import { type CaptureResult, captureSource } from './capture-source.js'

export interface IngestCall {
  readonly owner: string
  readonly actor: string
  readonly signal: AbortSignal
}

export interface IngestResult extends CaptureResult {
  readonly warnings: readonly string[]
  /** Kinds of masked secrets. */
  readonly masked: readonly string[]
  readonly patch: Patch
}

interface FileInput {
  readonly path: string
  readonly mode: 'file' | 'markdown' | 'pdf'
}

/** Per process, by caller. */
const turns = new WeakMap<DocumentReader, Map<string, ConcurrencyLimit>>()
const MAX_CALLERS = 1000

/** Reads one document of a caller at a time, so that no caller occupies all readers. */
function inTurn<T>({ documents }: Environment, { actor, signal }: IngestCall, read: () => Promise<T>): Promise<T> {
  const known = turns.get(documents) ?? new Map<string, ConcurrencyLimit>()
  turns.set(documents, known)
  const limit = known.get(actor) ?? createConcurrencyLimit(1)
  if (known.size >= MAX_CALLERS) known.clear()
  known.set(actor, limit)
  return limit.enter(read, signal)
}

/** A file, Markdown file or PDF. */
export async function ingestFile(env: Environment, call: IngestCall, { path, mode }: FileInput): Promise<IngestResult> {
  const read = await inTurn(env, call, () => env.documents.file(path, mode, { maskSecrets: env.settings.maskSecrets, signal: call.signal }))
  return captureDocument(env, call, read, { mode, identity: `source|file|${read.path}`, origin: read.path })
}

/** A web page. */
export async function ingestWeb(env: Environment, call: IngestCall, url: string): Promise<IngestResult> {
  const read = await inTurn(env, call, () => env.documents.web(url, { maskSecrets: env.settings.maskSecrets, signal: call.signal }))
  return captureDocument(env, call, read, { mode: 'web', identity: `source|web|${read.url}`, origin: read.url })
}

async function captureDocument(
  env: Environment,
  { owner, actor }: IngestCall,
  read: ReadDocument,
  as: { readonly mode: Exclude<IngestMode, 'repo'>; readonly identity: string; readonly origin: string },
): Promise<IngestResult> {
  const captured = await captureSource(env, actor, {
    owner,
    ...as,
    title: read.title,
    originDetails: read.origin,
    contentType: read.contentType,
    fingerprint: read.sha256,
    text: read,
    byteCount: read.byteCount,
    stub: read.stub,
    activity: 'reading',
  })
  return withPatch(env, { ...captured, warnings: read.warnings, masked: read.masked })
}

export interface Conversation {
  readonly title: string
  readonly messages: readonly Message[]
  readonly origin?: JsonObject | undefined
}

/** Limit per call; a longer conversation is captured in parts. */
const MAX_CHARACTERS = 10_000_000

export async function ingestConversation(
  env: Environment,
  call: IngestCall,
  { title, messages, origin }: Conversation,
): Promise<IngestResult> {
  checkConversation(title, messages)
  const text = conversationText(messages)
  const options = { maskSecrets: env.settings.maskSecrets, signal: call.signal }
  const captured = await inTurn(env, call, () => env.documents.conversation(title, messages, options))
  const fingerprint = sha256(text)
  const identity = `source|conversation|${title}|${fingerprint}`
  const stored = await captureSource(env, call.actor, {
    owner: call.owner,
    mode: 'conversation',
    identity,
    title,
    origin: `conversation:${fingerprint.slice(0, 32)}`,
    originDetails: origin ?? {},
    contentType: 'structured',
    fingerprint,
    text: captured,
    byteCount: Buffer.byteLength(text),
    stub: null,
    activity: 'meeting',
  })
  return withPatch(env, { ...stored, warnings: [], masked: captured.masked })
}

function checkConversation(title: string, messages: readonly Message[]): void {
  checkString(title, 'title')
  if (isBlank(title)) throw new MemoryError('invalid_input', 'Invalid title: must not be empty')
  if (messages.length === 0)
    throw new MemoryError('invalid_input', 'Invalid messages: a conversation needs at least one message', {
      hint: 'Give messages as a list of {"role", "content"}.',
    })
  const length = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (length > MAX_CHARACTERS)
    throw new MemoryError('too_large', `The conversation has ${length} characters, at most ${MAX_CHARACTERS} are captured at once.`, {
      hint: 'Capture it in parts, each with a title of its own.',
    })
  for (const [index, { role, content }] of messages.entries()) {
    checkString(content, `messages.${index}.content`)
    if (isBlank(role)) throw new MemoryError('invalid_input', `Invalid messages.${index}.role: must not be empty`)
    if (isBlank(content))
      throw new MemoryError('invalid_input', `Invalid messages.${index}.content: must not be empty`, {
        hint: 'Leave messages without content out.',
      })
  }
}
