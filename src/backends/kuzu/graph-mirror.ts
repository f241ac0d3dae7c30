import { copyFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../core/encoding/json.js'
import type { Clock } from '../../ports/clock.js'
import type { GraphContents, GraphMirror, GraphRecord, GraphRelation } from '../../ports/derived-index.js'
import { newName, readGeneration, switchGeneration } from '../derived/generation.js'
import type { KuzuConnection, Ladybug, Parameters } from './kuzu-package.js'

const BUFFER_BYTES = 128 * 2 ** 20
/** Otherwise each handle reserves terabytes of address space. */
const MAX_BYTES = 2 ** 36
const DATABASE_SUFFIX = '.lbug'
/** Bulk loads are written to files with this suffix first. */
const LIST_SUFFIX = '.csv'
const SUFFIXES = ['', '.wal', '.shadow', '.tmp']
/** The first page, and the maximum size of its contents: about a hundred bytes of fixed fields. */
const FIRST_PAGE = 4096
const FIELDS_END = 512

const SCHEMA = [
  'CREATE NODE TABLE Object(id STRING PRIMARY KEY, object_type STRING, owner STRING, kind STRING, title STRING, status STRING)',
  'CREATE REL TABLE Relation(FROM Object TO Object, id STRING, origin STRING, relation STRING, payload STRING)',
]

type Row = Readonly<Record<string, unknown>>

interface Handle {
  ask(statement: string, parameters?: Parameters): Promise<readonly Row[]>
  close(): Promise<void>
}

const textAt = (row: Row, name: string): string => String(row[name] ?? '')

const csvField = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`
const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join(',')}\n`
const CSV = `(HEADER=false, DELIM=',', QUOTE='"', ESCAPE='"', PARALLEL=false)`

/** The target of a relation without a record. */
export const stubOf = (id: string, owner: string): GraphRecord => ({
  id,
  objectType: 'stub',
  owner,
  kind: 'stub',
  title: id,
  status: 'missing',
})

/**
 * A graph in its own files. Every change is made to a copy, which then replaces the current file, so a reader never waits for a writer, and
 * a killed writer leaves the current file intact. One process writes at a time.
 */
export function openGraphMirror(ladybug: Ladybug, folder: string, clock: Clock): GraphMirror {
  const { Database, Connection } = ladybug.default
  /** Serialised: closing a file during a query crashes the process. */
  let turns: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = turns.then(work)
    turns = turn.catch(() => undefined)
    return turn
  }
  let reading: { readonly name: string; readonly handle: Handle } | undefined

  const openFile = (name: string, readOnly: boolean): Handle => {
    const database = new Database(join(folder, name), BUFFER_BYTES, true, readOnly, MAX_BYTES)
    const connection: KuzuConnection = new Connection(database, 1)
    return {
      async ask(statement, parameters) {
        const result =
          parameters === undefined
            ? await connection.query(statement)
            : await connection.execute(await connection.prepare(statement), parameters)
        try {
          return await result.getAll()
        } finally {
          result.close()
        }
      },
      async close() {
        await connection.close()
        await database.close()
      },
    }
  }

  const removeFiles = async (name: string): Promise<void> => {
    for (const suffix of SUFFIXES) await rm(join(folder, `${name}${suffix}`), { force: true })
  }

  /** Removes files other than the current one: those that readers have left, and leftovers of killed writers. */
  const removeOthers = async (kept: string): Promise<void> => {
    for (const entry of await readdir(folder))
      if ((entry.includes(DATABASE_SUFFIX) && !entry.startsWith(kept)) || entry.endsWith(LIST_SUFFIX))
        await rm(join(folder, entry), { force: true })
  }

  const reader = async (): Promise<Handle | undefined> => {
    const generation = await readGeneration(folder)
    if (generation === undefined) return undefined
    if (reading?.name !== generation.name) {
      await reading?.handle.close()
      reading = { name: generation.name, handle: openFile(generation.name, true) }
    }
    return reading.handle
  }

  const write = async (begin: (name: string) => Promise<void>, work: (handle: Handle) => Promise<void>): Promise<void> => {
    await mkdir(folder, { recursive: true })
    const name = `${newName('graph', clock.now())}${DATABASE_SUFFIX}`
    try {
      await begin(name)
      const handle = openFile(name, false)
      try {
        await work(handle)
        await handle.ask('CHECKPOINT')
      } finally {
        await handle.close()
      }
      await clearFirstPage(join(folder, name))
    } catch (failure) {
      await removeFiles(name)
      throw failure
    }
    await switchGeneration(folder, { name, model: '' })
    await removeOthers(name)
  }

  const mirror: GraphMirror = {
    rebuild: (contents) =>
      write(
        async () => undefined,
        async (handle) => {
          for (const statement of SCHEMA) await handle.ask(statement)
          await load(handle, folder, withStubs(contents))
        },
      ),
    async replace(ids, contents) {
      const generation = await readGeneration(folder)
      if (generation === undefined || ids.length === 0) return
      await write(
        (name) => copyFile(join(folder, generation.name), join(folder, name)),
        async (handle) => {
          await handle.ask('BEGIN TRANSACTION')
          for (const id of ids) await handle.ask('MATCH (:Object)-[r:Relation]->(:Object) WHERE r.origin = $id DELETE r', { id })
          for (const record of contents.records) await putRecord(handle, record)
          const kept = new Set(contents.records.map(({ id }) => id))
          for (const id of ids) if (!kept.has(id)) await dropRecord(handle, id)
          for (const relation of contents.relations) await putRelation(handle, relation, contents.records[0]?.owner ?? '')
          await handle.ask('COMMIT')
        },
      )
    },
    async around(id, limit) {
      const handle = await reader()
      if (handle === undefined) return { records: [], relations: [] }
      const own = await handle.ask(`MATCH (o:Object {id: $id}) RETURN ${recordFields('o')}`, { id })
      const rows = [
        ...(await handle.ask(
          `MATCH (a:Object {id: $id})-[r:Relation]->(o:Object) RETURN a.id AS source, o.id AS target, ${RELATION}, ${recordFields('o')} ORDER BY r.id LIMIT ${limit}`,
          { id },
        )),
        ...(await handle.ask(
          `MATCH (o:Object)-[r:Relation]->(a:Object {id: $id}) RETURN o.id AS source, a.id AS target, ${RELATION}, ${recordFields('o')} ORDER BY r.id LIMIT ${limit}`,
          { id },
        )),
      ].slice(0, limit)
      const records = new Map([...own, ...rows].map((row) => [textAt(row, 'id'), toRecord(row)]))
      return { records: [...records.values()], relations: rows.map(toRelation) }
    },
    async counts(owner) {
      const handle = await reader()
      if (handle === undefined) return undefined
      const [records] = await handle.ask('MATCH (o:Object) WHERE o.owner = $owner RETURN count(*) AS n', { owner })
      const [relations] = await handle.ask('MATCH (o:Object)-[r:Relation]->(:Object) WHERE o.owner = $owner RETURN count(*) AS n', {
        owner,
      })
      return { records: Number(records?.n ?? 0), relations: Number(relations?.n ?? 0) }
    },
    async ids(owner, after, limit) {
      const handle = await reader()
      if (handle === undefined) return []
      const rows = await handle.ask(
        `MATCH (o:Object) WHERE o.owner = $owner AND o.id > $after RETURN o.id AS id ORDER BY o.id LIMIT ${limit}`,
        { owner, after },
      )
      return rows.map((row) => textAt(row, 'id'))
    },
    async close() {
      await reading?.handle.close()
      reading = undefined
    },
  }
  return {
    rebuild: (contents) => inTurn(() => mirror.rebuild(contents)),
    replace: (ids, contents) => inTurn(() => mirror.replace(ids, contents)),
    around: (id, limit) => inTurn(() => mirror.around(id, limit)),
    counts: (owner) => inTurn(() => mirror.counts(owner)),
    ids: (owner, after, limit) => inTurn(() => mirror.ids(owner, after, limit)),
    close: () => inTurn(() => mirror.close()),
  }
}

