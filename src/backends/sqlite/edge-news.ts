import type { EdgeNews } from '../resident/neighbours.js'
import type { SqliteConnection } from './connection.js'
import type { Database } from './driver.js'

const FUNCTION = 'mneme_edge_touched'

/** What happens to edges, told by triggers of this connection alone; of other connections SQLite only tells that they wrote. */
export function edgeNews(db: Database, connection: SqliteConnection): EdgeNews {
  return {
    foreignMark: () => connection.foreignMark(),
    watch(touched) {
      db.define(FUNCTION, (owner, from, to) => {
        touched(String(owner), String(from), String(to))
        return null
      })
      const tell = (row: string): string => `SELECT ${FUNCTION}(${row}.owner, ${row}.subject, ${row}.object);`
      for (const [event, told] of [
        ['INSERT', tell('NEW')],
        ['DELETE', tell('OLD')],
        ['UPDATE', tell('OLD') + tell('NEW')],
      ]) {
        db.exec(`CREATE TEMP TRIGGER edge_${event} AFTER ${event} ON main.entity_edges BEGIN ${told} END`)
      }
    },
  }
}
