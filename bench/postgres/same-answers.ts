import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import type { Environment } from '../../src/engine/environment.js'
import { remember } from '../../src/engine/facts/remember.js'
import { recall } from '../../src/engine/recall/recall.js'
import { migrateStore } from '../../src/open/migrate.js'
import { evaluationFolder, loadSets } from '../quality/sets.js'
import { opened } from './measure.js'

const AT_ONCE = 200

/** Runs every query of the evaluation sets on a file and on a server with a copy of it: same ids, same order. */
export async function sameAnswers(names: readonly string[], folder: string, database: () => Promise<string>): Promise<object> {
  const data = evaluationFolder(process.cwd())
  if (data === null) throw new Error('the evaluation sets are not available')
  let [questions, same] = [0, 0]
  for (const set of loadSets([data], names).filter(({ code }) => !code)) {
    const dataDir = join(folder, `same-${set.name}`)
    const file = { name: 'SQLite', flags: { dataDir } }
    await opened(file, async (environment) => {
      for (let i = 0; i < set.memories.length; i += AT_ONCE)
        await remember(
          environment,
          { actor: 'bench' },
          set.memories.slice(i, i + AT_ONCE).map(({ content, pool, session, author, title, date }) => ({
            ...{ text: content, owner: pool },
            ...(session === null ? {} : { session }),
            ...(author === null ? {} : { author }),
            ...(title === null ? {} : { title }),
            ...(date === null ? {} : { date }),
          })),
        )
      await environment.embedding.embedPending()
      // Waits until all pieces of long texts are embedded.
      for (environment.embedding.drain(); (await environment.backlog.pending('pieces')) > 0; )
        await new Promise((resolve) => setTimeout(resolve, 50))
    })
    const url = await database()
    await migrateStore(loadConfig({ flags: { dataDir }, env: {} }).config, {
      from: `sqlite:${join(dataDir, 'mneme.db')}`,
      to: url,
      progress: () => undefined,
      signal: new AbortController().signal,
    })
    const ask = (environment: Environment) => async (text: string, owner: string) =>
      (await recall(environment, { text, limit: 20, owner, effort: 'fast', signal: new AbortController().signal })).results.map(
        ({ fact }) => fact.id,
      )
    await opened(file, (environment) =>
      opened({ name: 'PostgreSQL', flags: { dataDir: join(folder, 'same-pg'), database: url } }, async (other) => {
        for (const { query, pool } of set.questions) {
          const [mine, theirs] = [await ask(environment)(query, pool), await ask(other)(query, pool)]
          questions++
          if (JSON.stringify(mine) === JSON.stringify(theirs)) same++
        }
      }),
    )
  }
  return { what: 'same answers', sets: names, questions, same }
}
