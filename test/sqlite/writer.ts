import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { openDatabase } from '../../src/backends/sqlite/open-file.js'
import { restoreStore } from '../../src/backends/sqlite/restore.js'
import { MemoryError } from '../../src/errors.js'
import { commit, embedAll, putFact, unit } from '../contract/samples.js'

const [mode = '', directory = '', name = '', count = '0', stay = ''] = process.argv.slice(2)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Commits one fact after another and prints each once acknowledged. May stay until stopped. */
async function write(): Promise<void> {
  const backend = await openSqlite({ directory, clock: { now: () => Date.now() * 1000 }, busyTimeoutMs: 20_000 })
  say('open')
  await once(process.stdin, 'data')
  for (let i = 0; i < Number(count); i++) {
    await commit(backend, putFact({ id: `${name}-${i}`, text: `Walrus ${name} ${i}`, title: `Seal ${name}` }))
    say(`${name}-${i}`)
  }
  if (stay !== '') await once(process.stdin, 'data')
  await backend.close()
}

/** Stores one fact with its vector. */
async function embed(): Promise<void> {
  const backend = await openSqlite({ directory, clock: { now: () => Date.now() * 1000 }, busyTimeoutMs: 20_000 })
  await commit(backend, putFact({ id: name, text: 'a narwhal' }))
  await embedAll(backend, () => unit(0, 1))
  await backend.close()
}

/** Keeps the file locked until stopped. */
async function hold(): Promise<void> {
  const db = openDatabase(`${directory}/mneme.db`)
  db.exec('BEGIN IMMEDIATE')
  say('locked')
  await once(process.stdin, 'data')
  db.exec('ROLLBACK')
  db.close()
}

/** Opens, writes and closes one store after another, or restores a backup, as each line requests. */
async function obey(): Promise<void> {
  say('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb = '', store = '', what = '', wait = '0'] = line.split(' ')
    await delay(Number(wait))
    if (verb === 'restore') {
      const outcome = await restoreStore(what, `${store}/mneme.db`).then(
        ({ kept }) => `restored ${kept ?? ''}`,
        (error: unknown) => `refused ${error instanceof MemoryError ? error.code : String(error)}`,
      )
      say(outcome)
      continue
    }
    const backend = await openSqlite({ directory: store, clock: { now: () => Date.now() * 1000 }, busyTimeoutMs: 20_000 })
    for (let i = 0; i < Number(count); i++) await commit(backend, putFact({ id: `${what}-${i}`, text: `Walrus ${what} ${i}` }))
    await backend.close()
    say(`wrote ${count}`)
  }
}

await new Map([
  ['write', write],
  ['embed', embed],
  ['hold', hold],
  ['obey', obey],
]).get(mode)?.()
process.exit(0)
