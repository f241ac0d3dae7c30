import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isServed } from '../../src/contracts/contract.js'
import { CONTRACT_NAMES, loadContracts, operatorContracts, VERSION } from '../../src/open.js'
import { toOpenApi } from '../../src/surfaces/http/openapi.js'
import { listTools } from '../../src/surfaces/mcp/tools.js'

// Listings for clients. UPDATE_GOLDEN=1 writes the current ones; read the difference before committing.
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')

const PROFILES = [['memory'], ['graph'], ['substrate'], ['stigmem'], ['memory', 'graph']]

function pin(file: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (update) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file), `${file} is missing`).toBe(true)
  expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(file, 'utf8')))
}

/** Paths of arrays in a schema that do not state the type of their items. */
function untypedArrays(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'type' in schema && schema.type === 'array' && !('items' in schema) ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, member]) => untypedArrays(member, `${path}/${name}`))]
}

describe('tool listings', () => {
  it('repair 8: state the items of every array of a schema', async () => {
    const contracts = await loadContracts(CONTRACT_NAMES)
    const tools = contracts.flatMap(({ operations }) => operations)
    expect(tools.flatMap(({ name, schemas: { input, output } }) => untypedArrays({ input, output }, name))).toEqual([])
  })

  it.each(PROFILES.map((names) => names.join('-')))('tools/list of the profile %s', async (profile) => {
    const names = profile.split('-')
    const contracts = await loadContracts(names)
    const tools = [...listTools(contracts).values()].filter(({ operation }) => operation.listed).map(({ listing }) => listing())
    pin(`test/golden/tools/${profile}.json`, { tools })
  })

  it('list every operation at a route of its own, with its required right', async () => {
    const contracts = await loadContracts(CONTRACT_NAMES)
    const rows = contracts.flatMap(({ name, audience, operations }) =>
      operations.flatMap(({ routes, right, effect, ...entry }) =>
        routes.map(({ method, path, status }) => `${audience} ${method} ${path} ${status} ${right} ${effect} ${name}/${entry.name}`),
      ),
    )
    expect(new Set(rows.map((row) => row.split(' ').slice(1, 3).join(' '))).size).toBe(rows.length)
    pin('test/golden/tools/operations.json', rows)
    expect(contracts.filter(({ audience }) => audience === 'operator').map(({ name }) => name)).toEqual(operatorContracts)
    pin('docs/openapi.json', toOpenApi(contracts.filter(isServed), VERSION))
    const methods = Object.values(pathsOf(toOpenApi(contracts.filter(isServed), '1'))).flatMap((path: object) => Object.keys(path))
    expect(methods.length).toBe(rows.filter((row) => row.startsWith('everyone')).length)
  })
})

const pathsOf = ({ paths }: Readonly<Record<string, unknown>>): object => (typeof paths === 'object' && paths !== null ? paths : {})
