import type { Entity } from '../../../core/graph/entity.js'
import { type EntityName, namesOfEntity } from '../../../core/graph/names.js'
import { MemoryError } from '../../../errors.js'
import { addNameUse, unlinkEntity } from '../links/links.js'
import type { Journal } from '../owners/journal.js'
import { first, type Plan, run } from '../plan/plan.js'
import { seal } from '../plan/row-checksums.js'
import { assignments, ENTITY_COLUMNS, entityValues, marks, toEntity } from '../plan/rows.js'
import { deleteEdgesOf } from './commit-edges.js'
import { checkVersion, conflict, type DeferredLinks, forgetName } from './commit-names.js'

export function* putEntity(entity: Entity, imported: boolean, reason: string | null, journal: Journal, pending: DeferredLinks): Plan<void> {
  const row = yield* first(`SELECT ${ENTITY_COLUMNS} FROM entities WHERE id = ? AND owner = ?`, entity.id, entity.owner)
  const before = row === undefined ? undefined : toEntity(row)
  checkVersion(`Entity ${entity.id}`, before, entity, imported)
  const values = entityValues(entity)
  if (before === undefined)
    yield* run(`INSERT INTO entities (${ENTITY_COLUMNS}, seal) VALUES (${marks(ENTITY_COLUMNS)}, ?)`, ...values, seal(values))
  else
    yield* run(
      `UPDATE entities SET ${assignments(ENTITY_COLUMNS)}, seal = ? WHERE id = ? AND owner = ?`,
      ...values,
      seal(values),
      entity.id,
      entity.owner,
    )
  const old = before === undefined ? [] : namesOfEntity(before)
  const names = namesOfEntity(entity)
  for (const name of old) if (!names.some(({ key }) => key === name.key)) yield* renameAway(entity, name, names, pending)
  for (const { key, name } of names) {
    if (old.some((name) => name.key === key)) continue
    const taken = yield* first(
      `INSERT INTO entity_names (owner, name_key, name, entity_id) VALUES (?, ?, ?, ?) ON CONFLICT (owner, name_key) DO NOTHING RETURNING name`,
      entity.owner,
      key,
      name,
      entity.id,
    )
    if (taken === undefined)
      throw new MemoryError('conflict', `The name "${key}" already belongs to another entity.`, {
        hint: 'Use that entity, or merge the two.',
      })
    yield* addNameUse(entity.owner, name)
    // Facts may mention a name before it becomes an entity: they get their edges now.
    pending.names.set(`${entity.owner}\0${name}`, { owner: entity.owner, name })
  }
  yield* journal.write('entity.put', 'entity', entity.id, entity.owner, before ?? null, entity, reason)
}

/** Facts that mention only the dropped name lose their edge; the remaining names restore the others. */
function* renameAway(entity: Entity, dropped: EntityName, remaining: readonly EntityName[], pending: DeferredLinks): Plan<void> {
  if (!remaining.some(({ name }) => name === dropped.name)) yield* unlinkEntity(entity.owner, dropped.name, entity.id)
  yield* dropEntityName(entity.owner, dropped, pending)
  for (const { name } of remaining) pending.names.set(`${entity.owner}\0${name}`, { owner: entity.owner, name })
}

function* dropEntityName(owner: string, { key, name }: EntityName, pending: DeferredLinks): Plan<void> {
  yield* run(`DELETE FROM entity_names WHERE owner = ? AND name_key = ?`, owner, key)
  yield* forgetName(owner, name, pending)
}

export function* deleteEntity(id: string, owner: string, reason: string | null, journal: Journal, pending: DeferredLinks): Plan<void> {
  const row = yield* first(`SELECT ${ENTITY_COLUMNS} FROM entities WHERE id = ? AND owner = ?`, id, owner)
  if (row === undefined) throw conflict(`Entity ${id}`)
  yield* deleteEdgesOf(id, owner, journal)
  for (const name of namesOfEntity(toEntity(row))) yield* dropEntityName(owner, name, pending)
  yield* run(`DELETE FROM entities WHERE id = ? AND owner = ?`, id, owner)
  yield* run(`DELETE FROM entity_vectors WHERE entity_id = ? AND owner = ?`, id, owner)
  yield* journal.forget(id, owner)
  yield* journal.write('entity.delete', 'entity', id, owner, null, null, reason)
}
