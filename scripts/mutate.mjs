// node scripts/mutate.mjs [--workers n] [--minutes n] [--again report] [--out report] [--tests file or folder]... <file or folder>...
// Mutation testing: changes one operator or condition at a time and lists the changes that no test detects. All mutants are compiled in at
// once, each behind its number, so that a test is bundled once. Results are cached in .cache/mutation until sources or tests change, so a
// run with --minutes can be continued. --again repeats the mutants of an earlier report; --most limits the number of test files per mutant,
// those with the most detections per second first.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './install.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    again: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
    out: { type: 'string' },
    tests: { type: 'string', multiple: true },
  },
})
/** Tests within one process. Those that start the built program do not see mutants. */
const TESTS = [
  'src/core',
  'src/engine',
  'src/backends/memory-index',
  'test/contract/ram.test.ts',
  'test/contract/sqlite.test.ts',
  'test/recall',
  'test/facts',
  'test/history',
  'test/embedding',
  'test/access',
  'test/secrets/stored.test.ts',
  'test/properties',
  'test/http-access',
  'test/hooks',
  'test/graph',
  'test/stigmem',
  'test/substrate',
  'test/evidence',
  'test/code/search-code.test.ts',
]
const OUTSIDE = /startProgram|openStdio|\bspawn|\bfork\(|from '\.\.\/wire\/program/
/** Ids of survivors that change nothing observable, one per line, each with its reason after a space. Absent until one is accepted. */
const ACCEPTED = join(root, 'test', 'accepted-mutants.txt')
const LONGEST_MS = 150_000
/** Workers are replaced after this number of runs, because mutants leave state behind. */
const ATTEMPTS_OF_A_WORKER = 1500

const filesIn = (path) => (statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesIn(join(path, name))) : [path])
const isTest = (path) => /\.test\.ts$/.test(path)
const sources = positionals.flatMap((path) => filesIn(join(root, path))).filter((path) => /\.ts$/.test(path) && !isTest(path))
const files = sources.map((path) => [path, readFileSync(path, 'utf8')])
const tests = (values.tests ?? TESTS)
  .flatMap((path) => filesIn(join(root, path)))
  .filter((path) => isTest(path) && !OUTSIDE.test(readFileSync(path, 'utf8')))

