// npm run bench clocks -- [histories] [seed]: three processes with their own clocks, under libfaketime.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type Connection, connect } from '../latency/client.js'
import { type Teller, tellHistory } from './history.js'

const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib', '/usr/local/lib'].map((folder) =>
  join(folder, 'faketime', 'libfaketime.so.1'),
)
const STEPS = 14
/** Histories per store. */
const PER_STORE = 25

const memories = z.array(
  z.looseObject({ id: z.object({ id: z.object({ String: z.string() }) }), ingestion_time: z.string(), valid_from: z.string() }),
)

async function openTeller(
  library: string,
  directory: string,
  name: string,
  owner: () => string,
): Promise<Teller & { close(): Promise<void> }> {
  const clockFile = join(directory, `clock-${name}`)
  const setOffset = (seconds: number): void => writeFileSync(clockFile, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
  let offset = 0
  setOffset(0)
  const connection: Connection = await connect({
    args: [resolve('dist/main.js'), 'mcp', '--data-dir', directory, '--embedder', 'hash'],
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    quiet: true,
  })
  const ids = async (tool: string, query: string): Promise<readonly string[]> =>
    z
      .object({ results: z.array(z.looseObject({ id: z.union([z.string(), z.object({ id: z.object({ String: z.string() }) })]) })) })
      .parse(await connection.call(tool, { query, user_id: owner(), limit: 20 }))
      .results.map(({ id }) => (typeof id === 'string' ? id : id.id.String))
  const valid = async () =>
    z.object({ results: memories }).parse(await connection.call('get_valid', { user_id: owner(), limit: 100 })).results
  return {
    async setClock(seconds) {
      offset = seconds
      setOffset(seconds)
    },
    store: async (content) => z.object({ id: z.string() }).parse(await connection.call('store_memory', { content, user_id: owner() })).id,
    end: async (id) => z.object({ invalidated: z.boolean() }).parse(await connection.call('invalidate', { id })).invalidated,
    remove: async (id) => z.object({ deleted: z.boolean() }).parse(await connection.call('delete_memory', { id })).deleted,
    search: (word) => ids('search_text', word),
    recall: (word) => ids('recall', word),
    valid: async () => (await valid()).map(({ id }) => id.id.String),
    late: async () => {
      const found = await valid()
      const now = Date.now() + offset * 1000
      return found.flatMap(({ id, ingestion_time, valid_from }) =>
        [ingestion_time, valid_from].some((url) => Date.parse(url) > now) ? [id.id.String] : [],
      )
    },
    close: () => connection.close(),
  }
}

const library = LIBRARIES.find((file) => existsSync(file))
if (library === undefined) {
  process.stdout.write('libfaketime is not installed (Debian: apt install faketime); nothing was run.\n')
} else {
  const histories = Number(process.argv[2] ?? 500)
  const first = Number(process.argv[3] ?? 1)
  const wrong: string[] = []
  for (let done = 0; done < histories; done += PER_STORE) {
    const directory = mkdtempSync(join(tmpdir(), 'mneme-clocks-'))
    let seed = first + done
    const tellers = await Promise.all(['a', 'b', 'c'].map((name) => openTeller(library, directory, name, () => `history-${seed}`)))
    for (; seed < first + Math.min(done + PER_STORE, histories); seed++) wrong.push(...(await tellHistory(tellers, seed, STEPS)))
    await Promise.all(tellers.map((teller) => teller.close()))
    rmSync(directory, { recursive: true, force: true })
    process.stdout.write(`${Math.min(done + PER_STORE, histories)} histories of three processes, ${wrong.length} wrong answers\n`)
  }
  for (const value of wrong.slice(0, 50)) process.stdout.write(`${value}\n`)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
