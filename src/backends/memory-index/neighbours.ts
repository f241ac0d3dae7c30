import { setTimeout as rest } from 'node:timers/promises'
import type { EdgeOrigin, Neighbour } from '../../ports/graph-index.js'
import { type Connection, inList, json, type Plan, type Row, run, text } from '../sql/plan/plan.js'
import type { ShardCache } from './shard-cache.js'

/** Reports changes of edges to the neighbour cache. */
export interface EdgeChangeFeed {
  /** Changes whenever another process may have changed an edge. */
  foreignMark(): number
  /** Reports every edge that this process adds, changes or removes from now on. */
  watch(touched: (owner: string, from: string, to: string) => void): void
}

interface ResidentNeighbours {
  /** Edges of these nodes; about `limit` for a hub with more. */
  of(owner: string, nodes: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly Neighbour[]>>
}

type Lists = ReadonlyMap<string, readonly Neighbour[]>

const SLICE_SIZE = 128
/** Nodes read ahead at a time, half a millisecond. */
const READ_AHEAD_BATCH_SIZE = 32
/** Pause in between, in which calls run. */
const REST_MS = 2
/** Reading ahead starts after this number of cache misses, and twice as many after each run without benefit. */
const MISSES_BEFORE_READ_AHEAD = 500
/** Reading ahead stops at this number of neighbours of one owner. */
const MAX_AHEAD = 500_000
/** Memory of a neighbour in the list of a node, with its share of the texts. */
const BYTES_EACH = 50
/** By the stored number of the origin. */
export const ORIGINS: readonly EdgeOrigin[] = ['made', 'named', 'alike', 'stated', 'stated']

/** The unary plus keeps the planner on the covering index of the nodes. */
const side = (near: string, far: string, marks: string): string =>
  `SELECT ${near} AS near, derived || ${far} AS far FROM entity_edges WHERE ${near} IN (${marks}) AND +owner = ? AND valid_until IS NULL`

/** One row per node: creating a row costs more than finding an edge. */
const around = (marks: string): string =>
  `SELECT near, json_group_array(far) AS fars FROM (${side('subject', 'object', marks)} UNION ALL ${side('object', 'subject', marks)} LIMIT ?) GROUP BY near`

const unseen = (lists: readonly (readonly Neighbour[])[], seen: ReadonlySet<string>): readonly string[] => [
  ...new Set(lists.flatMap((list) => list.map(({ id }) => id)).filter((id) => !seen.has(id))),
]

/** Edges of one owner's nodes, as far as graph walks have needed them. */
export class NeighbourShard {
  readonly #lists = new Map<string, readonly Neighbour[]>()
  /** One object per endpoint and origin, however many edges lead there. */
  readonly #shared = new Map<string, Neighbour>()
  #held = 0
  #changes = 0

  get memoryBytes(): number {
    return this.#held * BYTES_EACH
  }

  /** Number of neighbours in all lists. */
  get held(): number {
    return this.#held
  }

  get lists(): Lists {
    return this.#lists
  }

  /** Increases whenever something may have become invalid: results of earlier reads are then discarded. */
  get changes(): number {
    return this.#changes
  }

  drop(node: string): void {
    this.#changes++
    this.#held -= this.#lists.get(node)?.length ?? 0
    this.#lists.delete(node)
  }

  release(): void {
    this.#changes++
    this.#lists.clear()
    this.#shared.clear()
    this.#held = 0
  }

  learn(lists: Lists): void {
    for (const [node, neighbours] of lists) {
      this.#held += neighbours.length - (this.#lists.get(node)?.length ?? 0)
      this.#lists.set(
        node,
        neighbours.map((neighbour) => this.#intern(neighbour)),
      )
    }
  }

  #intern(neighbour: Neighbour): Neighbour {
    const key = `${neighbour.origin} ${neighbour.id}`
    const known = this.#shared.get(key)
    if (known !== undefined) return known
    this.#shared.set(key, neighbour)
    return neighbour
  }
}

/** The origin is one digit before the id. */
const toNeighbour = (far: unknown): Neighbour => {
  const key = String(far)
  return { id: key.slice(1), origin: ORIGINS[Number(key[0])] ?? 'alike' }
}

const toNeighbours = (row: Row): readonly Neighbour[] => {
  const fars = json(row, 'fars')
  return Array.isArray(fars) ? fars.map(toNeighbour) : []
}

