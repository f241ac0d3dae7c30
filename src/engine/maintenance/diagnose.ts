import { MemoryError, toMemoryError } from '../../errors.js'
import type { Finding } from '../../ports/backend.js'
import { problemOf } from '../embedding/query-vector.js'
import type { Environment } from '../environment.js'
import { readStatus, type Status } from './status.js'

interface Diagnosis {
  readonly healthy: boolean
  readonly findings: readonly Finding[]
  readonly location: string
  /** Undefined if the store does not respond. */
  readonly status: Status | undefined
  /** The model of the stored vectors. */
  readonly stored: { readonly id: string; readonly dimensions: number } | undefined
}

/** Checks the store, its journal, indexes and models without changing anything. */
export async function diagnose(env: Environment, signal: AbortSignal): Promise<Diagnosis> {
  const { embedder } = env
  const findings: Finding[] = []
  const isSaid = (reason: string): boolean => findings.some(({ what }) => what.includes(reason))
  /** A failing check is a finding, so the report is always complete. */
  const attempt = async <T>(part: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await part()
    } catch (error) {
      signal.throwIfAborted()
      const failure = toFinding(error)
      if (!isSaid(failure.what)) findings.push(failure)
      return undefined
    }
  }
  findings.push(...((await attempt(() => env.maintenance.diagnose())) ?? []))
  const stored = await attempt(() => env.backlog.model())
  if (
    stored !== undefined &&
    embedder.disabled !== true &&
    (stored.id !== embedder.model.id || stored.dimensions !== embedder.model.dimensions)
  )
    findings.push({
      severity: 'error',
      what: `The store holds vectors of ${named(stored)}, the configured model is ${named(embedder.model)}: nothing is found by meaning`,
      remedy:
        'Configure that model again (`mneme settings` shows what is set), or run `mneme reindex --vectors` to embed everything again.',
    })
  else {
    const problem = await attempt(() => modelProblem(env, signal))
    if (problem !== undefined && !isSaid(problem))
      findings.push({
        severity: embedder.disabled ? 'warning' : 'error',
        what: `No vector can be made: ${problem}`,
        remedy: 'Until then recall goes by words and links; `mneme settings` shows the embedder.',
      })
  }
  const { notice } = embedder.status()
  if (notice !== undefined)
    findings.push({ severity: 'warning', what: notice, remedy: 'Everything works; install mneme again to have the native runtime back.' })
  const unread = await env.rerankStage.diagnose(signal)
  if (unread !== undefined && !isSaid(unread))
    findings.push({
      severity: 'warning',
      what: unread,
      remedy: 'Recall works without the reranker; install mneme again to have it back, or set --rerank 0.',
    })
  const behind = await attempt(() => pagesBehind(env))
  if (behind !== undefined && behind > 0)
    findings.push({
      severity: 'warning',
      what: `The pages of ${behind} objects below the data directory do not show what is remembered`,
      remedy: 'They follow by themselves while the substrate contract is served; its `reindex` rewrites all of them.',
    })
  const now = await attempt(() => readStatus(env))
  const healthy = !findings.some((finding) => finding.severity === 'error')
  return { healthy, findings, location: env.location, status: now, stored }
}

/** Objects with a missing or outdated page. */
async function pagesBehind({ projections, settings }: Environment): Promise<number> {
  if (!projections.enabled) return 0
  await projections.follow(settings.defaultOwner)
  const { missing, stale } = await projections.diagnose(settings.defaultOwner)
  return missing.length + stale.length
}

const named = ({ id, dimensions }: { readonly id: string; readonly dimensions: number }): string => `${id} (${dimensions} dimensions)`

const toFinding = (error: unknown): Finding => ({
  severity: 'error',
  what: error instanceof Error ? error.message : String(error),
  remedy: (error instanceof MemoryError ? error.hint : undefined) ?? 'Check the data directory and the disk below it.',
})

async function modelProblem(env: Environment, signal: AbortSignal): Promise<string | undefined> {
  try {
    await env.embedding.query('check', signal)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    const known = toMemoryError(error)
    if (known.code === 'storage') throw known
    return problemOf(known)
  }
}
