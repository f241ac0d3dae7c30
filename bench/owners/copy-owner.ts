import { join } from 'node:path'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { ownerName } from './fill.js'

/** Tables that a search reads. */
const TABLES = ['facts', 'fact_codes', 'vec_facts', 'names', 'mentions', 'owners'] as const

/** Copies the facts of the first owner, up to this number of owners. */
export function copyOwner(directory: string, owners: number): void {
  const file = openFile(join(directory, 'mneme.db'))
  const rows = Number(file.prepare('SELECT max(rid) FROM facts').value())
  const copies = TABLES.map((table) => {
    const columns = file
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map((row) => String(row.name))
    const values = columns.map((column) => {
      if (column === 'owner') return 'n.owner'
      if (column === 'id') return `t.id || '-' || n.nth`
      return column === 'rid' && table !== 'owners' ? `t.rid + n.nth * ${rows}` : `t.${column}`
    })
    const isFirst = columns.includes('owner') ? 't.owner = n.first' : 't.id IN (SELECT f.id FROM facts f WHERE f.owner = n.first)'
    return file.prepare(
      `INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM (SELECT ? AS first, ? AS owner, ? AS nth) n CROSS JOIN ${table} t WHERE ${isFirst}`,
    )
  })
  file.exec('BEGIN')
  for (let nth = 1; nth < owners; nth++) for (const copy of copies) copy.run(ownerName(0), ownerName(nth), nth)
  // Updates the row number of the whole store.
  file.prepare(`UPDATE owners SET rid = ? WHERE owner = ''`).run(rows * owners)
  file.exec('COMMIT')
  file.close()
}
