import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssues, unknownKeysHint } from './input-errors.js'

const schema = z.strictObject({
  limit: z.int().min(1).max(50).default(10),
  share: z.number().gt(0).lt(1).optional(),
  name: z.string().min(1).max(5).default('x'),
  code: z.string().min(2).default('xx'),
  scope: z.enum(['local', 'team']).default('local'),
  list: z
    .array(z.strictObject({ id: z.string() }))
    .min(1)
    .max(2)
    .optional(),
  said: z.int().min(1, 'must be from 1 on').default(1),
})

const refused = (input: object) => {
  const { error } = schema.safeParse(input)
  return error === undefined ? undefined : [describeIssues(error), unknownKeysHint(schema, error, ['key']).hint]
}

describe('rejected input', () => {
  it.each([
    [{ limit: 0 }, 'Invalid limit: must be at least 1'],
    [{ limit: 51 }, 'Invalid limit: must be at most 50'],
    [{ limit: 1.5 }, 'Invalid limit: must be a whole number'],
    [{ share: 0 }, 'Invalid share: must be more than 0'],
    [{ share: 1 }, 'Invalid share: must be less than 1'],
    [{ name: '' }, 'Invalid name: must not be empty'],
    [{ name: 'xxxxxx' }, 'Invalid name: must have at most 5 characters'],
    [{ code: 'x' }, 'Invalid code: must have at least 2 characters'],
    [{ scope: 'world' }, 'Invalid scope: must be one of local, team'],
    [{ list: [] }, 'Invalid list: must not be empty'],
    [{ list: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, 'Invalid list: must have at most 2 entries'],
    [{ said: 0 }, 'Invalid said: must be from 1 on'],
  ])('describes %j in plain words', (input, message) => {
    expect(refused(input)).toEqual([message, undefined])
  })

  it('lists known names at the place of the unknown one', () => {
    expect(refused({ limits: 1 })).toEqual([
      'Unknown argument: limits',
      'Did you mean "limit"? Known: limit, share, name, code, scope, list, said, key.',
    ])
    expect(refused({ list: [{ id: 'a', di: 1 }] })).toEqual(['Unknown argument: di (in list.0)', 'Did you mean "id"? Known: id.'])
  })
})