interface NeighbourRead {
  readonly lists: Lists
  /** If the limit applied, no list is known to be complete. */
  readonly isWhole: boolean
}

function* read(owner: string, nodes: readonly string[], limit: number): Plan<NeighbourRead> {
  const { marks, values } = inList(nodes)
  const lists = new Map<string, readonly Neighbour[]>(nodes.map((node) => [node, []]))
  let count = 0
  for (const row of yield* run(around(marks), ...values, owner, ...values, owner, limit)) {
    const neighbours = toNeighbours(row)
    count += neighbours.length
    lists.set(text(row, 'near'), neighbours)
  }
  return { lists, isWhole: count < limit }
}

/**
 * Neighbour lists per owner, cached between graph walks: a walk over known nodes reads nothing. A write of this process drops the lists of
 * both endpoints; a write of another process drops everything. After enough misses, surrounding nodes are read ahead between calls.
 */
export function createResidentNeighbours(connection: Connection, memory: ShardCache, news: EdgeChangeFeed): ResidentNeighbours {
  const shelf = memory.shelf(() => new NeighbourShard())
  let mark = Number.NaN
  let missed = 0
  let patience = MISSES_BEFORE_READ_AHEAD
  let ahead: Promise<void> | undefined
  let last: { readonly owner: string; readonly limit: number } | undefined

  const catchUp = (): void => {
    if (Number.isNaN(mark)) {
      news.watch((owner, from, to) => {
        const shard = shelf.get(owner)?.shard
        shard?.drop(from)
        shard?.drop(to)
      })
    }
    const seen = news.foreignMark()
    if (seen !== mark) for (const owner of shelf.keys()) shelf.get(owner)?.shard.release()
    mark = seen
  }

  /** Reads lists and caches them, unless edges changed meanwhile. */
  const load = async (shard: NeighbourShard, owner: string, nodes: readonly string[], limit: number): Promise<Lists> => {
    const { changes } = shard
    const { lists, isWhole } = await connection.read(() => read(owner, nodes, limit))
    catchUp()
    if (isWhole && shard.changes === changes) shard.learn(lists)
    return lists
  }

  /** Reads ahead from known nodes, in small steps, until everything is known or another process writes. */
  const readAhead = async (shard: NeighbourShard, owner: string, limit: number): Promise<void> => {
    const begun = mark
    const seen = new Set(shard.lists.keys())
    let waiting = unseen([...shard.lists.values()], seen)
    while (waiting.length > 0 && shard.held < MAX_AHEAD) {
      const next: (readonly Neighbour[])[] = []
      for (let i = 0; i < waiting.length; i += READ_AHEAD_BATCH_SIZE) {
        await rest(REST_MS, undefined, { ref: false })
        catchUp()
        if (mark !== begun) return
        const nodes = waiting.slice(i, i + READ_AHEAD_BATCH_SIZE)
        for (const node of nodes) seen.add(node)
        next.push(...(await load(shard, owner, nodes, limit)).values())
      }
      waiting = unseen(next, seen)
    }
    patience = MISSES_BEFORE_READ_AHEAD
  }
  const readAheadIfDue = (): void => {
    if (ahead !== undefined || missed < patience || last === undefined) return
    const { owner, limit } = last
    missed = 0
    patience *= 2
    const entered = shelf.acquire(owner)
    ahead = readAhead(entered.shard, owner, limit)
      // A walk reports the same failure; reading ahead may also fail because the process is closing.
      .catch(() => undefined)
      .finally(() => {
        shelf.release([entered])
        ahead = undefined
        // Walks may have missed enough nodes since.
        readAheadIfDue()
      })
  }
  const noteMissed = (owner: string, count: number, limit: number): void => {
    missed += count
    last = { owner, limit }
    readAheadIfDue()
  }

  return {
    async of(owner, nodes, limit) {
      catchUp()
      const entered = shelf.acquire(owner)
      try {
        const found = new Map<string, readonly Neighbour[]>()
        const missing: string[] = []
        for (const node of nodes) {
          const neighbours = entered.shard.lists.get(node)
          if (neighbours === undefined) missing.push(node)
          else found.set(node, neighbours)
        }
        for (let i = 0; i < missing.length; i += SLICE_SIZE) {
          for (const [node, neighbours] of await load(entered.shard, owner, missing.slice(i, i + SLICE_SIZE), limit))
            found.set(node, neighbours)
        }
        noteMissed(owner, missing.length, limit)
        return found
      } finally {
        shelf.release([entered])
      }
    },
  }
}
