import type { EdgeChangeFeed } from '../memory-index/neighbours.js'
import type { SqliteConnection } from './connection.js'
import type { Database } from './driver.js'

const TOUCHED_FUNCTION = 'mneme_edge_touched'

/** Values arrive as bytes, because some Node versions truncate texts at NUL. */
const toText = (value: unknown): string => (value instanceof Uint8Array ? decoder.decode(value) : String(value))

const decoder = new TextDecoder()

/** Reports changes of edges through triggers of this connection; for other connections SQLite only reports that they wrote. */
export function createEdgeChangeFeed(db: Database, connection: SqliteConnection): EdgeChangeFeed {
  return {
    foreignMark: () => connection.foreignMark(),
    watch(touched) {
      db.define(TOUCHED_FUNCTION, (owner, from, to) => {
        touched(toText(owner), toText(from), toText(to))
        return null
      })
      const notify = (row: string): string =>
        `SELECT ${TOUCHED_FUNCTION}(CAST(${row}.owner AS BLOB), CAST(${row}.subject AS BLOB), CAST(${row}.object AS BLOB));`
      for (const [event, report] of [
        ['INSERT', notify('NEW')],
        ['DELETE', notify('OLD')],
        ['UPDATE', notify('OLD') + notify('NEW')],
      ]) {
        db.exec(`CREATE TEMP TRIGGER edge_${event} AFTER ${event} ON main.entity_edges BEGIN ${report} END`)
      }
    },
  }
}
