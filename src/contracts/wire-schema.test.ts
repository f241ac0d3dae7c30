import { expect, test } from 'vitest'
import { readPlain } from './wire-schema.js'

const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])),
})

test('repair 3: texts that read like booleans are booleans, but not where they confirm or widen a call', () => {
  const schema = object('explain', 'confirm', 'force', 'apply', 'all', 'forever', 'accept_loss')
  const input = { explain: 'true', confirm: 'true', force: 'TRUE', apply: 'true', all: 'true', forever: 'true', accept_loss: 'true' }
  expect(readPlain(schema, input)).toEqual({ ...input, explain: true })
  expect(readPlain({ type: 'object', properties: { options: schema } }, { options: { apply: 'true' } })).toEqual({
    options: { apply: 'true' },
  })
  expect(readPlain(schema, { apply: true })).toEqual({ apply: true })
})
