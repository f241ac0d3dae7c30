// Runs test files in this process with one mutant active. The parent ends it if it hangs.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInThisContext, Script } from 'node:vm'
import * as runnerApi from '@vitest/runner'
import { startTests } from '@vitest/runner'
import { root } from '../install.mjs'
import { bundleTest } from './bundle.mjs'
import { mutate, SWITCHES } from './mutants.mjs'
import { expect, vi } from './shim.mjs'

process.env.MNEME_CHECK_ANSWERS = '1'
process.env.MNEME_TEST_POSTGRES = 'none'
process.env.MNEME_TEST_RUNS ??= '10'
const state = { active: -1, left: Infinity, hit: undefined }
globalThis.__mutation = state
runInThisContext(SWITCHES)
const vitest = { ...runnerApi, test: runnerApi.it, expect, vi }
const LIMIT_MS = 60_000
// The first failing example suffices; shrinking is a waste.
createRequire(import.meta.url)('fast-check').configureGlobal({ endOnFailure: true })
let unhandled
for (const name of ['unhandledRejection', 'uncaughtException']) process.on(name, (failure) => (unhandled ??= failure))

const instrumented = new Map()
const scripts = new Map()

async function scriptOf(file) {
  if (!scripts.has(file)) {
    const text = await bundleTest(join(root, file), instrumented)
    const wrapped = `(function (require, module, exports, __filename, __dirname) {${text}\n})`
    scripts.set(file, new Script(wrapped, { filename: `${file}.cjs` }))
  }
  return scripts.get(file)
}

const config = {
  root,
  name: '',
  setupFiles: [],
  passWithNoTests: true,
  allowOnly: true,
  sequence: { seed: 1, hooks: 'stack', setupFiles: 'list', shuffle: false, concurrent: false },
  chaiConfig: {},
  maxConcurrency: 5,
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  strictTags: false,
}

/** Runs one test file, or only the named tests, until the first failure. */
async function runFile(file, { only, hit }) {
  const script = await scriptOf(file)
  const path = join(root, file)
  const native = createRequire(path)
  const load = (name) => (name === 'vitest' ? vitest : native(name))
  let failed
  let current = ''
  let counted = 0
  state.hit = hit === undefined ? undefined : (id) => hit(id, current)
  const runner = {
    config,
    pool: 'forks',
    importFile() {
      const module = { exports: {} }
      script.runInThisContext()(load, module, module.exports, path, dirname(path))
    },
    onBeforeRunTask(test) {
      if (failed !== undefined || (only !== undefined && !only.has(test.id))) test.mode = 'skip'
    },
    onBeforeTryTask(test) {
      current = test.id
      counted += 1
    },
    onAfterRunTask(test) {
      current = ''
      if (test.result?.state === 'fail') failed ??= `${test.name}: ${test.result.errors?.[0]?.message?.split('\n')[0]}`
    },
    onTaskUpdate() {},
    onAfterRunSuite(suite) {
      if (suite.result?.state === 'fail' && suite.result.errors?.length > 0) failed ??= `${suite.name}: ${suite.result.errors[0].message}`
    },
  }
  unhandled = undefined
  const [ran] = await startTests([path], runner)
  state.hit = undefined
  if (ran?.result?.state === 'fail') failed ??= ran.result.errors?.[0]?.message ?? 'failed'
  if (unhandled !== undefined) failed ??= `unhandled: ${unhandled?.message ?? unhandled}`
  return { failed, counted }
}

const handlers = {
  /** Compiles the mutants into the files. */
  prepare({ files }) {
    const mutants = []
    for (const [file, text] of files) {
      const done = mutate(file, text, mutants.length)
      instrumented.set(file, done.text)
      mutants.push(...done.mutants)
    }
    return { mutants }
  },
  /** Runs a test file without mutants and records which of its tests reach which mutant. */
  async cover({ file }) {
    const reached = new Map()
    let steps = 0
    Object.assign(state, { active: -1, left: Infinity })
    const startedAt = performance.now()
    const { failed, counted } = await runFile(file, {
      hit(id, test) {
        steps += 1
        const tests = reached.get(id)
        if (tests === undefined) reached.set(id, new Set([test]))
        else tests.add(test)
      },
    })
    return { failed, counted, steps, ms: performance.now() - startedAt, reached: [...reached].map(([id, tests]) => [id, [...tests]]) }
  },
  /** Runs the tests of a file that reach the mutant, with the mutant. */
  async attempt({ file, id, tests, steps }) {
    Object.assign(state, { active: id, left: steps * 20 + 1e6 })
    // A mutant reached while the module is loaded may affect every test.
    const { failed } = await runFile(file, { only: tests.includes('') ? undefined : new Set(tests) })
    Object.assign(state, { active: -1, left: Infinity })
    return { failed }
  },
}

process.on('disconnect', () => process.exit())
process.on('message', async ({ call, input }) => {
  try {
    process.send({ answer: await handlers[call](input) })
  } catch (failure) {
    process.send({ failure: failure?.stack ?? String(failure) })
  }
})
