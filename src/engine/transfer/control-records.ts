import type { ControlRecord } from '../../core/access/control-record.js'
import { SLUG } from '../../core/access/garden.js'
import type { JsonObject } from '../../core/encoding/json.js'
import { isPublicKey, nodeIdOf } from '../../core/federation/signature.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'

/** A key without its secret opens nothing, and a server with keys that nobody has lets nobody in: these are made anew. */
export const EXPORTED_KINDS = ['garden', 'policy', 'peer'] as const

/** How far a peer was read is a place in the store it was read into: in another one it is read from the beginning. */
function withoutPlaces({ cursor: _cursor, pushed: _pushed, ...data }: JsonObject): JsonObject {
  return data
}

/** Gardens, policies and peers, before the facts that stand in gardens. */
export async function* exportControlRecords(store: Store, by: { readonly owner?: string }): AsyncGenerator<string> {
  for (const kind of EXPORTED_KINDS)
    for (const one of await store.arrangements({ kind, ...by }))
      yield JSON.stringify({ arrangement: kind === 'peer' ? { ...one, data: withoutPlaces(one.data) } : one })
}

/** What no store would have made itself. */
export function checkControlRecord({ kind, name, data }: ControlRecord): void {
  if (kind === 'garden' && (name === null || !SLUG.test(name)))
    throw new MemoryError('invalid_input', 'a garden needs a name of a-z, 0-9 and -')
  if (kind !== 'peer') return
  const { publicKey } = data
  if (typeof publicKey !== 'string' || !isPublicKey(publicKey) || nodeIdOf(publicKey) !== name)
    throw new MemoryError('invalid_input', 'a peer needs its public key, and is named by it')
}

/** False for one that is there already, by its id or its name. */
export async function importControlRecord(store: Store, given: ControlRecord, actor: string): Promise<boolean> {
  const { kind, id, owner, name } = given
  const known = await store.arrangements({ kind, id })
  const namesakes = name === null ? [] : await store.arrangements({ kind, name, ...(kind === 'peer' ? {} : { owner }) })
  if (known.length + namesakes.length > 0) return false
  const arrangement = kind === 'peer' ? { ...given, data: withoutPlaces(given.data) } : given
  await store.commit({ actor, owners: [owner] }, () => [
    { op: 'arrangement.put', arrangement: { ...arrangement, version: 1 }, reason: 'imported' },
  ])
  return true
}
