import type { JsonObject } from '../core/json.js'
import { normalUri } from '../core/uri.js'
import { MemoryError } from '../errors.js'
import { type CardQuery, readCard } from './cards/read-card.js'
import { type NeighbourQuery, neighboursOf } from './edges/neighbours.js'
import type { Environment } from './environment.js'
import type { Behind } from './rooms.js'
import { answerStatements, type StatementQuestion } from './search/answer-statements.js'
import { assertStatement, readStatement, retractStatement } from './statements/assert.js'
import { listConflicts, type Resolution, resolveConflict } from './statements/conflicts.js'
import { createPolicy, deletePolicy, listPolicies, type Sweep, sweepStatements } from './statements/decay.js'
import { type LintQuery, lintStatements } from './statements/lint.js'
import { callerOf, type ListQuery, listStatements } from './statements/list.js'
import type { Assertion } from './statements/new-statement.js'
import { provenanceOf } from './statements/provenance.js'
import { ownerOf, type Speaker } from './statements/speaker.js'

/** Attributable statements, and what follows from them. */
export const statementsRoom = (env: Environment, { trust, cards, accesses, keyRing }: Behind) => ({
  async assert(speaker: Speaker, said: Assertion) {
    const asserted = await assertStatement(env, trust, speaker, said)
    if (asserted.isNew) cards.wake()
    return asserted
  },
  read: (speaker: Speaker, id: string) => readStatement(env, speaker, id),
  list: (speaker: Speaker, query: ListQuery) => listStatements(env, speaker, query),
  async retract(speaker: Speaker, input: Parameters<typeof retractStatement>[3]) {
    const fact = await retractStatement(env, trust, speaker, input)
    cards.wake()
    return fact
  },
  recall: (speaker: Speaker, question: StatementQuestion) =>
    answerStatements(env, { cards, accesses }, { owner: ownerOf(env, speaker), principal: speaker.principal }, question),
  /** Writes down at once how often facts were told. */
  flush: () => accesses.flush(),
  card: (speaker: Speaker, query: CardQuery) => readCard(env, cards, speaker, query),
  /** Which of these facts another one contradicts. */
  contradicted: (ids: readonly string[]) => env.backend.statements.contradicted(ids, env.clock.now()),
  conflicts: (speaker: Speaker, query: Parameters<typeof listConflicts>[2]) => listConflicts(env, speaker, query),
  async resolve(speaker: Speaker, resolution: Resolution) {
    const fact = await resolveConflict(env, trust, speaker, resolution)
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
  lint: (speaker: Speaker, query: LintQuery) =>
    lintStatements(env, speaker, { ...query, ...(query.entity === undefined ? {} : { entity: normalUri(query.entity) }) }),
  policies: (speaker: Speaker) => listPolicies(env, ownerOf(env, speaker)),
  createPolicy: (speaker: Speaker, data: JsonObject) => createPolicy(env, speaker, data),
  deletePolicy: (speaker: Speaker, id: string) => deletePolicy(env, speaker, id),
  async sweep(speaker: Speaker, sweep: Omit<Sweep, 'owner'>) {
    const report = await sweepStatements(env, speaker.actor, { ...sweep, owner: ownerOf(env, speaker) })
    cards.wake()
    return report
  },
  provenance: (speaker: Speaker, query: Parameters<typeof provenanceOf>[2]) => provenanceOf(env, speaker, query),
  neighbours: (speaker: Speaker, query: Omit<NeighbourQuery, 'owner' | 'caller'>) =>
    neighboursOf(env, { ...query, owner: ownerOf(env, speaker), caller: callerOf(speaker) }),
})
