import { withoutBlankEnd } from '../../core/code/text.js'
import type { Passage } from '../../core/facts/source.js'
import { personalisedPageRank } from '../../core/graph/ppr.js'
import type { CodeLink } from '../../ports/code-index.js'
import { createFrontier, expandFrontier } from '../breadth-first.js'
import type { Environment } from '../environment.js'

export interface CodeNeighbourhood {
  /** Nearest first, without the start. */
  readonly passages: readonly Passage[]
  readonly links: readonly {
    readonly from: string
    readonly to: string
    readonly kind: string
    readonly name: string
    readonly weight: number
  }[]
}

const MAX_NODES = 500

/** The passages that a passage uses or is used by, by name within its project; undefined if the owner has no such passage. */
export async function findRelatedCode(
  env: Environment,
  id: string,
  owner: string | undefined,
  options: { readonly depth: number; readonly direction: 'outgoing' | 'incoming' | 'both' },
): Promise<CodeNeighbourhood | undefined> {
  const start = await env.code.find(id)
  if (start === undefined || (owner !== undefined && start.passage.owner !== owner)) return undefined
  const spread = createFrontier([start.rid])
  const links = new Map<string, CodeLink>()
  while (spread.radius < options.depth && spread.frontier.length > 0) {
    let found: readonly CodeLink[] = []
    await expandFrontier(
      spread,
      async (frontier) => {
        found = await linksAt(env, frontier, options.direction)
        return found.flatMap((link) => [link.from, link.to])
      },
      { most: MAX_NODES },
    )
    for (const link of found) {
      const key = `${link.from} ${link.kind} ${link.to}`
      const inside = spread.hops.has(link.from) && spread.hops.has(link.to)
      if (inside && (links.get(key)?.weight ?? 0) < link.weight) links.set(key, link)
    }
  }
  const found = await env.code.passages([...spread.hops.keys()])
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
  const outgoing = direction === 'incoming' ? [] : await env.code.links(rids, 'outgoing')
  const incoming = direction === 'outgoing' ? [] : await env.code.links(rids, 'incoming')
  return [...outgoing, ...incoming]
}

interface CodeWalk {
  /** Score of each passage in the walk, scaled so that the best is 1. */
  readonly scores: ReadonlyMap<number, number>
  readonly nodes: number
}

/** Personalised PageRank over the passages that the seeds use or are used by. */
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
