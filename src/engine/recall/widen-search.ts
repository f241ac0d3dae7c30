import { computeContentKey } from '../../core/facts/duplicates.js'
import type { FactHeader } from '../../core/recall/candidate.js'
import { addRepeat, createRepeatGroup, hasAllRepeats, type RepeatGroup } from '../../core/recall/results/repeats.js'
import { createYieldPoint } from '../event-loop.js'
import { ownerOfAll, type RepeatOverflow } from './assemble-results.js'
import { listRetrievalHits, type Retrieval } from './retrieval.js'

/** Factors by which the number of candidates grows until there are enough results. */
const WIDENING_FACTORS = [4, 16, 64] as const
/** Upper limit of candidates. */
const MAX_CANDIDATES = 6400
/** Texts loaded at once: they may be long. */
const READ_BATCH_SIZE = 200

/** A search in which each text is a candidate once, however many repeats it has. */
interface WidenedRetrieval {
  readonly inquiry: Retrieval
  /** Repeats by `repeatKey`. */
  readonly groups: ReadonlyMap<string, RepeatGroup>
}

/** Searches again with more candidates if repeats of one text displaced other results. */
export async function widenSearch(
  ask: (candidates: number) => Promise<Retrieval>,
  { candidates }: Retrieval,
  { wanted, open }: RepeatOverflow,
  signal: AbortSignal,
): Promise<WidenedRetrieval> {
  const keys = new Map<number, string>()
  const groups = new Map<string, RepeatGroup>()
  const look = async (times: number): Promise<Retrieval> => {
    const wide = await ask(Math.min(MAX_CANDIDATES, candidates * times))
    await groupByContent(wide, { keys, groups }, signal)
    return wide
  }
  let wide = await look(WIDENING_FACTORS[0])
  for (const times of WIDENING_FACTORS.slice(1)) {
    const searches = listRetrievalHits(wide)
    const isCounted = open.every((key) => hasAllRepeats(groups.get(key)?.rows.values() ?? [], searches))
    if (!searches.some(({ isCut }) => isCut) || (isCounted && groups.size >= wanted)) break
    wide = await look(times)
  }
  return { inquiry: deduplicateCandidates(wide, { keys, groups }, candidates), groups }
}

interface KnownContents {
  /** Contents of each row. */
  readonly keys: Map<number, string>
  readonly groups: Map<string, RepeatGroup>
}

/** Reads what is new among the candidates. */
async function groupByContent(
  { env, view, candidateRids: found }: Retrieval,
  { keys, groups }: KnownContents,
  signal: AbortSignal,
): Promise<void> {
  const sketches = (await view.links.sketches(found.filter((rid) => !keys.has(rid)))).map((header) => ({ header }))
  const owner = ownerOfAll(sketches)
  const turn = createYieldPoint()
  for (let at = 0; at < sketches.length; at += READ_BATCH_SIZE) {
    signal.throwIfAborted()
    const some = new Map(sketches.slice(at, at + READ_BATCH_SIZE).map(({ header }): [string, FactHeader] => [header.id, header]))
    for (const fact of await env.store.facts([...some.keys()], owner)) {
      await turn()
      const { rid } = some.get(fact.id) ?? {}
      if (rid === undefined) continue
      const key = computeContentKey(fact)
      const group = groups.get(key) ?? createRepeatGroup()
      groups.set(key, group)
      keys.set(rid, key)
      addRepeat(group, rid, fact)
    }
  }
}

/** Keeps the newest fact of each text, and as many candidates of each search as without widening. */
function deduplicateCandidates(wide: Retrieval, { keys, groups }: KnownContents, candidates: number): Retrieval {
  const { dense, lexical } = wide
  const speakerOf = (rid: number): number | undefined => {
    const group = groups.get(keys.get(rid) ?? '')
    return group?.rows.get(group.newest[0]?.id ?? '')
  }
  const meanings = new Map<number, number>()
  for (const { rid, score } of dense) {
    const speaker = speakerOf(rid)
    if (speaker !== undefined && !meanings.has(speaker)) meanings.set(speaker, score)
    if (meanings.size === candidates) break
  }
  const words = new Set<number>()
  for (const { rid } of lexical.hits) {
    const speaker = speakerOf(rid)
    if (speaker !== undefined) words.add(speaker)
    if (words.size === candidates) break
  }
  return { ...wide, candidateRids: [...new Set([...meanings.keys(), ...words])], topCosines: [...meanings.values()] }
}
