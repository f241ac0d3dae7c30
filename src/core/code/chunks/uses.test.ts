import { describe, expect, it } from 'vitest'
import { chunkFile } from './chunks.js'
import type { Definition, FileOutline, OutlineReference } from './outline.js'
import { chunkReferences } from './uses.js'

const definition = (input: Partial<Definition> & Pick<Definition, 'name' | 'startLine' | 'endLine'>): Definition => ({
  kind: 'function',
  scope: [],
  parent: -1,
  signature: '',
  doc: '',
  start: 0,
  end: 0,
  ...input,
})

const reference = (input: Partial<OutlineReference> & Pick<OutlineReference, 'kind' | 'name'>): OutlineReference => ({
  module: null,
  line: 3,
  within: 0,
  ...input,
})

/** A file whose third line is in the chunk `one`, with the stored form of its references. */
function stored(references: readonly OutlineReference[], input: { path?: string; language?: string; definitions?: Definition[] } = {}) {
  const definitions = input.definitions ?? [definition({ name: 'one', startLine: 2, endLine: 4 })]
  const outline: FileOutline = { parsed: true, definitions, references }
  const file = { path: input.path ?? 'src/a.ts', language: input.language ?? 'typescript', text: 'import x\none {\n  use\n}\n' }
  return chunkReferences(file, outline, chunkFile({ ...file, outline })).map(
    ({ ordinal, kind, name, module }) => `${ordinal} ${kind} ${name} ${(module ?? '-').replace('\t', ' in ')}`,
  )
}

const imports = (name: string, module: string, as?: string, whole = false): OutlineReference =>
  reference({ kind: 'imports', name, module, line: 1, within: -1, ...(as === undefined ? {} : { as }), ...(whole ? { whole } : {}) })

describe('references of a file', () => {
  it('are listed once per chunk, without those to its own names', () => {
    const call = (name: string) => reference({ kind: 'calls', name })
    expect(stored([call('step'), call('step'), call('one')])).toEqual(['1 calls step -'])
  })

  it('use the name in the module', () => {
    expect(stored([imports('verify', './token', 'check'), reference({ kind: 'calls', name: 'check' })])).toEqual([
      '0 imports verify ./token',
      '1 calls verify ./token',
    ])
    expect(stored([imports('u', './u', 'u', true), reference({ kind: 'calls', name: 'u' })])[1]).toBe('1 calls default ./u')
  })

  it.each([
    ['a module', [imports('pay', './pay', 'p', true)], 'p', './pay'],
    ['an imported type', [imports('Alpha', './alpha', 'A')], 'A', './alpha in Alpha'],
    ['a default import', [imports('default', './api', 'api')], 'api', './api'],
    ['a type without an import', [], 'JSON', ' in JSON'],
    ['a path', [], 'crate::geo::', 'crate::geo in geo'],
    ['a variable', [], 'm', ' in ?'],
    ['something that is no name', [], '?', ' in ?'],
  ])('keep what they are asked of: %s', (_title, before, on, expected) => {
    expect(stored([...before, reference({ kind: 'calls', name: 'go', on })]).at(-1)).toBe(`1 calls go ${expected}`)
  })

  it('treat an imported name of Python as a module as well', () => {
    const use = reference({ kind: 'calls', name: 'load', on: 'b' })
    expect(stored([imports('b', 'pkg', 'b'), use], { language: 'python' }).at(-1)).toBe('1 calls load pkg.b in b')
    expect(stored([imports('a', '.', 'a'), { ...use, on: 'a' }], { language: 'python' }).at(-1)).toBe('1 calls load .a in a')
  })

  it('resolve the type that `this` refers to', () => {
    const definitions = [
      definition({ name: 'Box', kind: 'class', startLine: 2, endLine: 4 }),
      definition({ name: 'open', scope: ['Box'], parent: 0, startLine: 3, endLine: 3 }),
    ]
    expect(stored([reference({ kind: 'calls', name: 'shut', on: 'this', within: 1 })], { definitions })).toEqual([
      '1 defines open Box',
      '1 calls shut  in Box',
    ])
  })

  it('list re-exports', () => {
    const passed = reference({ kind: 'exports', name: 'verify', module: './token', as: 'thing' })
    expect(stored([passed, { ...passed, module: null, as: 'default' }])).toEqual([
      '1 references thing ./token in verify',
      '1 references default ./a.ts in verify',
    ])
    expect(stored([imports('load', '.a', 'offered')], { path: 'pkg/__init__.py', language: 'python' })).toEqual([
      '0 imports load .a',
      '0 references offered .a in load',
    ])
  })
})

describe('lookup of a use', () => {
  const calls = (name: string, on?: string, within = 0) => reference({ kind: 'calls', name, within, ...(on === undefined ? {} : { on }) })

  it('an export binds nothing in its own file', () => {
    const exported = reference({ kind: 'exports', name: 'x', module: './m', as: 'y', line: 1, within: -1 })
    expect(stored([exported, calls('y')])).toContain('1 calls y -')
  })

  it('definitions that are no functions may have members', () => {
    const definitions = [
      definition({ name: 'one', startLine: 2, endLine: 4 }),
      definition({ name: 'store', kind: 'class', startLine: 5, endLine: 5 }),
    ]
    expect(stored([calls('load', 'store'), calls('save', 'one'), calls('make', 'space::')], { definitions })).toEqual([
      '1 calls load  in store',
      '1 calls save  in ?',
      '1 calls make  in space',
    ])
  })

  it('a called module refers to its default export, in languages that call modules', () => {
    for (const [language, name] of [
      ['javascript', 'default'],
      ['typescript', 'default'],
      ['tsx', 'default'],
      ['python', 'load'],
    ])
      expect(stored([imports('load', './m', 'load', true), calls('load')], { language: language ?? '' })).toContain(`1 calls ${name} ./m`)
  })

  it('`this` refers to the enclosing type, even if it is defined elsewhere', () => {
    const method = [definition({ name: 'one', scope: ['Store'], startLine: 2, endLine: 4 })]
    expect(stored([calls('load', 'this')], { definitions: method })).toContain('1 calls load  in Store')
    const inner = [
      definition({ name: 'one', startLine: 2, endLine: 4 }),
      definition({ name: 'two', scope: ['one'], parent: 0, startLine: 3, endLine: 3 }),
    ]
    expect(stored([calls('load', 'this', 1)], { definitions: inner })).toContain('1 calls load  in ?')
  })
})
