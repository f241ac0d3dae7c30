import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Driver } from '../../src/backends/sqlite/driver.js'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { loadConfig } from '../../src/config.js'
import { remember } from '../../src/engine/facts/remember.js'
import { recall } from '../../src/engine/recall/recall.js'
import { type Opened, openBoth } from '../opened.js'

/** Records every statement except transaction control and checks of the file. */
function recording(sent: string[]): Driver {
  const note = (text: string): void =>
    void (
      /^(PRAGMA|BEGIN|SAVEPOINT|RELEASE|COMMIT)|^SELECT coalesce\(max\(seq\), 0\) FROM journal$/.test(text) ||
      sent.push(text.replace(/\s+/g, ' '))
    )
  const wrap = (db: Database): Database =>
    new Proxy(db, {
      get(target, key) {
        if (key === 'prepare')
          return (text: string) =>
            new Proxy(target.prepare(text), {
              get(statement, method) {
                const value = Reflect.get(statement, method)
                if (typeof value !== 'function') return value
                return (...values: unknown[]) => {
                  note(text)
                  return value.apply(statement, values)
                }
              },
            })
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const driver = defaultDriver()
  return { name: driver.name, open: (file, options) => wrap(driver.open(file, options)) }
}

describe('statements sent to the database', () => {
  const sent: string[] = []
  const signal = new AbortController().signal
  let directory: string
  let opened: Opened

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mneme-statements-'))
    const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash' }, env: {} })
    opened = await openBoth(config, { driver: recording(sent) })
    const { environment } = opened
    for (let i = 0; i < 200; i++)
      await remember(opened.environment, { actor: 'test' }, [
        { owner: 'ann', text: `Note ${i}: Otter Lake lies near Heron Hill, says Bob ${i % 7}.`, author: 'Bob Lee' },
      ])
    await environment.embedding.embedPending()
    await recall(opened.environment, { text: 'Where is Otter Lake?', limit: 10, owner: 'ann', effort: 'fast', signal })
  })
  afterEach(async () => {
    await opened.engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('a recall sends at most ten', async () => {
    sent.length = 0
    const { results } = await recall(opened.environment, {
      text: 'What does Bob say about Otter Lake and Heron Hill?',
      limit: 10,
      owner: 'ann',
      effort: 'fast',
      signal,
    })
    expect(results).toHaveLength(10)
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(10)
  })

  test('a store sends at most twelve', async () => {
    sent.length = 0
    await remember(opened.environment, { actor: 'test' }, [{ owner: 'ann', text: 'Ann likes the view from Heron Hill over Otter Lake.' }])
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(12)
  })
})
