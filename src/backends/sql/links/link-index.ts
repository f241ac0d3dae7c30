import type { LinkIndex, Turn, TurnContext } from '../../../ports/view.js'
import type { Dialect } from '../plan/dialect.js'
import { ask, type Connection, inSlices, number, type Row, text, textOrNull } from '../plan/plan.js'
import { namesAmong } from './links.js'

/** Row numbers are per owner. */
export interface OwnedLinks extends Omit<LinkIndex, 'sketches' | 'surroundings' | 'mentions'> {
  surroundings(owner: string, rids: readonly number[], characters: number): Promise<ReadonlyMap<number, TurnContext>>
  mentions(owner: string, rids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>
}

export function createLinkIndex(connection: Connection, dialect: Dialect): OwnedLinks {
  return {
    surroundings: (owner, rids, characters) =>
      connection.read(function* () {
        const rows = yield* inSlices(rids, aroundEach, characters, characters, characters, characters, owner)
        return new Map(
          rows.map((row) => [
            number(row, 'rid'),
            {
              title: textOrNull(row, 'title'),
              author: textOrNull(row, 'author'),
              text: text(row, 'text'),
              before: turnOf(row, 'before'),
              after: turnOf(row, 'after'),
            },
          ]),
        )
      }),
    mentions: (owner, rids) =>
      connection.read(function* () {
        const named = new Map<number, Set<string>>()
        for (const row of yield* inSlices(
          rids,
          (marks) => `SELECT rid, name FROM mentions WHERE +owner = ? AND rid IN (${marks})`,
          owner,
        )) {
          const rid = number(row, 'rid')
          const names = named.get(rid)
          if (names === undefined) named.set(rid, new Set([text(row, 'name')]))
          else names.add(text(row, 'name'))
        }
        return new Map([...named].map(([rid, names]) => [rid, [...names].sort()]))
      }),
    postings: (owner, names, limit) =>
      connection.read(function* () {
        if (names.length === 0) return []
        const rows = yield* ask(dialect.postings(owner, names, limit + 1))
        return rows.map((row) => ({ name: text(row, 'name'), subjects: ridsIn(row, 'subjects'), mentions: ridsIn(row, 'mentions') }))
      }),
    namesIn: (owner, words) => connection.read(() => namesAmong(owner, words)),
    authorsIn: (owner, words) =>
      connection.read(function* () {
        const heads = [...new Set(words)]
        const rows =
          owner === undefined
            ? yield* inSlices(heads, (marks) => `SELECT DISTINCT author FROM authors WHERE head IN (${marks})`)
            : yield* inSlices(heads, (marks) => `SELECT author FROM authors WHERE owner = ? AND head IN (${marks})`, owner)
        return [...new Set(rows.map((row) => text(row, 'author')))]
      }),
  }
}

/** Neighbours come from the session index, whatever their state: the turns around a fact, for the same readers. */
const aroundEach = (marks: string): string => {
  const neighbourOf = (kind: 'min' | 'max', side: '<' | '>'): string =>
    `(SELECT ${kind}(x.rid) FROM facts x WHERE x.owner = f.owner AND x.session = f.session AND x.rid ${side} f.rid
      AND x.scope = f.scope AND coalesce(x.garden, '') = coalesce(f.garden, '')
      AND (x.received_from IS NULL) = (f.received_from IS NULL))`
  return `SELECT f.rid, f.title, f.author,
      p.author AS before_author, substr(p.text, CASE WHEN length(p.text) > ? THEN length(p.text) - ? + 1 ELSE 1 END) AS before_text, n.author AS after_author, substr(n.text, 1, ?) AS after_text,
      substr(f.text, 1, ?) AS text
    FROM facts f LEFT JOIN facts p ON p.owner = f.owner AND p.rid = ${neighbourOf('max', '<')} LEFT JOIN facts n ON n.owner = f.owner AND n.rid = ${neighbourOf('min', '>')}
    WHERE +f.owner = ? AND f.rid IN (${marks})`
}

function turnOf(row: Row, side: 'before' | 'after'): Turn | null {
  const text = textOrNull(row, `${side}_text`)
  return text === null ? null : { author: textOrNull(row, `${side}_author`), text: text }
}

const ridsIn = (row: Row, column: string): readonly number[] => (textOrNull(row, column) ?? '').split(',').filter(Boolean).map(Number)
