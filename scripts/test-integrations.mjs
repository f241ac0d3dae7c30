// npm run test:integrations: builds the adapters in packages/ and runs them with the real frameworks and scripted models. Arguments go to vitest.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { buildAdapters } from './build-adapters.mjs'
import { installFrameworks, runInPackages } from './frameworks.mjs'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
await ensureBuilt()
installFrameworks()
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const built = buildAdapters()
const types = runInPackages(process.execPath, [tsc, '-p', 'tsconfig.json'])
const tests = runInPackages(process.execPath, [vitest, 'run', '--config', 'vitest.config.ts', ...process.argv.slice(2)])
const verdict = (ok) => (ok ? 'ok' : 'FAILED')
process.stdout.write(`build: ${verdict(built)}, types: ${verdict(types)}, tests: ${verdict(tests)}\n`)
process.exitCode = built && types && tests ? 0 : 1
