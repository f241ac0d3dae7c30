import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { searchNodes } from '../../src/engine/graph/search-nodes.js'
import { toMemoryError } from '../../src/errors.js'
import { loadContracts } from '../../src/open.js'
import { EVENTUALLY } from '../eventually.js'
import { openBoth } from '../opened.js'
import { freshDatabase, SERVER } from '../postgres/server.js'
import { runs } from '../runs.js'

const NAMES = ['Otter Lake', 'Heron Hill', 'Bob Lee', 'the river', 'parse_header', 'Marsh']
const WORDS = ['swims', 'lies near', 'was built by', 'likes', 'no longer uses', 'moved to']

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

const phrase = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...WORDS), fc.constantFrom(...NAMES), fc.nat({ max: 9 }))
  .map(([subject, verb, object, n]) => `${subject} ${verb} ${object} since ${2000 + n}.`)

const writes: fc.Arbitrary<(owner: string) => Call> = fc.oneof(
  fc
    .tuple(
      phrase,
      fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
      fc.option(fc.constantFrom('Bob Lee', 'Ann Ray'), { nil: undefined }),
    )
    .map(
      ([content, session, author]) =>
        (owner: string): Call => [
          'memory/store_memory',
          {
            content,
            user_id: owner,
            metadata: { ...(session === undefined ? {} : { session }), ...(author === undefined ? {} : { author }) },
          },
        ],
    ),
  phrase.map(
    (text) =>
      (owner: string): Call => ['graph/create_node', { text, owner_id: owner }],
  ),
  fc.constantFrom(...NAMES).map(
    (name) =>
      (owner: string): Call => ['memory/create_entity', { name, user_id: owner }],
  ),
)

const questions = (owner: string): readonly Call[] => [
  ...NAMES.flatMap((name): Call[] => [
    ['memory/recall', { query: `What about ${name}?`, user_id: owner, explain: true }],
    ['memory/search', { query: name, user_id: owner }],
    ['memory/search_text', { query: name, user_id: owner }],
    ['graph/search', { query: name, owner_id: owner }],
  ]),
  ['memory/list_memories', { user_id: owner }],
  ['memory/get_valid', { user_id: owner }],
  ['graph/get_stats', { owner_id: owner }],
]

/** A store with a clock that is constant during a call, and ids numbered per owner. */
async function openOwned(directory: string, flags: Readonly<Record<string, string>> = {}) {
  let now = 0
  let owner = ''
  const minted = new Map<string, number>()
  const mint = (): string => {
    const next = (minted.get(owner) ?? 0) + 1
    minted.set(owner, next)
    return `${owner}-${next}`
  }
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash', ...flags }, env: {} })
  const { engine, environment, backend } = await openBoth(config, { clock: { now: () => now }, ids: { mint } })
  const contracts = await loadContracts(['graph', 'memory'])
  return {
    engine,
    async call(asks: string, index: number, [tool, input]: Call): Promise<unknown> {
      now = 1_780_000_000_000_000 + index * 1e6
      owner = asks
      const [contract, name] = tool.split('/')
      const operation = contracts.find((entry) => entry.name === contract)?.operations.find((operation) => operation.name === name)
      if (operation === undefined) throw new Error(`There is no ${tool}.`)
      const caller = {
        context: engine.context(),
        actor: 'mcp:test',
        connection: `c-${asks}`,
        progress: () => undefined,
      }
      return operation.call(caller, input).catch((error: unknown) => toMemoryError(error).message)
    },
    /** Waits until all similarity links exist. */
    async settle(): Promise<void> {
      await environment.embedding.embedPending()
      await expect
        .poll(async () => {
          // A search wakes the linker.
          await searchNodes(engine.context(), {
            text: 'anything',
            owner: 'ann',
            limit: 1,
            kinds: ['fact'],
            lives: ['active'],
            threshold: 1,
            signal: new AbortController().signal,
          })
          return (await backend.graph.unlinked(1)).length === 0
        }, EVENTUALLY)
        .toBe(true)
    },
  }
}

type Step = readonly [owner: string, write: (owner: string) => Call]

const steps: fc.Arbitrary<readonly Step[]> = fc.array(fc.tuple(fc.constantFrom('ann', 'bob', 'cy'), writes), {
  minLength: 8,
  maxLength: 40,
})

/** One store with all owners, one with Ann's data alone: both give her the same results. */
const sameAnswers = (mixedFlags: () => Promise<Readonly<Record<string, string>>>) =>
  fc.asyncProperty(steps, async (values) => {
    const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'mneme-isolation-')))
    const [alone, mixed] = await Promise.all([openOwned(directories[0] ?? ''), openOwned(directories[1] ?? '', await mixedFlags())])
    try {
      for (const [index, [owner, write]] of [['ann', phraseOf] as const, ...values].entries()) {
        const result = await mixed.call(owner, index, write(owner))
        if (owner === 'ann') expect(await alone.call(owner, index, write(owner))).toEqual(result)
      }
      await alone.settle()
      await mixed.settle()
      for (const question of questions('ann'))
        expect(await mixed.call('ann', 100, question), JSON.stringify(question)).toEqual(await alone.call('ann', 100, question))
    } finally {
      await alone.engine.close()
      await mixed.engine.close()
      for (const directory of directories) rmSync(directory, { recursive: true, force: true })
    }
  })

describe('isolation', () => {
  test("with and without other owners' facts every answer is the same, scores included", async () => {
    await fc.assert(
      sameAnswers(async () => ({})),
      { numRuns: runs(4, 12) },
    )
  }, 120_000)

  test.skipIf(SERVER === undefined)(
    'a server with everyone on it answers as a file with one alone',
    async () => {
      await fc.assert(
        sameAnswers(async () => ({ database: await freshDatabase() })),
        { numRuns: runs(2, 5) },
      )
    },
    240_000,
  )
})

/** Something of the owner's own, whatever the steps are. */
const phraseOf = (owner: string): Call => ['memory/store_memory', { content: 'Otter Lake lies near Heron Hill.', user_id: owner }]