/** A process that runs tests; one that hangs or dies is replaced, and its call fails. */
function createWorker() {
  let child
  let calls = 0
  async function call(name, input, withinMs = LONGEST_MS) {
    child ??= await started()
    return ask(child, name, input, withinMs)
  }
  async function started() {
    const made = fork(fileURLToPath(new URL('mutate/worker.mjs', import.meta.url)), {
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await ask(made, 'prepare', { files }, LONGEST_MS)
    calls = 0
    return made
  }
  function ask(process, name, input, withinMs) {
    calls += 1
    return new Promise((resolve, reject) => {
      const end = (settle) => {
        clearTimeout(timer)
        process.removeAllListeners()
        settle()
      }
      const lose = (reason) =>
        end(() => {
          process.kill('SIGKILL')
          child = undefined
          reject(new Error(reason))
        })
      const timer = setTimeout(() => lose('took too long'), withinMs)
      process.on('exit', () => lose('the process ended'))
      process.on('message', ({ answer, failure }) => end(() => (failure === undefined ? resolve(answer) : reject(new Error(failure)))))
      process.send({ call: name, input })
    })
  }
  function close() {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = undefined
  }
  return { call, close, renew: () => calls > ATTEMPTS_OF_A_WORKER && close() }
}

const workers = Array.from({ length: Number(values.workers) }, createWorker)
const inParallel = (queue, work) =>
  Promise.all(
    workers.map(async (worker) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(worker, next)
    }),
  )
const say = (text) => process.stderr.write(text)

const until = Date.now() + Number(values.minutes) * 60_000
const { mutants: all } = await workers[0].call('prepare', { files })
const everything = ['src', 'test'].flatMap((folder) => filesIn(join(root, folder))).filter((path) => /\.ts$/.test(path))
const digest = createHash('sha256').update(JSON.stringify([positionals, values.tests]))
for (const path of everything) digest.update(path).update(readFileSync(path))
const memory = join(root, '.cache', 'mutation', `${digest.digest('hex').slice(0, 16)}.json`)
/** Per test file the mutants it reaches, per mutant whether it was detected, and per source the detections of each test file. */
const known = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : { covers: {}, killed: {}, noticed: {} }
mkdirSync(join(root, '.cache', 'mutation'), { recursive: true })
const keep = () => writeFileSync(memory, JSON.stringify(known))

const uncovered = tests.map((path) => relative(root, path)).filter((file) => known.covers[file] === undefined)
await inParallel(uncovered, async (worker, file) => {
  if (Date.now() > until) return
  try {
    const { failed, steps, ms, reached } = await worker.call('cover', { file })
    say(`${failed === undefined ? 'covers' : 'LEFT OUT'} ${file}: ${reached.length} mutants, ${ms.toFixed(0)} ms ${failed ?? ''}\n`)
    known.covers[file] = { steps, ms, reached: failed === undefined ? reached : [] }
  } catch (failure) {
    say(`LEFT OUT ${file}: ${failure.message.split('\n')[0]}\n`)
    known.covers[file] = { steps: 0, ms: 0, reached: [] }
  }
  keep()
})

const reaching = new Map(all.map(({ id }) => [id, []]))
for (const [file, { steps, ms, reached }] of Object.entries(known.covers))
  for (const [id, names] of reached) reaching.get(id).push({ file, steps, ms, tests: names })
/** Without the line number, so that the id survives edits elsewhere. */
const nameOf = ({ file, column, from, to, source }) => `${relative(root, file)}: ${from} as ${to} at ${column}: \`${source}\``
const earlier = values.again === undefined ? undefined : readFileSync(values.again, 'utf8')
const idOf = (mutant) => createHash('sha1').update(nameOf(mutant)).digest('hex').slice(0, 10)
const accepted = new Set(
  existsSync(ACCEPTED)
    ? readFileSync(ACCEPTED, 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[0])
    : [],
)
const chosen = all.filter((mutant) => earlier === undefined || earlier.includes(nameOf(mutant)))
const report = () => {
  const tried = chosen.filter(({ id }) => known.killed[id] !== undefined)
  const survivors = tried.filter(({ id }) => known.killed[id] === false)
  const open = survivors.filter((mutant) => !accepted.has(idOf(mutant)))
  const line = (one) => `${idOf(one)} ${nameOf(one)} line ${one.line}${reaching.get(one.id).length > 0 ? '' : ', reached by no test'}\n`
  const counts = `${survivors.length} survived, ${survivors.length - open.length} of them accepted`
  return `${tried.length} of ${chosen.length} mutants tried, ${counts}\n${open.map(line).join('')}`
}

await inParallel(
  chosen.filter(({ id }) => known.killed[id] === undefined),
  async (worker, mutant) => {
    if (Date.now() > until) return
    const colocated = relative(root, mutant.file).replace(/\.ts$/, '.test.ts')
    known.noticed[colocated] ??= {}
    const noticed = known.noticed[colocated]
    const cost = ({ file, ms, tests: names }) =>
      file === colocated ? 0 : (ms * (names.includes('') ? 4 : 1)) / (1 + 10 * (noticed[file] ?? 0))
    let killed = false
    for (const { file, tests: names, steps, ms } of reaching
      .get(mutant.id)
      .sort((a, b) => cost(a) - cost(b))
      .slice(0, Number(values.most))) {
      try {
        const { failed } = await worker.call('attempt', { file, id: mutant.id, tests: names, steps }, ms * 10 + 20_000)
        killed = failed !== undefined
      } catch {
        killed = true
      }
      if (killed) {
        noticed[file] = (noticed[file] ?? 0) + 1
        break
      }
    }
    worker.renew()
    known.killed[mutant.id] = killed
    if (mutant.id % 10 === 0) keep()
    if (values.out !== undefined) writeFileSync(values.out, report())
    say(`\r${report().split('\n')[0]} `)
  },
)
keep()
for (const worker of workers) worker.close()
process.stdout.write(`\n${report()}`)
