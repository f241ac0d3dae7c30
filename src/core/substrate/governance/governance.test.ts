import { describe, expect, test } from 'vitest'
import { checkGovernance, governedStatus, isPersonal } from './governance.js'

describe('requirements of knowledge', () => {
  test.each([
    [{ reason: ' ' }, 'requires reason'],
    [{ origin: 'rumour' }, 'unsupported memory_source: rumour'],
    [{ scopes: [] }, 'requires scope_refs'],
    [{ scopes: ['p', ' '] }, 'requires scope_refs'],
  ])('%j: %s', (more, message) => {
    const statement = { reason: 'why', origin: 'imported', scopes: ['p'] }
    expect(() => checkGovernance({ ...statement, ...more })).toThrow(message)
    expect(() => checkGovernance(statement)).not.toThrow()
  })

  test('include evidence or a statement of a person if it is active', () => {
    expect([isPersonal('user_declared'), isPersonal('imported'), isPersonal(null)]).toEqual([true, false, false])
    expect(governedStatus('active', 'agent_inferred', 0)).toBe('candidate')
    expect(governedStatus('stale', 'agent_inferred', 0)).toBe('stale')
    expect([governedStatus('active', 'imported', 1), governedStatus('active', 'human_curated', 0)]).toEqual(['active', 'active'])
    expect(() => governedStatus('active', 'imported', 0)).toThrow('requires evidence_refs')
    expect(governedStatus('candidate', 'imported', 0)).toBe('candidate')
  })
})