/** The library writes the rest of that page from uninitialised memory, which may contain deleted texts. */
async function clearFirstPage(file: string): Promise<void> {
  const written = await open(file, 'r+')
  try {
    await written.write(new Uint8Array(FIRST_PAGE - FIELDS_END), 0, FIRST_PAGE - FIELDS_END, FIELDS_END)
  } finally {
    await written.close()
  }
}

const RELATION = 'r.id AS relation_id, r.origin AS origin, r.relation AS relation, r.payload AS payload'
const recordFields = (name: string): string =>
  ['id', 'object_type', 'owner', 'kind', 'title', 'status'].map((field) => `${name}.${field} AS ${field}`).join(', ')

const toRecord = (row: Row): GraphRecord => ({
  id: textAt(row, 'id'),
  objectType: textAt(row, 'object_type'),
  owner: textAt(row, 'owner'),
  kind: textAt(row, 'kind'),
  title: textAt(row, 'title'),
  status: textAt(row, 'status'),
})

const toRelation = (row: Row): GraphRelation => {
  const payload: JsonObject = JSON.parse(textAt(row, 'payload') || '{}')
  return {
    id: textAt(row, 'relation_id'),
    origin: textAt(row, 'origin'),
    source: textAt(row, 'source'),
    target: textAt(row, 'target'),
    relation: textAt(row, 'relation'),
    payload,
  }
}

