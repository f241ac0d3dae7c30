import { expect, test } from 'vitest'
import { NOON } from '../../../../test/contract/samples.js'
import { type NewObject, toGovernedFact } from './new-object.js'

test('a governed fact is built from its input', () => {
  const input: NewObject = {
    ...{ type: 'knowledge', kind: 'fact', title: 'T', summary: 'S', status: 'active', details: {}, references: { subject_refs: [] } },
    ...{ evidence: [], reason: 'why', origin: 'user_declared', scopes: ['p'] },
  }
  const made = (more: Partial<NewObject> = {}) => toGovernedFact({ ...input, ...more }, { id: 'i', owner: 'ann', actor: 'test', at: NOON })
  expect(made()).toMatchObject({
    form: null,
    evidence: null,
    references: {},
    validFrom: NOON,
    validUntil: null,
    confidence: 0,
    status: 'active',
  })
  expect(made().autoLink).toBe(true)
  expect(made({ references: { subject_refs: [], depends_on: undefined } }).references).toEqual({})
  expect(made({ validUntil: NOON - 5 })).toMatchObject({ validFrom: NOON - 5 })
  expect(made({ type: 'activity', origin: 'agent_inferred', stage: 'draft' })).toMatchObject({ form: 'activity', status: 'active' })
  expect(made({ origin: 'agent_inferred' })).toMatchObject({ form: null, status: 'candidate' })
  expect(made({ evidence: [{ source_id: 's', segment_id: '1' }], references: { subject_refs: ['node:a'], depends_on: [] } })).toMatchObject(
    {
      evidence: [{ source_id: 's', segment_id: '1' }],
      references: { subject_refs: ['node:a'] },
    },
  )
})
