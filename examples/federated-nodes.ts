// Two nodes with stores of their own that exchange public facts, signed.
import { connect } from 'mneme/client'
import { mneme, type Server, serve, temporaryFolder } from './run-mneme.ts'

const folders = { north: temporaryFolder(), south: temporaryFolder() }
const north = await serve(folders.north)
const south = await serve(folders.south)

async function keyOf(dataDir: string): Promise<string> {
  const node = await mneme(dataDir, ['node', '--output', 'json'])
  if (typeof node !== 'object' || node === null) throw new Error('The node has no key.')
  return String(Object.entries(node).find(([name]) => name.includes('key'))?.[1])
}

const introduce = async (dataDir: string, to: Server, key: string, ...flags: readonly string[]): Promise<unknown> =>
  mneme(dataDir, ['peers', 'add', '--url', to.url, '--key', key, '--trust', '0.8', ...flags])

try {
  await introduce(folders.north, south, await keyOf(folders.south), '--pull', 'false')
  await introduce(folders.south, north, await keyOf(folders.north))

  const said = { relation: 'memory:state', source: 'agent:north', scope: 'public' } as const
  await connect(north.url).call('stigmem', 'assert_fact', { entity: 'bridge:7', value: { type: 'string', v: 'closed' }, ...said })
  await connect(north.url).call('stigmem', 'assert_fact', {
    entity: 'bridge:8',
    value: { type: 'string', v: 'open' },
    ...said,
    scope: 'local',
  })
  await mneme(folders.south, ['peers', 'sync'])

  const seen = async (entity: string) => (await connect(south.url).call('stigmem', 'query_facts', { entity })).facts
  console.log('south knows of bridge 7:', JSON.stringify(await seen('bridge:7')))
  console.log('south knows of bridge 8:', JSON.stringify(await seen('bridge:8')))
} finally {
  await north.stop()
  await south.stop()
}
