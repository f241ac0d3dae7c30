import type { ControlRecord } from '../../core/access/control-record.js'
import { SLUG } from '../../core/access/garden.js'
import type { JsonObject } from '../../core/encoding/json.js'
import { isPublicKey, nodeIdOf } from '../../core/federation/signature.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'

/** A key without its secret is useless, and a server whose keys are lost refuses everyone, so keys are not exported. */
export const EXPORTED_KINDS = ['garden', 'policy', 'peer'] as const

/** The read position of a peer is valid in its store only, so an import starts from the beginning. */
function withoutPlaces({ cursor: _cursor, pushed: _pushed, ...data }: JsonObject): JsonObject {
  return data
}

/** Gardens, policies and peers, before the facts in gardens. */
export async function* exportControlRecords(store: Store, ownerFilter: { readonly owner?: string }): AsyncGenerator<string> {
  for (const kind of EXPORTED_KINDS)
    for (const record of await store.arrangements({ kind, ...ownerFilter }))
      yield JSON.stringify({ arrangement: kind === 'peer' ? { ...record, data: withoutPlaces(record.data) } : record })
}

/** Rejects records that no store creates. */
export function checkControlRecord({ kind, name, data }: ControlRecord): void {
  if (kind === 'garden' && (name === null || !SLUG.test(name)))
    throw new MemoryError('invalid_input', 'a garden needs a name of a-z, 0-9 and -')
  if (kind !== 'peer') return
  const { publicKey } = data
  if (typeof publicKey !== 'string' || !isPublicKey(publicKey) || nodeIdOf(publicKey) !== name)
    throw new MemoryError('invalid_input', 'a peer needs its public key, and is named by it')
}

/** False if a record with the id or the name exists. */
export async function importControlRecord(store: Store, record: ControlRecord, actor: string): Promise<boolean> {
  const { kind, id, owner, name } = record
  const known = await store.arrangements({ kind, id })
  const namesakes = name === null ? [] : await store.arrangements({ kind, name, ...(kind === 'peer' ? {} : { owner }) })
  if (known.length + namesakes.length > 0) return false
  const arrangement = kind === 'peer' ? { ...record, data: withoutPlaces(record.data) } : record
  await store.commit({ actor, owners: [owner] }, () => [
    { op: 'arrangement.put', arrangement: { ...arrangement, version: 1 }, reason: 'imported' },
  ])
  return true
}