function withStubs({ records, relations }: GraphContents): GraphContents {
  const known = new Map(records.map((record) => [record.id, record]))
  for (const { source, target } of relations)
    for (const id of [source, target]) if (!known.has(id)) known.set(id, stubOf(id, known.get(source)?.owner ?? ''))
  return { records: [...known.values()], relations }
}

/** In bulk: one statement per row would take minutes. */
async function load(handle: Handle, folder: string, { records, relations }: GraphContents): Promise<void> {
  const [nodes, edges] = [join(folder, `${newName('nodes', 0)}${LIST_SUFFIX}`), join(folder, `${newName('edges', 0)}${LIST_SUFFIX}`)]
  try {
    await writeFile(
      nodes,
      records.map((record) => csvLine([record.id, record.objectType, record.owner, record.kind, record.title, record.status])).join(''),
    )
    await writeFile(
      edges,
      relations
        .map((relation) =>
          csvLine([relation.source, relation.target, relation.id, relation.origin, relation.relation, JSON.stringify(relation.payload)]),
        )
        .join(''),
    )
    if (records.length > 0) await handle.ask(`COPY Object FROM ${path(nodes)} ${CSV}`)
    if (relations.length > 0) await handle.ask(`COPY Relation FROM ${path(edges)} ${CSV}`)
  } finally {
    await rm(nodes, { force: true })
    await rm(edges, { force: true })
  }
}

const path = (file: string): string => `'${file.replaceAll('\\', '/').replaceAll("'", "\\'")}'`

const MERGE_RECORD =
  'MERGE (o:Object {id: $id}) SET o.object_type = $object_type, o.owner = $owner, o.kind = $kind, o.title = $title, o.status = $status'

const putRecord = (handle: Handle, { id, objectType, owner, kind, title, status }: GraphRecord) =>
  handle.ask(MERGE_RECORD, { id, object_type: objectType, owner, kind, title, status })

/** A record that other records refer to stays as a stub without content. */
async function dropRecord(handle: Handle, id: string): Promise<void> {
  const [met] = await handle.ask('MATCH (:Object)-[r:Relation]->(o:Object {id: $id}) RETURN count(*) AS n, min(o.owner) AS owner', { id })
  if (Number(met?.n ?? 0) > 0) await putRecord(handle, stubOf(id, textAt(met ?? {}, 'owner')))
  else await handle.ask('MATCH (o:Object {id: $id}) DETACH DELETE o', { id })
}

async function putRelation(handle: Handle, { id, origin, source, target, relation, payload }: GraphRelation, owner: string): Promise<void> {
  for (const end of [source, target]) {
    const found = await handle.ask('MATCH (o:Object {id: $id}) RETURN o.id AS id', { id: end })
    if (found.length === 0) await putRecord(handle, stubOf(end, owner))
  }
  await handle.ask(
    'MATCH (a:Object {id: $source}), (b:Object {id: $target}) CREATE (a)-[:Relation {id: $id, origin: $origin, relation: $relation, payload: $payload}]->(b)',
    {
      ...{ source, target, id, origin, relation },
      payload: JSON.stringify(payload),
    },
  )
}
