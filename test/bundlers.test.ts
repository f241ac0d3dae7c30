import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build as bundleWithEsbuild } from 'esbuild'
import { build as bundleWithVite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from './wire/program.js'

const run = promisify(execFile)

/** An application with this package as its dependency. */
const app = temporaryFolder()
const APP = `
import { openMemory } from 'mneme'
const memory = await openMemory({ dataDir: process.argv[2], embedder: 'hash' })
await memory.remember('The kiln fires at noon')
const { results } = await memory.recall('when does the kiln fire')
console.log(results[0].fact.text)
await memory.close()
`
const PAGE_SOURCE = `
import { connect } from 'mneme/client'
console.log(typeof connect('http://127.0.0.1:1').recall)
`

beforeAll(() => {
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(resolve('.'), join(app, 'node_modules', 'mneme'))
  writeFileSync(join(app, 'package.json'), '{"name":"app","type":"module","dependencies":{"mneme":"*"}}')
  writeFileSync(join(app, 'app.js'), APP)
  writeFileSync(join(app, 'page.js'), PAGE_SOURCE)
})
afterAll(() => {
  rmSync(join(app, 'node_modules', 'mneme'))
  removeTemporaryFolders()
})

const outputOf = async (file: string): Promise<string> =>
  (await run(process.execPath, [file, temporaryFolder()], { cwd: app })).stdout.trim()

test('repair 17: an application bundled by esbuild with the documented setting runs', async () => {
  const outfile = join(app, 'esbuild.js')
  await bundleWithEsbuild({
    ...{ entryPoints: [join(app, 'app.js')], outfile, bundle: true, platform: 'node', format: 'esm', external: ['mneme'] },
    logLevel: 'error',
  })
  expect(await outputOf(outfile)).toBe('The kiln fires at noon')
})

test('an application bundled by Vite for a server with the documented setting runs', async () => {
  await bundleWithVite({
    ...{ root: app, logLevel: 'error', configFile: false, ssr: { external: ['mneme'] } },
    build: { ssr: join(app, 'app.js'), outDir: join(app, 'vite'), rollupOptions: { output: { entryFileNames: 'app.js' } } },
  })
  expect(await outputOf(join(app, 'vite', 'app.js'))).toBe('The kiln fires at noon')
})

test('the client is bundled for browsers without modules of Node', async () => {
  const { outputFiles } = await bundleWithEsbuild({
    ...{ entryPoints: [join(app, 'page.js')], bundle: true, platform: 'browser', format: 'esm', write: false, metafile: true },
    logLevel: 'error',
  })
  const [file] = outputFiles
  expect(file?.text).not.toMatch(/from ?"(?:node:|fs|path)|require\("/)
  const page = join(app, 'page-bundled.js')
  writeFileSync(page, file?.text ?? '')
  expect(await outputOf(page)).toBe('function')
})
