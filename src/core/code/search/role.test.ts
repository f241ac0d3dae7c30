import { describe, expect, it } from 'vitest'
import { loadCodeRecipe } from '../../../open/recipes.js'
import { forQuery, roleOf, roleOfText } from './role.js'

describe('the role of a passage', () => {
  it.each([
    [{ file: 'p/src/a.test.ts', kind: 'function' }, 'test'],
    [{ file: 'p/types/a.d.ts', kind: 'function' }, 'declarations'],
    [{ file: 'p/a.pyi', kind: 'class' }, 'declarations'],
    [{ file: 'p/README.md', kind: 'other' }, 'prose'],
    [{ file: 'p/src/a.ts', kind: 'module' }, 'plain'],
    [{ file: 'p/src/a.ts', kind: 'class' }, 'definition'],
    [{ file: 'p/src/a.ts', kind: 'function' }, 'function'],
  ])('%j is %s', (passage, role) => {
    expect(roleOf(passage)).toBe(role)
  })

  it.each([
    ["export { open } from './open.js'\nexport * from './close.js'\n", 'reExport'],
    ['// the ledger\nmodule.exports.open = require("./open")\n', 'reExport'],
    ['from .ledger import (\n    open,\n    close,\n)\n', 'reExport'],
    ['/** Options. */\nexport interface Options {\n  size: number\n}\n', 'type'],
    ['export type Size = 1 | 2\n', 'type'],
    ['function open() {\n  return 1\n}\n', undefined],
  ])('%j is %s', (text, role) => {
    expect(roleOfText(text)).toBe(role)
  })

  it.each([
    ['which interface describes the options', 'type'],
    ['which tests cover the ledger', 'test'],
    ['where is open re-exported', 'reExport'],
    ['what does the documentation say about size', 'prose'],
  ] as const)('%j asks for it', (query, role) => {
    expect(loadCodeRecipe().roles[role]).toBeLessThan(1)
    expect(forQuery(loadCodeRecipe(), query).roles[role]).toBe(1)
  })

  it('does not read a media type as a type', () => {
    expect(forQuery(loadCodeRecipe(), 'which function reads the content type').roles.type).toBeLessThan(1)
  })
})
