// Writes docs/reference.md from the operations and settings themselves; `--check` only tells whether it is fresh.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, 'docs', 'reference.md')

const { CONTRACT_NAMES, loadContracts } = await import(join(root, 'dist', 'open.js'))
const { describeSettings } = await import(join(root, 'dist', 'config.js'))

const typeOf = (schema) => {
  if (schema.enum)
    return schema.enum
      .filter((one) => one !== null)
      .map((one) => `\`${one}\``)
      .join(', ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  const types = [schema.type ?? 'any'].flat().filter((one) => one !== 'null')
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
  const answers = Object.keys(operation.schemas.output.properties ?? {})
  if (answers.length > 0) lines.push(`Answers: ${answers.map((name) => `\`${name}\``).join(', ')}.`, '')
  return lines
}

const page = ['# Reference', '', 'Generated from the program by `node scripts/docs.mjs`; do not edit by hand.', '']
for (const contract of await loadContracts(CONTRACT_NAMES)) {
  page.push(`## ${contract.name === 'admin' ? 'Commands for the person at the machine' : `Contract \`${contract.name}\``}`, '')
  for (const operation of contract.operations) page.push(...describe(operation))
}
page.push(
  '## Settings',
  '',
  'A flag wins over a variable, a variable over `config.json` in the data directory (keys in camel case: `--log-level` is `logLevel`).',
  '',
  '| flag | | values | default | other names |',
  '|---|---|---|---|---|',
)
for (const { flag, description, allowed, fallback, otherNames } of describeSettings()) {
  const names = otherNames.map(({ name, note }) => `\`${name}\`${note === undefined ? '' : ` (${note})`}`).join(', ')
  page.push(`| \`${flag}\` | ${cell(description)} | ${cell(allowed)} | ${fallback === null ? '' : `\`${cell(fallback)}\``} | ${names} |`)
}
const text = `${page.join('\n')}\n`

if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error('docs/reference.md is stale: run `node scripts/docs.mjs` and commit it.')
    process.exit(1)
  }
} else {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
