import type { ControlRecord } from '../../src/core/access/control-record.js'
import { journalledRecords } from '../../src/core/access/garden.js'
import type { Change } from '../../src/core/journal/change.js'
import { MemoryError } from '../../src/errors.js'
import type { Clock } from '../../src/ports/clock.js'
import type { ControlRecords } from '../../src/ports/store.js'
import { conflict, forget, type Log, recorded } from './commit.js'
import { type State, snapshot } from './state.js'

const placeOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind} ${id}`

export function putArrangement(state: State, put: ControlRecord, digest: string | undefined, reason: string | null, log: Log): void {
  const stored = state.arrangements.get(placeOf(put))
  const before = stored?.arrangement
  const follows = before === undefined ? put.version === 1 : put.version === before.version + 1 && put.owner === before.owner
  if (!follows) throw conflict(`The ${put.kind} ${put.id}`)
  for (const { arrangement: other } of state.arrangements.values())
    if (
      put.name !== null &&
      other.kind === put.kind &&
      (other.owner === put.owner || put.kind === 'peer') &&
      other.name === put.name &&
      other.id !== put.id
    )
      throw new MemoryError('conflict', `There is a ${put.kind} "${put.name}" already.`, { reason: `${put.kind}_exists` })
  state.arrangements.set(placeOf(put), { arrangement: put, digest: digest ?? stored?.digest })
  state.arrangementsMark++
  const [was, is] = journalledRecords(before, put)
  const entry = { op: 'arrangement.put', targetKind: put.kind, target: put.id, owner: put.owner, after: recorded(is), reason } as const
  log({ ...entry, before: was === null ? null : recorded(was) })
}

export function deleteArrangement(
  state: State,
  { kind, id, owner }: Extract<Change, { op: 'arrangement.delete' }>,
  reason: string | null,
  log: Log,
): void {
  if (state.arrangements.get(placeOf({ kind, id }))?.arrangement.owner !== owner) throw conflict(`The ${kind} ${id}`)
  state.arrangements.delete(placeOf({ kind, id }))
  state.arrangementsMark++
  forget(state, id)
  log({ op: 'arrangement.delete', targetKind: kind, target: id, owner, before: null, after: null, reason })
}

export function createRamArrangements(current: () => State, replace: (draft: State) => void, clock: Clock): ControlRecords {
  return {
    arrangements: async ({ kind, owner, id, name }) =>
      [...current().arrangements.values()]
        .map(({ arrangement }) => arrangement)
        .filter(
          (record) =>
            record.kind === kind &&
            (owner === undefined || record.owner === owner) &&
            (id === undefined || record.id === id) &&
            (name === undefined || record.name === name),
        )
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    arrangementsMark: async () => current().arrangementsMark,
    digestOf: async (kind, id) => current().arrangements.get(placeOf({ kind, id }))?.digest,
    async useNonce(peer, nonce, until) {
      const draft = snapshot(current())
      for (const [key, end] of draft.nonces) if (end < clock.now()) draft.nonces.delete(key)
      if (draft.nonces.has(`${peer} ${nonce}`)) return false
      draft.nonces.set(`${peer} ${nonce}`, until)
      replace(draft)
      return true
    },
  }
}
