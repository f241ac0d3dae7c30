import { isOwnTool } from '../../core/capture/cleaning.js'
import { projectOwner } from '../../core/capture/project.js'
import type { Environment } from '../environment.js'
import { inTime } from '../in-time.js'
import { briefAtStart, briefForPrompt } from './brief.js'
import { captureStatements, captureTurn } from './capture.js'
import { keepCard } from './card.js'
import type { HookMoment, Place } from './moment.js'
import { pausedUntil } from './pause-capture.js'

/** Longest that a prompt waits for what it says to be kept. */
const CAPTURE_MS = 2000
const MOST_CONVERSATIONS = 200

export interface HookOutcome {
  /** What the model should see besides the prompt. */
  readonly context?: string
}

const NOTHING: HookOutcome = {}

/** What each conversation has been told already, by this process. */
const toldTo = new WeakMap<Environment['vectoriser'], Map<string, Set<string>>>()

/** Answers a hook. It never fails and never takes long: a memory must not stand in the way of the work. */
export async function onHook(env: Environment, moment: HookMoment, signal: AbortSignal): Promise<HookOutcome> {
  try {
    if ((await pausedUntil(env)) !== null) return NOTHING
    const place = await placeOf(env, moment)
    const captured = capture(env, place, moment).catch((failure: unknown) =>
      env.diary.warn('a hook could not keep what was said', { failure: String(failure) }),
    )
    const context = await inTime(contextFor(env, place, moment, signal), env.settings.capture.recallMs, () => new Error('too late')).catch(
      () => undefined,
    )
    await inTime(captured, CAPTURE_MS, () => new Error('too late')).catch(() => undefined)
    return context === undefined ? NOTHING : { context }
  } catch (failure) {
    env.diary.warn('a hook was left unanswered', { failure: String(failure) })
    return NOTHING
  }
}

async function placeOf(env: Environment, { folder }: HookMoment): Promise<Place> {
  const name = folder === undefined ? undefined : await env.workplaces.nameOf(folder).catch(() => undefined)
  return { person: env.settings.defaultOwner, project: name === undefined ? undefined : projectOwner(name) }
}

async function contextFor(
  env: Environment,
  place: Place,
  { kind, prompt, conversation }: HookMoment,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (kind === 'start') {
    tellsOf(env).delete(conversation ?? '')
    return briefAtStart(env, place, conversation)
  }
  if (kind !== 'prompt' || prompt === undefined) return undefined
  const told = toldIn(env, conversation)
  const brief = await briefForPrompt(env, place, { prompt, conversation, told, signal })
  for (const id of brief?.ids ?? []) told.add(id)
  return brief?.text
}

async function capture(env: Environment, place: Place, moment: HookMoment): Promise<void> {
  const { prompt, answer, tool } = moment
  if (env.settings.capture.mode === 'off' || (tool !== undefined && isOwnTool(tool.name))) return
  if (prompt !== undefined && moment.kind !== 'start') {
    await captureStatements(env, place, moment)
    await captureTurn(env, place, moment, 'user', prompt)
  }
  if (answer !== undefined) await captureTurn(env, place, moment, 'assistant', answer)
  await keepCard(env, place, moment, {
    ...(prompt === undefined ? {} : { prompt }),
    ...(answer === undefined ? {} : { answer }),
    ...(tool?.file === undefined ? {} : { file: withoutFolder(tool.file, moment.folder) }),
    ...(tool?.command === undefined ? {} : { command: tool.command }),
  })
}

/** As one would say it inside of the folder. */
const withoutFolder = (file: string, folder: string | undefined): string =>
  folder !== undefined && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file

function tellsOf(env: Environment): Map<string, Set<string>> {
  const known = toldTo.get(env.vectoriser) ?? new Map<string, Set<string>>()
  toldTo.set(env.vectoriser, known)
  return known
}

function toldIn(env: Environment, conversation: string | undefined): Set<string> {
  const all = tellsOf(env)
  const key = conversation ?? ''
  const told = all.get(key) ?? new Set<string>()
  if (!all.has(key) && all.size >= MOST_CONVERSATIONS) all.clear()
  if (key !== '') all.set(key, told)
  return told
}
