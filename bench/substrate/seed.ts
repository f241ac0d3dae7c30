import type { Engine } from '../../src/engine/engine.js'
import { createEntityNode } from '../../src/engine/graph/create-node.js'
import { ingestConversation } from '../../src/engine/substrate/evidence/ingest.js'
import type { ObjectInput } from '../../src/engine/substrate/knowledge/write.js'
import { writeObjects } from '../../src/engine/substrate/knowledge/write.js'
import { dice } from '../graph/seed.js'

const TOPICS = ['build', 'deploy', 'schema', 'cache', 'login', 'invoice', 'search', 'queue', 'metrics', 'review', 'release', 'backup']
const VERBS = ['uses', 'replaces', 'depends on', 'moved to', 'is owned by', 'blocks', 'follows', 'needs']
const THINGS = [
  'service',
  'worker',
  'table',
  'pipeline',
  'team',
  'gateway',
  'dashboard',
  'runner',
  'cluster',
  'ledger',
  'portal',
  'archive',
]
const AT_ONCE = 250

export interface Seeded {
  readonly ids: readonly string[]
  readonly nodes: readonly string[]
}

/** Queries with the words of the objects. */
export function createQuestions(seed: number): () => string {
  const random = dice(seed)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  return () => `which ${pick(THINGS)} ${pick(VERBS)} the ${pick(TOPICS)} ${pick(THINGS)}`
}

/** Objects: mostly knowledge, as text and as claims, some activities, work items, nodes and conversations. */
export async function seedObjects(engine: Engine, objects: number, progress: (text: string) => void): Promise<Seeded> {
  const random = dice(42)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const number = (max: number): number => Math.floor(random() * max)
  const owner = engine.settings.defaultOwner
  const signal = new AbortController().signal
  const nodes: string[] = []
  for (let i = 0; i < objects / 20; i++) {
    const { node } = await createEntityNode(engine.context(), 'bench', { owner, text: `${pick(THINGS)} ${i.toString(36)}x${i}` })
    if (node.kind === 'entity') nodes.push(node.entity.id)
  }
  for (let i = 0; i < objects / 100; i++) {
    const content = `The ${pick(TOPICS)} ${pick(THINGS)} ${i} ${pick(VERBS)} the ${pick(TOPICS)} ${pick(THINGS)}.`
    await ingestConversation(
      engine.context(),
      { owner, actor: 'bench', signal },
      { title: `Talk ${i}`, messages: [{ role: 'user', content }] },
    )
  }
  const draft = (i: number): ObjectInput => {
    const [topic, verb, thing] = [pick(TOPICS), pick(VERBS), pick(THINGS)]
    const type = i % 20 === 0 ? 'activity' : i % 20 === 1 ? 'work_item' : 'knowledge'
    const isClaim = type === 'knowledge' && i % 3 === 0
    return {
      type,
      kind: type === 'knowledge' ? (i % 7 === 0 ? 'decision' : 'fact') : 'task',
      title: `${topic} ${thing} ${number(100_000)} ${pick(TOPICS)}`,
      summary: `The ${topic} ${thing} of team ${number(5000)} ${verb} the ${pick(TOPICS)} ${pick(THINGS)} since release ${number(9000)}.`,
      reason: 'It matters for later work.',
      origin: 'user_declared',
      scopes: [`scope:${number(50)}`],
      status: 'active',
      details: {},
      references: type === 'knowledge' ? { subject_refs: [pick(nodes)] } : { related_node_refs: [pick(nodes)] },
      evidence: [],
      ...(isClaim ? { predicate: `p${i}`, value: i } : {}),
    }
  }
  const ids: string[] = []
  while (ids.length < objects) {
    const batch = Array.from({ length: Math.min(AT_ONCE, objects - ids.length) }, (_, index) => draft(ids.length + index))
    const { facts } = await writeObjects(engine.context(), batch, { owner, actor: 'bench' })
    ids.push(...facts.map(({ id }) => id))
    if (ids.length % 5000 === 0) progress(`${ids.length} objects`)
  }
  return { ids, nodes }
}
