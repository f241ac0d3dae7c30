import { describe, expect, it } from 'vitest'
import { toActor } from './actor.js'

describe('the actor in the journal is a short, clean name', () => {
  it('keeps a plain name as it is', () => {
    for (const name of ['cli', 'http', 'mcp:claude-code', 'mcp:Visual Studio Code', 'mcp:Büro 日本']) expect(toActor(name)).toBe(name)
  })

  it('removes control and invisible characters', () => {
    expect(toActor('mcp:a\u001b]0;title\u0007b')).toBe('mcp:a ]0;title b')
    expect(toActor('mcp:\u202eevil\u200b\u009b2J\n\tx')).toBe('mcp: evil 2J x')
  })

  it('is bounded, in whole characters', () => {
    expect(toActor(`mcp:${'x'.repeat(1e6)}`)).toHaveLength(64)
    expect([...toActor(`mcp:${'👋'.repeat(1000)}`)]).toHaveLength(64)
  })

  it('is never empty', () => {
    expect([toActor(''), toActor('\u0000\u0007'), toActor('mcp:'), toActor('mcp:\u001b')]).toEqual([
      'unknown',
      'unknown',
      'mcp:unknown',
      'mcp:unknown',
    ])
  })
})
