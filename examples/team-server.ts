// A server of a team: each person has a key, and both are members of a garden.
import { connect } from 'mneme/client'
import { mneme, serve, temporaryFolder } from './run-mneme.ts'

const dataDir = temporaryFolder()

async function keyFor(entity: string, ...more: readonly string[]): Promise<string> {
  const made = await mneme(dataDir, ['keys', 'create', '--owner', 'team', '--entity', entity, ...more, '--json'])
  return typeof made === 'object' && made !== null && 'key' in made ? String(made.key) : ''
}

const annKey = await keyFor('user:ann', '--right', 'read,write,admin')
const boKey = await keyFor('user:bo')
const otherKey = await keyFor('user:cy')
const server = await serve(dataDir)
try {
  const ann = connect(server.url, { key: annKey })
  const bo = connect(server.url, { key: boKey })
  const cy = connect(server.url, { key: otherKey })

  await ann.call('access', 'create_garden', { slug: 'launch', name: 'Launch' })
  await ann.call('access', 'add_garden_member', { slug: 'launch', entity_uri: 'user:bo', role: 'writer' })
  await bo.call('stigmem', 'assert_fact', {
    entity: 'project:launch',
    relation: 'memory:date',
    value: { type: 'string', v: 'the fourth of May' },
    source: 'user:bo',
    garden_id: 'launch',
  })
  const dates = async (client: typeof ann) => (await client.call('stigmem', 'query_facts', { entity: 'project:launch' })).total
  console.log('ann sees', await dates(ann), 'bo sees', await dates(bo), 'cy sees', await dates(cy))

  const stranger = await connect(server.url)
    .recall('When is the launch?')
    .then(
      () => 'was let in',
      (failure: Error) => failure.message,
    )
  console.log('without a key:', stranger)
} finally {
  await server.stop()
}
