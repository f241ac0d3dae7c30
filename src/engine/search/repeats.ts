import { repeatKey } from '../../core/duplicates.js'
import type { Sketch } from '../../core/recall/candidate.js'
import { addTo, isWhole, nothingSaid, type Said } from '../../core/recall/repeats.js'
import { createTurns } from '../turns.js'
import { type Crowding, ownerOfAll } from './arrange.js'
import { broughtBy, type Inquiry } from './inquiry.js'

/** How many times as many candidates as usual are looked at, one after the other, until there is enough. */
const WIDER = [4, 16, 64] as const
/** No more than so many in any case. */
const MOST_CANDIDATES = 6400
/** Texts may be long: no more of them are held at once. */
const READ_AT_ONCE = 200

/** A search in which each text is a candidate once, however often it was said. */
export interface Further {
  readonly inquiry: Inquiry
  /** Who said what, by `repeatKey`. */
  readonly said: ReadonlyMap<string, Said>
}

/** Searches again with more candidates, where repeats of one text have taken the places of others. */
export async function lookFurther(
  ask: (candidates: number) => Promise<Inquiry>,
  { candidates }: Inquiry,
  { wanted, open }: Crowding,
  signal: AbortSignal,
): Promise<Further> {
  const keys = new Map<number, string>()
  const said = new Map<string, Said>()
  const look = async (times: number): Promise<Inquiry> => {
    const wide = await ask(Math.min(MOST_CANDIDATES, candidates * times))
    await tellApart(wide, { keys, said }, signal)
    return wide
  }
  let wide = await look(WIDER[0])
  for (const times of WIDER.slice(1)) {
    const searches = broughtBy(wide)
    const isCounted = open.every((key) => isWhole(said.get(key)?.rows.values() ?? [], searches))
    if (!searches.some(({ isCut }) => isCut) || (isCounted && said.size >= wanted)) break
    wide = await look(times)
  }
  return { inquiry: eachOnce(wide, { keys, said }, candidates), said }
}

interface Known {
  /** What each row says. */
  readonly keys: Map<number, string>
  readonly said: Map<string, Said>
}

/** Reads what is new among the candidates. */
async function tellApart({ env, view, found }: Inquiry, { keys, said }: Known, signal: AbortSignal): Promise<void> {
  const sketches = (await view.links.sketches(found.filter((rid) => !keys.has(rid)))).map((sketch) => ({ sketch }))
  const owner = ownerOfAll(sketches)
  const turn = createTurns()
  for (let at = 0; at < sketches.length; at += READ_AT_ONCE) {
    signal.throwIfAborted()
    const some = new Map(sketches.slice(at, at + READ_AT_ONCE).map(({ sketch }): [string, Sketch] => [sketch.id, sketch]))
    for (const fact of await env.backend.store.facts([...some.keys()], owner)) {
      await turn()
      const { rid } = some.get(fact.id) ?? {}
      if (rid === undefined) continue
      const key = repeatKey(fact)
      const same = said.get(key) ?? nothingSaid()
      said.set(key, same)
      keys.set(rid, key)
      addTo(same, rid, fact)
    }
  }
}

/** The newest of each text stands for all who said it; of each search as many remain as it brings otherwise. */
function eachOnce(wide: Inquiry, { keys, said }: Known, candidates: number): Inquiry {
  const { dense, lexical } = wide
  const speakerOf = (rid: number): number | undefined => {
    const same = said.get(keys.get(rid) ?? '')
    return same?.rows.get(same.newest[0]?.id ?? '')
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
  return { ...wide, found: [...new Set([...meanings.keys(), ...words])], nearest: [...meanings.values()] }
}
