import { withoutBlankEnd } from '../../core/code/text.js'
import { personalisedPageRank } from '../../core/ppr.js'
import type { Passage } from '../../core/source.js'
import type { CodeLink, PlacedPassage } from '../../ports/code-index.js'
import type { Environment } from '../environment.js'

export interface CodeNeighbourhood {
  /** Reached from the start, nearest first, without it. */
  readonly passages: readonly Passage[]
  readonly links: readonly {
    readonly from: string
    readonly to: string
    readonly kind: string
    readonly name: string
    readonly weight: number
  }[]
}

const MOST_NODES = 500

/** What a passage uses and what uses it, by names within its project. */
export async function relatedCode(
  env: Environment,
  start: PlacedPassage,
  options: { readonly depth: number; readonly direction: 'outgoing' | 'incoming' | 'both' },
): Promise<CodeNeighbourhood> {
  const reached = new Set([start.rid])
  const links = new Map<string, CodeLink>()
  let frontier: readonly number[] = [start.rid]
  for (let hop = 0; hop < options.depth && frontier.length > 0; hop++) {
    const next = new Set<number>()
    for (const link of await linksAt(env, frontier, options.direction)) {
      for (const end of [link.from, link.to]) if (!reached.has(end) && reached.size + next.size < MOST_NODES) next.add(end)
      const inside = (rid: number): boolean => reached.has(rid) || next.has(rid)
      const key = `${link.from} ${link.kind} ${link.to}`
      if (inside(link.from) && inside(link.to) && (links.get(key)?.weight ?? 0) < link.weight) links.set(key, link)
    }
    for (const rid of next) reached.add(rid)
    frontier = [...next]
  }
  const found = await env.backend.code.passages([...reached])
  const ids = new Map(found.map(({ rid, passage }) => [rid, passage.id]))
  return {
    passages: found.filter(({ rid }) => rid !== start.rid).map(({ passage }) => withoutBlankEnd(passage)),
    links: [...links.values()].flatMap(({ from, to, kind, name, weight }) => {
      const [fromId, toId] = [ids.get(from), ids.get(to)]
      return fromId === undefined || toId === undefined ? [] : [{ from: fromId, to: toId, kind, name, weight }]
    }),
  }
}

async function linksAt(
  env: Environment,
  rids: readonly number[],
  direction: 'outgoing' | 'incoming' | 'both',
): Promise<readonly CodeLink[]> {
  const outgoing = direction === 'incoming' ? [] : await env.backend.code.links(rids, 'outgoing')
  const incoming = direction === 'outgoing' ? [] : await env.backend.code.links(rids, 'incoming')
  return [...outgoing, ...incoming]
}

export interface CodeWalk {
  /** Share of the walk at each passage; the best is 1. */
  readonly scores: ReadonlyMap<number, number>
  readonly nodes: number
}

/** Personalised PageRank over what the seeds use and what uses them. */
export async function walkCode(env: Environment, seeds: ReadonlyMap<number, number>): Promise<CodeWalk> {
  const links = await linksAt(env, [...seeds.keys()], 'both')
  if (links.length === 0) return { scores: new Map(), nodes: 0 }
  const numbers = new Map<number, number>()
  const numberOf = (rid: number): number => {
    const known = numbers.get(rid) ?? numbers.size
    numbers.set(rid, known)
    return known
  }
  const edges = links.map(({ from, to, weight }) => ({ from: numberOf(from), to: numberOf(to), weight }))
  const restart = new Map([...seeds].flatMap(([rid, weight]) => (numbers.has(rid) ? [[numberOf(rid), weight]] : [])))
  const ranks = personalisedPageRank(numbers.size, edges, restart)
  const best = ranks.reduce((max, rank) => Math.max(max, rank), 1e-12)
  return { scores: new Map([...numbers].map(([rid, number]) => [rid, (ranks[number] ?? 0) / best])), nodes: numbers.size }
}
