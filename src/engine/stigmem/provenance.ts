import type { Fact, Scope } from '../../core/facts/fact.js'
import { isCurrentStatus } from '../../core/facts/validity.js'
import { refusal } from '../../core/input/refusal.js'
import type { Environment } from '../environment.js'
import { unknownFact } from './assert.js'
import { ownerOf, type StatementCaller } from './speaker.js'

const MAX_PROVENANCE = 5

/** A fact in a chain of derivations, or a hash without a visible fact. */
type ProvenanceNode = { readonly fact: Fact } | { readonly hash: string }

export interface Provenance {
  readonly root: Fact
  readonly depth: number
  readonly nodes: readonly ProvenanceNode[]
  readonly edges: readonly { readonly derived: string; readonly source: string }[]
  /** True if more entries exist than are returned. */
  readonly truncated: boolean
}

/** The facts from which a fact was derived, recursively. Hidden, retracted and deleted facts are indistinguishable. */
export async function provenanceOf(
  env: Environment,
  speaker: StatementCaller,
  query: { readonly id: string; readonly depth: number; readonly scope?: Scope | undefined },
): Promise<Provenance> {
  if (query.depth > MAX_PROVENANCE)
    throw refusal('graph_depth_exceeded', `Invalid depth: ${query.depth}, at most ${MAX_PROVENANCE} is allowed`)
  const owner = ownerOf(env, speaker)
  const [root] = await env.store.facts([query.id])
  if (root === undefined || root.owner !== owner) {
    if (await env.statements.isThere(owner, query.id))
      throw refusal('access_denied', 'This key may not read that fact', 'Ask the administrator who issued the key.')
    throw unknownFact(query.id)
  }
  if (query.scope !== undefined && root.scope !== query.scope)
    throw refusal('access_denied', `That fact is not in the scope ${query.scope}`)
  const isShown = (fact: Fact): boolean => isCurrentStatus(fact.status) && (query.scope === undefined || fact.scope === query.scope)
  const nodes = new Map<string, ProvenanceNode>([[root.hash ?? root.id, { fact: root }]])
  const edges: { readonly derived: string; readonly source: string }[] = []
  let wave: readonly Fact[] = [root]
  for (let depth = 0; depth < query.depth && wave.length > 0; depth++) {
    const hashes = [...new Set(wave.flatMap((fact) => fact.derivedFrom))]
    const found = await parentsOf(env, owner, hashes)
    for (const fact of wave) for (const source of new Set(fact.derivedFrom)) edges.push({ derived: fact.id, source })
    const fresh = hashes.filter((hash) => !nodes.has(hash))
    const next: Fact[] = []
    for (const hash of fresh) {
      const fact = found.get(hash)
      const shown = fact !== undefined && isShown(fact) ? fact : undefined
      nodes.set(hash, shown === undefined ? { hash } : { fact: shown })
      if (shown !== undefined) next.push(shown)
    }
    wave = next
  }
  return { root, depth: query.depth, nodes: [...nodes.values()], edges, truncated: wave.some((fact) => fact.derivedFrom.length > 0) }
}

/** The facts with these hashes; the current one of several with the same hash. */
export async function parentsOf(env: Environment, owner: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Fact>> {
  const found = new Map<string, Fact>()
  if (hashes.length === 0) return found
  for (const fact of await env.statements.byHash(owner, hashes)) {
    const known = fact.hash === null ? undefined : found.get(fact.hash)
    if (fact.hash !== null && (known === undefined || !isCurrentStatus(known.status))) found.set(fact.hash, fact)
  }
  return found
}
