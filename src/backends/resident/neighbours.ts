import { setTimeout as rest } from 'node:timers/promises'
import type { LinkOrigin, Neighbour } from '../../ports/graph-index.js'
import { type Connection, inList, json, type Plan, type Row, run, text } from '../sql/plan.js'

/** How the neighbours in memory learn what became of the edges. */
export interface EdgeNews {
  /** Changes whenever another process may have changed an edge. */
  foreignMark(): number
  /** Tells of every edge that this process adds, changes or removes, from now on. */
  watch(touched: (owner: string, from: string, to: string) => void): void
}

export interface ResidentNeighbours {
  /** Where the edges of these nodes lead; a hub that has more than `limit` brings about so many. */
  of(owner: string, nodes: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly Neighbour[]>>
  memoryBytes(): number
}

type Known = Map<string, readonly Neighbour[]>

const SLICE = 128
/** Nodes that are read ahead at a time: half a millisecond. */
const AHEAD = 32
/** Between them calls have their turn. */
const REST_MS = 2
/** Read ahead starts after walks have missed so many nodes, and twice as many after each time that it was in vain. */
const PATIENCE = 500
/** Beyond this many neighbours in memory it starts anew. */
const MOST_HELD = 1_000_000
/** A neighbour in the list of a node, and its share of the texts. */
const BYTES_EACH = 50
const ORIGINS: readonly LinkOrigin[] = ['made', 'named', 'alike', 'stated']

/** The unary plus keeps the planner on the index of the nodes, which holds all of these columns. */
const side = (near: string, far: string, marks: string): string =>
  `SELECT ${near} AS near, derived || ${far} AS far FROM entity_edges WHERE ${near} IN (${marks}) AND +owner = ? AND valid_until IS NULL`

/** One row for each node: making a row costs more than finding an edge. */
const around = (marks: string): string =>
  `SELECT near, json_group_array(far) AS fars FROM (${side('subject', 'object', marks)} UNION ALL ${side('object', 'subject', marks)} LIMIT ?) GROUP BY near`

const unseen = (lists: readonly (readonly Neighbour[])[], seen: ReadonlySet<string>): readonly string[] => [
  ...new Set(lists.flatMap((list) => list.map(({ id }) => id)).filter((id) => !seen.has(id))),
]

/**
 * Where the edges of each node lead, kept from one walk to the next: a walk over nodes that were passed before reads
 * nothing from the file. What this process writes drops the two ends; what another one writes drops everything.
 * Once walks go on, what lies around them is read ahead between calls.
 */
export function createResidentNeighbours(connection: Connection, news: EdgeNews): ResidentNeighbours {
  const owners = new Map<string, Known>()
  /** One object for each end and origin, however many edges lead there. */
  const shared = new Map<string, Neighbour>()
  let mark = Number.NaN
  let held = 0
  let missed = 0
  let patience = PATIENCE
  let ahead: Promise<void> | undefined
  let last: { readonly owner: string; readonly limit: number } | undefined

  const forget = (): void => {
    owners.clear()
    shared.clear()
    held = 0
  }
  const drop = (known: Known, node: string): void => {
    held -= known.get(node)?.length ?? 0
    known.delete(node)
  }
  const catchUp = (): void => {
    if (Number.isNaN(mark)) {
      news.watch((owner, from, to) => {
        const known = owners.get(owner)
        if (known === undefined) return
        drop(known, from)
        drop(known, to)
      })
    }
    const seen = news.foreignMark()
    if (seen !== mark || held > MOST_HELD) forget()
    mark = seen
  }
  const knownTo = (owner: string): Known => {
    const known = owners.get(owner) ?? new Map()
    owners.set(owner, known)
    return known
  }
  /** The origin is one digit before the id. */
  const toNeighbour = (far: unknown): Neighbour => {
    const key = String(far)
    const known = shared.get(key)
    if (known !== undefined) return known
    const neighbour: Neighbour = { id: key.slice(1), origin: ORIGINS[Number(key[0])] ?? 'alike' }
    shared.set(key, neighbour)
    return neighbour
  }
  const toNeighbours = (row: Row): readonly Neighbour[] => {
    const fars = json(row, 'fars')
    return Array.isArray(fars) ? fars.map(toNeighbour) : []
  }

  function* load(owner: string, nodes: readonly string[], limit: number): Plan<ReadonlyMap<string, readonly Neighbour[]>> {
    const { marks, values } = inList(nodes)
    const lists = new Map<string, readonly Neighbour[]>(nodes.map((node) => [node, []]))
    let count = 0
    for (const row of yield* run(around(marks), ...values, owner, ...values, owner, limit)) {
      const neighbours = toNeighbours(row)
      count += neighbours.length
      lists.set(text(row, 'near'), neighbours)
    }
    // Where the limit cut, it is not known which list is whole.
    if (count < limit) {
      const known = knownTo(owner)
      for (const [node, neighbours] of lists) known.set(node, neighbours)
      held += count
    }
    return lists
  }

  /** From the known to what is around it, in small steps, until all of it is known or another process wrote. */
  const readAhead = async (owner: string, limit: number): Promise<void> => {
    const begun = mark
    const seen = new Set(knownTo(owner).keys())
    let waiting = unseen([...knownTo(owner).values()], seen)
    while (waiting.length > 0 && held < MOST_HELD / 2) {
      const next: (readonly Neighbour[])[] = []
      for (let i = 0; i < waiting.length; i += AHEAD) {
        await rest(REST_MS, undefined, { ref: false })
        const nodes = waiting.slice(i, i + AHEAD)
        const lists = await connection.read(function* () {
          catchUp()
          return mark === begun ? yield* load(owner, nodes, limit) : undefined
        })
        if (lists === undefined) return
        for (const node of nodes) seen.add(node)
        next.push(...lists.values())
      }
      waiting = unseen(next, seen)
    }
    patience = PATIENCE
  }
  const readAheadIfDue = (): void => {
    if (ahead !== undefined || missed < patience || last === undefined) return
    const { owner, limit } = last
    missed = 0
    patience *= 2
    ahead = readAhead(owner, limit)
      // A walk that meets the same failure reports it; reading ahead may also meet the end of the process.
      .catch(() => undefined)
      .finally(() => {
        ahead = undefined
        // Walks may have missed enough while this one was on its way out.
        readAheadIfDue()
      })
  }
  const noteMissed = (owner: string, count: number, limit: number): void => {
    missed += count
    last = { owner, limit }
    readAheadIfDue()
  }

  return {
    of: (owner, nodes, limit) =>
      connection.read(function* () {
        catchUp()
        const known = knownTo(owner)
        const found = new Map<string, readonly Neighbour[]>()
        const missing: string[] = []
        for (const node of nodes) {
          const neighbours = known.get(node)
          if (neighbours === undefined) missing.push(node)
          else found.set(node, neighbours)
        }
        for (let i = 0; i < missing.length; i += SLICE) {
          for (const [node, neighbours] of yield* load(owner, missing.slice(i, i + SLICE), limit)) found.set(node, neighbours)
        }
        noteMissed(owner, missing.length, limit)
        return found
      }),
    memoryBytes: () => held * BYTES_EACH,
  }
}
