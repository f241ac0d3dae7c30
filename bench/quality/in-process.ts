import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { memory as contract } from '../../src/contracts/memory/contract.js'
import { formatInstant } from '../../src/core/input/input.js'
import { searchByMeaning, searchByWords } from '../../src/engine/recall/single-index-search.js'
import { openEngine } from '../../src/open.js'
import type { System } from './run.js'
import { argumentsFor, metadataOf, rankedBy, stored, untilEmbedded, whole } from './server.js'
import type { EvalSet } from './sets.js'

/** Ids of the store to ids of the set, and when each session was over. */
const kept = z.object({ ids: z.array(z.tuple([z.string(), z.array(z.string())])), sessions: z.array(z.tuple([z.number(), z.number()])) })

export interface InProcess extends System {
  /** True where an earlier run has left the memories. */
  readonly filled: boolean
}

/**
 * The engine in this process, over a store that stays: a change of the recipe is measured in seconds. Questions from the
 * middle of the story are asked as of then, where the server is asked before it has the rest.
 */
export async function openInProcess(
  set: EvalSet,
  cacheFolder: string,
  settings: { readonly embedder: readonly string[]; readonly recipe: Readonly<Record<string, unknown>> | null; readonly fresh: boolean },
): Promise<InProcess> {
  const key = createHash('sha256').update(JSON.stringify(set.memories)).digest('hex').slice(0, 12)
  const folder = join(cacheFolder, 'quality', 'stores', `${set.name}-${key}`)
  const listing = join(folder, 'listing.json')
  if (settings.fresh || !existsSync(listing)) rmSync(folder, { recursive: true, force: true })
  const filled = existsSync(listing)
  mkdirSync(folder, { recursive: true })
  const { ids, sessions } = filled ? readListing(listing) : { ids: new Map<string, string[]>(), sessions: new Map<number, number>() }
  const recipe = settings.recipe === null ? {} : { recipe: JSON.stringify(settings.recipe) }
  const engine = await openEngine(loadConfig({ flags: { ...flagsOf(settings.embedder), dataDir: folder, ...recipe }, env: {} }).config)
  const { signal } = new AbortController()
  const call = { context: engine.context({ signal }), actor: 'bench', connection: 'bench', progress: () => undefined }
  const run = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
    const operation = contract.operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    return operation.call(call, input)
  }
  const instantBefore = (before: number): number =>
    Math.max(0, ...[...sessions].filter(([session]) => session < before).map(([, instant]) => instant))
  return {
    filled,
    async store(memory) {
      const { id } = stored.parse(
        await run('store_memory', { content: memory.content, user_id: memory.pool, metadata: metadataOf(memory) }),
      )
      ids.set(id, [...(ids.get(id) ?? []), memory.id])
      sessions.set(memory.sessionNo, engine.clock.now())
    },
    settle: () => untilEmbedded(() => run('get_status', {})),
    async ask(question, mode, limit) {
      const asOf = question.before === Number.POSITIVE_INFINITY ? undefined : instantBefore(question.before)
      const start = performance.now()
      if (mode === 'lexical' || mode === 'vector') {
        const search = mode === 'lexical' ? searchByWords : searchByMeaning
        const found = await search(engine.context(), { text: question.query, owner: question.pool, limit, asOf, signal })
        return { ranked: found.flatMap(({ fact }) => ids.get(fact.id) ?? []), milliseconds: performance.now() - start }
      }
      const request = argumentsFor(mode, question.query, question.pool, limit)
      const moment = asOf === undefined ? {} : { as_of: formatInstant(asOf) }
      const { results, confidence, incomplete } = await whole(() => run(request.name, { ...request.arguments, ...moment }))
      return { ...rankedBy({ hits: results, confidence: confidence ?? null, incomplete }, ids), milliseconds: performance.now() - start }
    },
    async close() {
      writeFileSync(listing, JSON.stringify({ ids: [...ids], sessions: [...sessions] }))
      await engine.close()
    },
  }
}

function readListing(path: string): { readonly ids: Map<string, string[]>; readonly sessions: Map<number, number> } {
  const { ids, sessions } = kept.parse(JSON.parse(readFileSync(path, 'utf8')))
  return { ids: new Map(ids), sessions: new Map(sessions) }
}

/** `--some-name value` pairs of a command line, under the names of the settings. */
function flagsOf(args: readonly string[]): Record<string, string> {
  const flags: Record<string, string> = {}
  for (let at = 0; at + 1 < args.length; at += 2) flags[camelCase(args[at] ?? '')] = args[at + 1] ?? ''
  return flags
}

const camelCase = (flag: string): string => flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
