import { isOwnTool, withoutUnseen } from '../../core/hooks/cleaning.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { withTimeout } from '../with-timeout.js'
import { type Brief, briefAtStart, briefForPrompt } from './brief.js'
import { captureStatements, captureTurn } from './capture.js'
import { saveConversationCard } from './card.js'
import type { ConversationOwners, HookEvent } from './hook-event.js'
import { pausedUntil } from './pause-capture.js'
import { projectMemoryOf } from './project-folders.js'

/** Time limit for storing statements of a prompt. */
const CAPTURE_MS = 2000
const MAX_CONVERSATIONS = 200

interface HookOutcome {
  /** Context for the model. */
  readonly context?: string
}

const EMPTY_OUTCOME: HookOutcome = {}

/** Facts already injected per conversation, in this process. */
const deliveredByModel = new WeakMap<Environment['embedding'], Map<string, Set<string>>>()

/** Handles a hook event. It never fails and has time limits, so that it does not block the client. */
export async function onHook(env: Context, moment: HookEvent, signal: AbortSignal): Promise<HookOutcome> {
  try {
    if ((await pausedUntil(env)) !== null) return EMPTY_OUTCOME
    const place = await placeOf(env, moment)
    const captured = capture(env, place, moment).catch((failure: unknown) =>
      env.log.warn('a hook could not keep what was said', { failure: String(failure) }),
    )
    const context = await withTimeout(
      contextFor(env, place, moment, signal),
      env.settings.capture.recallMs,
      () => new Error('too late'),
    ).catch(() => undefined)
    await withTimeout(captured, CAPTURE_MS, () => new Error('too late')).catch(() => undefined)
    return context === undefined ? EMPTY_OUTCOME : { context: withoutUnseen(context) }
  } catch (failure) {
    env.log.warn('a hook was left unanswered', { failure: String(failure) })
    return EMPTY_OUTCOME
  }
}

async function placeOf(env: Environment, { folder }: HookEvent): Promise<ConversationOwners> {
  const project = folder === undefined ? undefined : await env.projects.projectOf(folder).catch(() => undefined)
  const memory = project === undefined ? undefined : await projectMemoryOf(env, project, { claims: true })
  return { person: env.settings.defaultOwner, project: memory?.owner, unconfirmed: memory?.unconfirmed === true }
}

/** Shown at the start of a conversation. It contains no text from the folder. */
const UNCONFIRMED_NOTICE =
  'mneme: another folder uses the memory of the repository that this folder names. This folder has a memory of its own until the person runs `mneme project confirm` in it.'

async function contextFor(env: Context, place: ConversationOwners, moment: HookEvent, signal: AbortSignal): Promise<string | undefined> {
  const { kind, prompt, conversation } = moment
  if (kind === 'start') {
    conversationsOf(env).delete(conversation ?? '')
    const brief = await briefAtStart(env, place, conversation)
    if (brief !== undefined)
      noteDelivery(env, place, moment, { brief, passages: new Set(), question: null, confidence: null, relevanceOf: () => null })
    return place.unconfirmed ? [UNCONFIRMED_NOTICE, brief?.text].filter((part) => part !== undefined).join('\n') : brief?.text
  }
  if (kind !== 'prompt' || prompt === undefined) return undefined
  const deliveredIds = deliveredTo(env, conversation)
  const answer = await briefForPrompt(env, place, { prompt, conversation, delivered: deliveredIds, signal })
  if (answer === undefined) return undefined
  const { brief, passages, question, best, relevanceOf } = answer
  for (const id of brief?.ids ?? []) deliveredIds.add(id)
  noteDelivery(env, place, moment, { brief, passages, question, confidence: best, relevanceOf })
  return brief?.text
}

interface BriefDelivery {
  readonly brief: Brief | undefined
  /** Ids in the brief that name no fact. */
  readonly passages: ReadonlySet<string>
  readonly question: string | null
  readonly confidence: number | null
  relevanceOf(id: string): number | null
}

const noteDelivery = (
  { services }: Context,
  place: ConversationOwners,
  { kind, client, conversation }: HookEvent,
  { brief, passages, question, confidence, relevanceOf }: BriefDelivery,
): void =>
  services.deliveryLog.note({
    owner: place.project ?? place.person,
    client,
    conversation: conversation ?? null,
    kind: kind === 'start' ? 'start' : 'prompt',
    question,
    confidence,
    facts: (brief?.ids ?? []).filter((id) => !passages.has(id)).map((id) => ({ id, relevance: relevanceOf(id) })),
  })

async function capture(env: Environment, place: ConversationOwners, moment: HookEvent): Promise<void> {
  const { prompt, answer, tool } = moment
  if (env.settings.capture.mode === 'off' || (tool !== undefined && isOwnTool(tool.name))) return
  if (prompt !== undefined && moment.kind !== 'start') {
    await captureStatements(env, place, moment)
    await captureTurn(env, place, moment, 'user', prompt)
  }
  if (answer !== undefined) await captureTurn(env, place, moment, 'assistant', answer)
  await saveConversationCard(env, place, moment, {
    ...(prompt === undefined ? {} : { prompt }),
    ...(answer === undefined ? {} : { answer }),
    ...(tool?.file === undefined ? {} : { file: withoutFolder(tool.file, moment.folder) }),
    ...(tool?.command === undefined ? {} : { command: tool.command }),
  })
}

/** The path relative to the folder. */
const withoutFolder = (file: string, folder: string | undefined): string =>
  folder !== undefined && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file

function conversationsOf(env: Environment): Map<string, Set<string>> {
  const known = deliveredByModel.get(env.embedding) ?? new Map<string, Set<string>>()
  deliveredByModel.set(env.embedding, known)
  return known
}

function deliveredTo(env: Environment, conversation: string | undefined): Set<string> {
  const all = conversationsOf(env)
  const key = conversation ?? ''
  const deliveredIds = all.get(key) ?? new Set<string>()
  if (!all.has(key) && all.size >= MAX_CONVERSATIONS) all.clear()
  if (key !== '') all.set(key, deliveredIds)
  return deliveredIds
}
