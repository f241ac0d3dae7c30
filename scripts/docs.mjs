// npm run docs references: writes docs/reference.md, docs/openapi.json and the tables of the clients from the operations and settings. With `--check`, only reports whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { pythonAsyncClient, pythonOperations, pythonTools, typescriptClient } from './client.mjs'
import { httpApiPage } from './http-api.mjs'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
await ensureBuilt()

const { CONTRACT_NAMES, loadContracts, VERSION } = await import(join(root, 'dist', 'open.js'))
const { isServed } = await import(join(root, 'dist', 'contracts', 'contract.js'))
const { toOpenApi } = await import(join(root, 'dist', 'surfaces', 'http', 'openapi.js'))
const { describeSettings } = await import(join(root, 'dist', 'config.js'))

const typeOf = (schema) => {
  if (schema.enum)
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => `\`${value}\``)
      .join(', ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null')
  return types.join(' or ')
}

const bounds = (schema) => {
  const parts = []
  if (schema.minimum !== undefined && schema.maximum !== undefined) parts.push(`${schema.minimum} to ${schema.maximum}`)
  else if (schema.minimum !== undefined) parts.push(`at least ${schema.minimum}`)
  else if (schema.maximum !== undefined) parts.push(`at most ${schema.maximum}`)
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`)
  return parts.join(', ')
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')

function describe(operation) {
  const { properties = {}, required = [] } = operation.schemas.input
  const lines = [`### ${operation.name}`, '', `${operation.description.replace(/\.?$/, '.')} (${operation.effect})`, '']
  const names = Object.keys(properties)
  if (names.length > 0) {
    lines.push('| argument | type | |', '|---|---|---|')
    for (const name of names) {
      const schema = properties[name]
      const notes = [required.includes(name) ? 'required' : '', bounds(schema), schema.description ?? ''].filter(Boolean).join('; ')
      lines.push(`| \`${name}\` | ${cell(typeOf(schema))} | ${cell(notes)} |`)
    }
    lines.push('')
  }
  const results = Object.keys(operation.schemas.output.properties ?? {})
  if (results.length > 0) lines.push(`Returns: ${results.map((name) => `\`${name}\``).join(', ')}.`, '')
  return lines
}

const contracts = await loadContracts(CONTRACT_NAMES)
const page = ['# Reference', '', 'Generated from the program by `npm run docs references`. Do not edit it by hand.', '']
for (const contract of contracts) {
  page.push(
    `## ${contract.audience === 'operator' ? (contract.name === 'admin' ? 'Local commands' : contract.title) : `Contract \`${contract.name}\``}`,
    '',
  )
  for (const operation of contract.operations) page.push(...describe(operation))
}
page.push(
  '## Settings',
  '',
  'A flag overrides an environment variable, which overrides `config.json` in the data directory. Keys in `config.json` are in camel case: `--log-level` is `logLevel`.',
  '',
  '| flag | | values | default | other names |',
  '|---|---|---|---|---|',
)
for (const { flag, description, allowed, fallback, otherNames } of describeSettings()) {
  const names = otherNames.map(({ name, note }) => `\`${name}\`${note === undefined ? '' : ` (${note})`}`).join(', ')
  page.push(`| \`${flag}\` | ${cell(description)} | ${cell(allowed)} | ${fallback === null ? '' : `\`${cell(fallback)}\``} | ${names} |`)
}
const openApi = toOpenApi(contracts.filter(isServed), VERSION)
const pages = {
  'docs/http-api.md': httpApiPage(openApi),
  'docs/reference.md': `${page.join('\n')}\n`,
  'src/client/operations.ts': typescriptClient(contracts.filter(isServed), VERSION),
  'packages/python/mneme_client/_operations.py': pythonOperations(contracts.filter(isServed), VERSION),
  'packages/python/mneme_client/_tools.py': pythonTools(contracts.filter(isServed)),
  'packages/python/mneme_client/_async_client.py': pythonAsyncClient(
    readFileSync(join(root, 'packages/python/mneme_client/_client.py'), 'utf8'),
  ),
  'docs/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
}

for (const [path, text] of Object.entries(pages)) {
  const target = join(root, path)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is out of date: run \`npm run docs references\` and commit it.`)
    process.exitCode = 1
  }
}
