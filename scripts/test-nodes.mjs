// npm run test:package -- nodes [major...]: store tests on Node 22, 24 and 26 with their built-in SQLite, and stores moved between Node versions.
// Ends with the line `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { nodeOf, registryAddress, run } from './fetched-tools.mjs'
import { ensureInstalled, root } from './install.mjs'

/** Tests of the file: durability, damage, locks, processes, migrations, and the store contract. */
const TESTS = [
  'src/backends',
  'test/sqlite',
  'test/contract',
  'test/wire/failing-disk.test.ts',
  'test/wire/store-files.test.ts',
  'test/wire/read-only.test.ts',
]

const main = join(root, 'dist', 'main.js')
const scratch = mkdtempSync(join(tmpdir(), 'mneme-nodes-'))
const given = process.argv.slice(2)
let passed = 0
let failed = 0

await ensureInstalled()
await ensureBuilt()
if ((await registryAddress()) === undefined) {
  process.stdout.write('skipped: the package registry cannot be reached\n0 passed, 0 failed\n')
  process.exit(0)
}
for (const major of given.length > 0 ? given : ['22', '24', '26']) {
  const node = await nodeOf(major)
  await check(`the tests of the store on Node ${major}`, () => storeTests(node))
  await check(`a store goes from Node ${process.versions.node.split('.')[0]} to ${major} and back`, () => thereAndBack(node))
}
rmSync(scratch, { recursive: true, force: true })
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function check(name, work) {
  const startedAt = performance.now()
  try {
    const said = await work()
    passed++
    process.stdout.write(`ok: ${name}${said} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)\n`)
  } catch (failure) {
    failed++
    process.stdout.write(`FAILED: ${name}\n${failure.message}\n`)
  }
}

async function storeTests(node) {
  const report = join(scratch, 'report.json')
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const ended = await run(node, [vitest, 'run', ...TESTS, '--reporter=json', `--outputFile=${report}`], { cwd: root, env }).then(
    () => undefined,
    (failure) => failure,
  )
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const wrong = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  if (wrong.length > 0) throw new Error(wrong.map(({ fullName, failureMessages }) => `${fullName}\n  ${failureMessages[0]}`).join('\n'))
  if (ended !== undefined) throw ended
  return `: ${numPassedTests} passed`
}

/** Written by one version, read and written by the other, both concurrently, and read by the first again. */
async function thereAndBack(other) {
  const folder = mkdtempSync(join(scratch, 'store-'))
  const mneme = async (node, ...args) =>
    JSON.parse(await run(node, [main, ...args, '--data-dir', folder, '--embedder', 'hash'], { cwd: scratch }))
  const [here, there] = [process.execPath, other]
  const expectFound = async (node, question, word) => {
    const answer = JSON.stringify(await mneme(node, 'recall', question))
    if (!answer.includes(word)) throw new Error(`${node} did not find "${word}": ${answer}`)
  }
  const expectSound = async (node) => {
    const { healthy, findings } = await mneme(node, 'doctor')
    if (!healthy || findings.length > 0) throw new Error(`doctor on ${node}: ${JSON.stringify(findings)}`)
  }
  await mneme(here, 'remember', 'The otter swims in the river')
  await expectFound(there, 'otter river', 'otter')
  await mneme(there, 'remember', 'The heron waits in the reeds')
  await Promise.all(Array.from({ length: 8 }, (_, i) => mneme(i % 2 === 0 ? here : there, 'remember', `Boat number ${i} lies at the pier`)))
  for (const node of [here, there]) {
    await expectFound(node, 'heron reeds', 'heron')
    for (let i = 0; i < 8; i++) await expectFound(node, `boat number ${i}`, `Boat number ${i}`)
    await expectSound(node)
  }
  const copy = join(folder, 'copy.db')
  await mneme(there, 'backup', copy)
  await mneme(here, 'restore', copy)
  await expectFound(here, 'heron reeds', 'heron')
  await expectSound(here)
  return ''
}
