import { createHash } from 'node:crypto'
import pg from 'pg'
import { MemoryError } from '../../errors.js'
import type { Kind, Plan, Query, Row } from '../sql/plan/plan.js'
import { CopyOut } from './copy-out.js'
import { isUnsupported } from './failure.js'
import { statementOf } from './render.js'

/** An error thrown by the plan, as opposed to one of the database, which it may resemble. */
export class PlanError {
  constructor(readonly reason: unknown) {}
}

export interface Session {
  step<T>(plan: Plan<T>): Promise<T>
  execute(queries: readonly Query[]): Promise<readonly (readonly Row[])[]>
  begin(durable: boolean): void
  savepoint(): void
  release(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /** Rejects if the server rolled the transaction back. */
  commit(): Promise<void>
  rollback(): Promise<void>
  /** True if a transaction may be open on the server. */
  isOpen(): boolean
}

/** Longer statements are not kept prepared: the server would keep them for every connection. */
const MAX_NAMED_CHARS = 20_000

const MAX_NAMES = 2000
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  if (text.length > MAX_NAMED_CHARS) return undefined
  const known = names.get(text)
  if (known !== undefined) return known
  const made = `mneme_${createHash('sha1').update(text).digest('base64url').slice(0, 16)}`
  if (names.size > MAX_NAMES) names.clear()
  names.set(text, made)
  return made
}

/** The result of a statement. */
interface Answer {
  readonly rows: readonly Row[]
  readonly tag: string
}

const command = (text: string): Query => ({ text, values: [] })

export function createSession(client: pg.PoolClient, prepares: boolean, observe?: (statements: readonly string[]) => void): Session {
  let held: Query[] = []
  let begun = false
  let open = false

  const sendOne = (query: Query): Promise<Answer> => {
    const { text, values } = statementOf(query)
    const name = prepares && values.length > 0 ? nameOf(text) : undefined
    const config = { text, values: [...values], ...(name === undefined ? {} : { name }) }
    if (query.each !== undefined) return stream(client, config, query.each, query.kinds)
    return client.query<Record<string, unknown>>(config).then(({ rows, rowCount, command: tag }) => ({
      rows: query.counted === true ? [{ affected: rowCount ?? 0 }] : rows,
      tag,
    }))
  }

  /** Sends all at once; the first failure counts, later ones follow from it. */
  const send = async (queries: readonly Query[]): Promise<readonly Answer[]> => {
    observe?.(queries.map((query) => statementOf(query).text))
    const answers = await Promise.allSettled(queries.map(sendOne))
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
  }

  /** Sends the deferred statements and these; returns the results of these. */
  const flush = async (queries: readonly Query[]): Promise<readonly Answer[]> => {
    const first = held
    held = []
    if (first.some(({ text }) => text === 'BEGIN')) open = true
    if (first.length + queries.length === 0) return []
    return (await send([...first, ...queries])).slice(first.length)
  }

  return {
    async step(plan) {
      const advance = (answers?: readonly (readonly Row[])[]) => {
        try {
          return answers === undefined ? plan.next() : plan.next(answers)
        } catch (error) {
          throw new PlanError(error)
        }
      }
      let next = advance()
      while (!next.done) {
        const queries = next.value
        const answers =
          begun && queries.every((query) => statementOf(query).isSilent) ? hold(queries) : (await flush(queries)).map(({ rows }) => rows)
        next = advance(answers)
      }
      return next.value
    },
    async execute(queries) {
      const answers: (readonly Row[])[] = []
      for (const query of queries) answers.push(...(await flush([query])).map(({ rows }) => rows))
      return answers
    },
    begin(durable) {
      begun = true
      held.push(command('BEGIN'))
      if (!durable) held.push(command('SET LOCAL synchronous_commit = off'))
    },
    savepoint: () => void held.push(command('SAVEPOINT one')),
    async release() {
      await flush([command('RELEASE SAVEPOINT one')])
    },
    async rollbackToSavepoint() {
      // The deferred statements belonged to the failed write; perhaps the savepoint itself did.
      const unsent = held.some(({ text }) => text === 'SAVEPOINT one')
      held = held.slice(
        0,
        Math.max(
          0,
          held.findIndex(({ text }) => text === 'SAVEPOINT one'),
        ),
      )
      if (!unsent) await flush([command('ROLLBACK TO SAVEPOINT one'), command('RELEASE SAVEPOINT one')])
    },
    async commit() {
      if (held[0]?.text === 'BEGIN') {
        // Nothing was read, and the writes go in one round trip.
        if (held.length === 1) held = []
        if (held.length === 0) return
      }
      const [committed] = await flush([command('COMMIT')])
      open = false
      if (committed?.tag !== 'COMMIT')
        throw new MemoryError('storage', 'PostgreSQL rolled back the transaction.', { hint: 'Nothing was stored. Retry.' })
    },
    async rollback() {
      const unsent = held[0]?.text === 'BEGIN'
      held = []
      if (!unsent) await send([command('ROLLBACK')])
      open = false
    },
    isOpen: () => open,
  }

  function hold(queries: readonly Query[]): readonly (readonly Row[])[] {
    held.push(...queries)
    return queries.map(() => [])
  }
}

type Visit = (values: readonly unknown[]) => void

interface RowPage {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
}

/** Streams rows as arrays without collecting them. Not every server supports binary COPY. */
async function stream(client: pg.PoolClient, config: RowPage, visit: Visit, kinds: readonly Kind[] | undefined): Promise<Answer> {
  if (kinds === undefined) return asText(client, config, visit)
  try {
    return await asBytes(client, config, visit, kinds)
  } catch (error) {
    if (!isUnsupported(error)) throw error
    return asText(client, config, visit)
  }
}

const asBytes = (client: pg.PoolClient, { text, values }: RowPage, visit: Visit, kinds: readonly Kind[]): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const query = new CopyOut(text, values, kinds, visit)
    query.on('end', ({ command: tag }) => (query.failure === undefined ? resolve({ rows: [], tag }) : reject(query.failure)))
    query.on('error', reject)
    client.query(query)
  })

const asText = (client: pg.PoolClient, config: RowPage, visit: Visit): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let failure: unknown
    const asArrays = { ...config, rowMode: 'array' }
    const query = new pg.Query(asArrays)
    query.on('row', (row: unknown) => {
      if (failure !== undefined || !Array.isArray(row)) return
      try {
        visit(row)
      } catch (error) {
        failure = error
      }
    })
    query.on('end', ({ command: tag }) => (failure === undefined ? resolve({ rows: [], tag }) : reject(failure)))
    query.on('error', reject)
    client.query(query)
  })
