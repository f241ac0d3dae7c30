import { loadConfig } from '../../src/config.js'
import type { Change } from '../../src/core/journal/change.js'
import { newEdge } from '../../src/engine/edges/relations.js'
import { toFact } from '../../src/engine/facts/remember.js'
import { createEntityNode } from '../../src/engine/graph/create-node.js'
import { openBoth } from '../../test/opened.js'

export interface Seeded {
  readonly ids: readonly string[]
  readonly edges: number
}

/** A deterministic random sequence. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const TOPICS = ['build', 'deploy', 'schema', 'cache', 'login', 'invoice', 'search', 'queue', 'metrics', 'review', 'release', 'backup']
const VERBS = ['uses', 'replaces', 'depends on', 'was moved to', 'is owned by', 'blocks', 'follows', 'needs']

/** A random graph: three quarters facts, one quarter entities, edges between any two. */
export async function seedGraph(dataDir: string, nodes: number, edges: number): Promise<Seeded> {
  const { engine, backend, environment } = await openBoth(loadConfig({ flags: { dataDir, embedder: 'hash' }, env: {} }).config)
  const random = dice(42)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const ids: string[] = []
  const kinds = new Map<string, 'fact' | 'entity'>()
  const { store } = backend
  for (let i = 0; i < nodes / 4; i++) {
    const { node } = await createEntityNode(engine.context(), 'bench', { owner: 'default', text: `Component ${i.toString(36)}x${i}` })
    if (node.kind !== 'entity') continue
    ids.push(node.entity.id)
    kinds.set(node.entity.id, 'entity')
  }
  while (ids.length < nodes) {
    await store.commit({ actor: 'bench', owners: [environment.settings.defaultOwner] }, (now) =>
      Array.from({ length: Math.min(500, nodes - ids.length) }, (_, i): Change => {
        const text = `The ${pick(TOPICS)} step ${ids.length} ${pick(VERBS)} the ${pick(TOPICS)} of team ${Math.floor(random() * 500)}`
        const fact = toFact(environment, { text, autoLink: false }, now + i, { actor: 'mcp', connection: null })
        ids.push(fact.id)
        kinds.set(fact.id, 'fact')
        return { op: 'fact.put', fact }
      }),
    )
  }
  const seen = new Set<string>()
  while (seen.size < edges) {
    await store.commit({ actor: 'bench', owners: [environment.settings.defaultOwner] }, (now) => {
      const changes: Change[] = []
      while (changes.length < 500 && seen.size < edges) {
        const [from, to] = [pick(ids), pick(ids)]
        if (from === undefined || to === undefined || from === to || seen.has(`${from}${to}`)) continue
        seen.add(`${from}${to}`)
        changes.push({
          op: 'edge.put',
          edge: newEdge(
            { owner: 'default', from, fromKind: kinds.get(from) ?? 'fact', to, toKind: kinds.get(to) ?? 'fact', type: 'RELATED_TO' },
            {},
            now,
          ),
        })
      }
      return changes
    })
  }
  await environment.embedding.rebuild(() => undefined, new AbortController().signal)
  await engine.close()
  return { ids, edges: seen.size }
}
