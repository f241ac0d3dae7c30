import { stableId } from '../../../core/evidence/object-id.js'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import { isGone } from '../../../core/facts/lifecycle.js'
import { isCurrentStatus } from '../../../core/facts/validity.js'
import { checkMetadata, checkText } from '../../../core/input/input.js'
import type { Change } from '../../../core/journal/change.js'
import { resolveNewClaim } from '../../../core/substrate/duplicates/duplicate-claims.js'
import { type NewObject, toGovernedFact } from '../../../core/substrate/governance/new-object.js'
import { claimKey } from '../../../core/substrate/objects/claims.js'
import { ID_PREFIXES } from '../../../core/substrate/objects/objects.js'
import { MemoryError } from '../../../errors.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { toMaskedFact } from '../../masking.js'
import { type Patch, patchOf } from '../patches/patches.js'
import { checkedEvidence, type EvidenceInput } from './evidence.js'

/** A new object with unchecked citations. */
export interface ObjectInput extends Omit<NewObject, 'evidence'> {
  readonly evidence: readonly EvidenceInput[]
}

interface WriteContext {
  readonly owner: string
  readonly actor: string
  /** Formats the error of one entry in a batch. */
  readonly inEntry?: (index: number, message: string) => string
}

interface WriteResult extends Patch {
  /** In stored form and input order. */
  readonly facts: readonly Fact[]
}

const MAX_TITLE_BYTES = 2000

/** Writes governed objects in one commit: all or none. */
export function writeObjects(env: Environment, inputs: readonly ObjectInput[], writer: WriteContext): Promise<WriteResult> {
  return retryOnConflict(async () => {
    const objects: NewObject[] = []
    for (const [index, object] of inputs.entries())
      objects.push(await inEntryAsync(writer, index, async () => ({ ...object, evidence: await checkObject(env, object, writer.owner) })))
    const ids = objects.map(({ type }) => stableId(ID_PREFIXES[type], env.ids.mint()))
    const draft = (at: Instant): readonly Fact[] =>
      objects.map((object, index) =>
        inEntry(writer, index, () =>
          toGovernedFact(object, { id: ids[index] ?? '', owner: writer.owner, actor: writer.actor, at: at + index }),
        ),
      )
    const known = await claimantsOf(env, draft(env.clock.now()), writer.owner)
    let facts: readonly Fact[] = []
    const receipt = await env.store.commit({ actor: writer.actor, owners: [writer.owner] }, (at) => {
      const claims = createClaims(env, known)
      const put: Change[] = []
      for (const [index, fact] of draft(at).entries())
        put.push(inEntry(writer, index, () => decided(claims, fact, objects[index]?.allowDuplicate === true, at)))
      facts = put.flatMap((change) => (change.op === 'fact.put' ? [change.fact] : []))
      return put
    })
    await env.embedding.now(ids, receipt.masked === undefined ? facts : [])
    const stored = receipt.masked === undefined ? facts : await env.store.facts(ids)
    return { ...(await patchOf(env, writer.owner, receipt, ids)), facts: stored }
  })
}

/** Facts by claim, in their stored form with masked secrets. */
function createClaims(env: Environment, known: readonly Fact[]) {
  const byClaim = new Map<string, Fact[]>()
  const add = (fact: Fact): void => {
    const claim = claimKey(fact)
    if (claim === null) return
    const list = byClaim.get(claim)
    if (list === undefined) byClaim.set(claim, [fact])
    else list.push(fact)
  }
  for (const fact of known) add(fact)
  return {
    stored: (fact: Fact): Fact => toMaskedFact(env, fact),
    add,
    rivalsOf: (fact: Fact): readonly Fact[] => byClaim.get(claimKey(fact) ?? '') ?? [],
  }
}

/** A fact that has ended already competes with no other. */
function decided(claims: ReturnType<typeof createClaims>, fact: Fact, allowDuplicate: boolean, now: Instant): Change {
  const reason = fact.reason === null ? {} : { reason: fact.reason }
  if (claimKey(fact) === null || !isCurrentStatus(fact.status)) return { op: 'fact.put', fact, ...reason }
  const stored = claims.stored(fact)
  const rivals = claims.rivalsOf(stored)
  const seen = rivals.map(({ id, version }) => ({ id, version }))
  const standing = rivals.filter((rival) => !isGone(rival, now))
  const { status, conflicts } = resolveNewClaim(stored, standing, allowDuplicate)
  claims.add({ ...stored, status, conflicts })
  return { op: 'fact.put', fact: { ...fact, status, conflicts }, ...reason, claimants: { seen } }
}

async function checkObject(env: Environment, object: ObjectInput, owner: string): Promise<NewObject['evidence']> {
  checkText(object.title, 'title', MAX_TITLE_BYTES)
  checkText(object.summary, 'summary', env.settings.maxContentBytes)
  const { kind, reason, origin, scopes, subject = null, predicate = null, value = null, object: end = null, details } = object
  const references = Object.values(object.references).flatMap((ids) => ids ?? [])
  const input = { kind, reason, origin, scopes, subject, predicate, value, end, details, references }
  checkMetadata(input, 'input_data', env.settings.maxMetadataBytes)
  return checkedEvidence(env, owner, object.evidence)
}

const MAX_CLAIMANTS = 10_000

/** Current facts with one of these claims. */
async function claimantsOf(env: Environment, facts: readonly Fact[], owner: string): Promise<readonly Fact[]> {
  const claims = new Set(
    facts.map((fact) => (claimKey(fact) === null ? null : claimKey(toMaskedFact(env, fact)))).filter((claim) => claim !== null),
  )
  const found: Fact[] = []
  for (const claim of claims) found.push(...(await env.store.listFacts({ owner, claim, limit: MAX_CLAIMANTS, offset: 0 })))
  return found
}

function inEntry<T>(writer: WriteContext, index: number, work: () => T): T {
  try {
    return work()
  } catch (failure) {
    throw withEntry(writer, index, failure)
  }
}

async function inEntryAsync<T>(writer: WriteContext, index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    throw withEntry(writer, index, failure)
  }
}

function withEntry({ inEntry: describe }: WriteContext, index: number, failure: unknown): unknown {
  if (describe === undefined || !(failure instanceof MemoryError)) return failure
  return new MemoryError(failure.code, describe(index, failure.message), { ...(failure.hint === undefined ? {} : { hint: failure.hint }) })
}
