import type { JsonObject } from '../core/encoding/json.js'
import { normalUri } from '../core/statements/uri.js'
import { MemoryError } from '../errors.js'
import type { Environment } from './environment.js'
import type { EngineServices } from './rooms.js'
import type { StatementRecallInput } from './stigmem/answer-recall.js'
import type { retractStatement } from './stigmem/assert.js'
import type { listConflicts, Resolution } from './stigmem/conflicts.js'
import type { DecaySweep } from './stigmem/decay.js'
import type { LintQuery } from './stigmem/lint.js'
import type { ListQuery } from './stigmem/list.js'
import type { NeighbourQuery } from './stigmem/neighbours.js'
import type { Assertion } from './stigmem/new-statement.js'
import type { provenanceOf } from './stigmem/provenance.js'
import type { CardQuery } from './stigmem/read-card.js'
import type { StatementCaller } from './stigmem/speaker.js'

const work = () => import('./statements-work.js')

/** Attributable statements, and what follows from them. */
export const statementsRoom = (env: Environment, { trust, totals, recalls, cards, accesses, keyRing }: EngineServices) => ({
  async assert(speaker: StatementCaller, said: Assertion) {
    const asserted = await (await work()).assertStatement(env, trust, speaker, said)
    if (asserted.isNew) cards.wake()
    return asserted
  },
  read: async (speaker: StatementCaller, id: string) => (await work()).readStatement(env, speaker, id),
  list: async (speaker: StatementCaller, query: ListQuery) => (await work()).listStatements(env, totals, speaker, query),
  async retract(speaker: StatementCaller, input: Parameters<typeof retractStatement>[3]) {
    const fact = await (await work()).retractStatement(env, trust, speaker, input)
    cards.wake()
    return fact
  },
  async recall(speaker: StatementCaller, question: StatementRecallInput) {
    const { answerStatements, ownerOf } = await work()
    const asking = { owner: ownerOf(env, speaker), principal: speaker.principal }
    return recalls.enter(() => answerStatements(env, { cards, accesses }, asking, question), question.signal)
  },
  /** Writes down at once how often facts were told. */
  flush: () => accesses.flush(),
  card: async (speaker: StatementCaller, query: CardQuery) => (await work()).readCard(env, cards, speaker, query),
  /** Which of these facts another one contradicts. */
  contradicted: (ids: readonly string[]) => env.backend.statements.contradicted(ids, env.clock.now()),
  conflicts: async (speaker: StatementCaller, query: Parameters<typeof listConflicts>[2]) =>
    (await work()).listConflicts(env, speaker, query),
  async resolve(speaker: StatementCaller, resolution: Resolution) {
    const fact = await (await work()).resolveConflict(env, trust, speaker, resolution)
    cards.wake()
    return fact
  },
  /** What a node says of itself to whoever asks. */
  async describe() {
    const { model } = env.embedder
    const { embedding, attestation, trust: mode } = env.settings.statements
    return {
      version: env.version,
      model: model.id,
      dimensions: model.dimensions,
      ...embedding,
      attestation,
      trust: mode,
      hasKeys: await keyRing.any(),
      // Who it is among others is known where it has peers: only then it has a key of its own.
      node: (await env.backend.store.arrangements({ kind: 'peer' })).length === 0 ? null : await env.node(),
    }
  },
  /** Refuses a store whose vectors have other dimensions than the model makes. */
  async checkDimensions(): Promise<void> {
    const stored = await env.backend.backlog.model()
    const { dimensions } = env.embedder.model
    if (stored === undefined || env.embedder.disabled === true || stored.dimensions === dimensions) return
    throw new MemoryError('unprocessable', `vec_facts dimensionality mismatch: stored=${stored.dimensions} configured=${dimensions}`, {
      reason: 'embed_dimensionality_mismatch',
      hint: 'Configure the model it was made with, or run `mneme reindex --vectors` with this one to make all of them anew.',
    })
  },
  lint: async (speaker: StatementCaller, query: LintQuery) =>
    (await work()).lintStatements(env, speaker, { ...query, ...(query.entity === undefined ? {} : { entity: normalUri(query.entity) }) }),
  async policies(speaker: StatementCaller) {
    const { listPolicies, ownerOf } = await work()
    return listPolicies(env, ownerOf(env, speaker))
  },
  createPolicy: async (speaker: StatementCaller, data: JsonObject) => (await work()).createPolicy(env, speaker, data),
  deletePolicy: async (speaker: StatementCaller, id: string) => (await work()).deletePolicy(env, speaker, id),
  async sweep(speaker: StatementCaller, sweep: Omit<DecaySweep, 'owner'>) {
    const { ownerOf, sweepStatements } = await work()
    const report = await sweepStatements(env, speaker.actor, { ...sweep, owner: ownerOf(env, speaker) })
    cards.wake()
    return report
  },
  provenance: async (speaker: StatementCaller, query: Parameters<typeof provenanceOf>[2]) =>
    (await work()).provenanceOf(env, speaker, query),
  async neighbours(speaker: StatementCaller, query: Omit<NeighbourQuery, 'owner' | 'caller'>) {
    const { callerOf, neighboursOf, ownerOf } = await work()
    return neighboursOf(env, { ...query, owner: ownerOf(env, speaker), caller: callerOf(speaker) })
  },
})
