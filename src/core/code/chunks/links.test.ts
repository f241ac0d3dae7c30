import { describe, expect, it } from 'vitest'
import { type DefinedName, type NameUse, type PassedName, resolveUse } from './links.js'

const use = (input: Partial<NameUse> = {}): NameUse => ({
  rid: 1,
  name: 'load',
  path: 'src/app.ts',
  language: 'typescript',
  kind: 'calls',
  module: '',
  within: '',
  ...input,
})
const node = (rid: number, path: string, input: Partial<DefinedName> = {}): DefinedName => ({
  rid,
  name: 'load',
  path,
  language: 'typescript',
  scope: '',
  ...input,
})

const resolve = (
  use: NameUse,
  definitions: readonly DefinedName[],
  input: { passed?: readonly PassedName[]; mentions?: readonly string[] } = {},
) =>
  resolveUse(use, {
    definitions: (name) => definitions.filter((each) => each.name === name),
    passed: (name) => (input.passed ?? []).filter((each) => each.name === name || each.name === '*'),
    mentions: () => new Set(input.mentions),
  }).map(({ rid, weight }) => [rid, weight])

describe('resolveUse', () => {
  it('prefers the same file', () => {
    expect(resolve(use(), [node(2, 'src/other.ts'), node(3, 'src/app.ts')])).toEqual([[3, 1]])
  })

  it('follows an import to its file, including through a folder represented by one file', () => {
    const definitions = [node(2, 'src/files/index.ts'), node(3, 'lib/other.ts')]
    expect(resolve(use({ module: './files/index.js' }), definitions)).toEqual([[2, 1]])
    expect(resolve(use({ module: './files' }), definitions)).toEqual([[2, 1]])
    expect(resolve(use({ module: '@app/src/files' }), definitions)).toEqual([[2, 1]])
  })

  it('prefers the path that contains most of the module', () => {
    const python = { language: 'python' }
    const definitions = [node(2, 'app/loader.py', python), node(3, 'old/loader.py', python)]
    expect(resolve(use({ ...python, path: 'app/main.py', module: 'app.loader' }), definitions)).toEqual([[2, 1]])
    expect(resolve(use({ ...python, path: 'old/main.py', module: '.loader' }), definitions)).toEqual([[3, 1]])
  })

  it('stays within a family of languages', () => {
    expect(resolve(use(), [node(2, 'a.py', { language: 'python' }), node(3, 'b.jsx', { language: 'javascript' })])).toEqual([[3, 0.5]])
    const c = { language: 'c' }
    expect(resolve(use({ ...c, path: 'a.c' }), [node(2, 'b.cpp', { language: 'cpp' }), node(3, 'b.ts')])).toEqual([[2, 1]])
  })

  it('shares the weight among few candidates and gives up at many', () => {
    const go = { language: 'c', path: 'a.c' }
    expect(resolve(use(go), [node(2, 'a.h', { language: 'c' }), node(3, 'b.h', { language: 'c' })])).toEqual([
      [2, 0.5],
      [3, 0.5],
    ])
    expect(
      resolve(
        use(go),
        [2, 3, 4, 5, 6].map((rid) => node(rid, `${rid}.c`, { language: 'c' })),
      ),
    ).toEqual([])
  })

  it('does not resolve a name of another package within the project', () => {
    expect(resolve(use({ module: 'lodash' }), [node(2, 'src/x.ts')])).toEqual([])
  })

  it('finds a member by its type, in the same file first', () => {
    const definitions = [
      node(2, 'src/app.ts', { scope: 'Alpha' }),
      node(3, 'src/app.ts', { scope: 'Beta' }),
      node(4, 'src/x.ts', { scope: 'Beta' }),
    ]
    expect(resolve(use({ within: 'Beta' }), definitions)).toEqual([[3, 1]])
    expect(resolve(use({ within: 'Alpha', module: './app' }), definitions)).toEqual([[2, 1]])
    expect(resolve(use({ within: 'JSON' }), [node(2, 'src/names.ts')])).toEqual([])
  })

  it('gives members of an unknown receiver less weight, and none for types that the file does not mention', () => {
    const definitions = [node(2, 'src/x.ts', { scope: 'Cache' }), node(3, 'src/y.ts')]
    expect(resolve(use({ within: '?' }), definitions)).toEqual([])
    expect(resolve(use({ within: '?' }), definitions, { mentions: ['Cache'] })).toEqual([[2, 0.3]])
  })

  it('resolves locals and members of other files only if their scope is named', () => {
    expect(resolve(use(), [node(2, 'src/x.ts', { scope: 'outer()' }), node(3, 'src/x.ts', { scope: 'Cache' })])).toEqual([])
  })

  it('follows re-exports, including renamed ones', () => {
    const passed = (path: string, name: string, module: string, original: string): PassedName => ({
      path,
      name,
      module,
      original,
      language: 'typescript',
    })
    const chain = [passed('src/index.ts', '*', './barrel.js', '*'), passed('src/barrel.ts', 'thing', './deep/load.js', 'load')]
    const definitions = [node(2, 'src/deep/load.ts'), node(3, 'src/other.ts')]
    expect(resolve(use({ name: 'thing', module: './index.js' }), definitions, { passed: chain })).toEqual([[2, 1]])
    expect(resolve(use({ name: 'thing', module: './else.js' }), definitions, { passed: chain })).toEqual([])
    const circle = [passed('src/a.ts', '*', './b.js', '*'), passed('src/b.ts', '*', './a.js', '*')]
    expect(resolve(use({ name: 'none', module: './a.js' }), definitions, { passed: circle })).toEqual([])
  })

  it('follows a bounded number of files that re-export a name', () => {
    const passing = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...{ path: `src/p${i}.ts`, name: '*', original: '*', language: 'typescript' },
        module: i === count - 1 ? './deep.js' : `./p${i + 1}.js`,
      }))
    const found = (count: number) =>
      resolve(use({ module: './p0.js' }), [node(2, 'src/deep.ts', { scope: 'Store' })], { passed: passing(count) })
    expect([found(3), found(4)]).toEqual([[[2, 1]], []])
  })

  it('falls back to all definitions if a module of the project has no matching file', () => {
    const free = node(2, 'lib/x.ts')
    const member = node(3, 'lib/y.ts', { scope: 'Store' })
    expect(resolve(use({ module: './gone.js' }), [free, member])).toEqual([[2, 0.5]])
    expect(resolve(use({ module: './gone.js', within: 'Store' }), [free, member])).toEqual([[3, 0.5]])
    expect(resolve(use({ module: './gone.js', name: 'default' }), [node(2, 'lib/x.ts', { name: 'default' })])).toEqual([])
  })

  it('resolves an inherited member through types that the file mentions', () => {
    const members = [node(2, 'src/x.ts', { scope: 'Base' }), node(3, 'src/y.ts', { scope: 'outer()' }), node(4, 'src/z.ts')]
    expect(resolve(use({ within: 'Derived' }), members, { mentions: ['Base', 'outer()'] })).toEqual([[2, 0.3]])
  })

  it('finds a member only through its own module, and a name that is the last step of its module', () => {
    const chain = [{ path: 'src/index.ts', name: '*', module: './deep.js', original: '*', language: 'typescript' }]
    const member = node(2, 'src/deep.ts', { scope: 'Store' })
    expect(resolve(use({ module: './index.js', within: 'Store' }), [member], { passed: chain })).toEqual([[2, 0.5]])
    const python = { language: 'python', path: 'app/main.py' }
    expect(resolve(use({ ...python, module: 'app.loader.load' }), [node(2, 'app/loader.py', { language: 'python' })])).toEqual([[2, 1]])
    expect(resolve(use({ within: 'files' }), [node(2, 'src/files.ts'), node(3, 'src/other.ts')])).toEqual([[2, 1]])
  })

  it('looks up a bare name of Go in its folder only', () => {
    const go = { language: 'go' }
    const definitions = [node(2, 'app/b.go', go), node(3, 'lib/b.go', go), node(4, 'app/sub/b.go', go), node(5, 'apx/b.go', go)]
    expect(resolve(use({ ...go, path: 'app/a.go' }), definitions)).toEqual([[2, 1]])
  })

  it('shares the weight among four definitions and gives up at five', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => node(i + 2, `src/m${i}/index.ts`, { scope: 'Store' }))
    expect(resolve(use({ within: 'Store' }), many(4))).toHaveLength(4)
    expect(resolve(use({ within: 'Store' }), many(5))).toEqual([])
    const here = (count: number) => Array.from({ length: count }, (_, i) => node(i + 2, 'src/app.ts'))
    expect([resolve(use(), here(4)).length, resolve(use(), here(5)).length]).toEqual([4, 0])
    // Definitions outside of types come before members of the same file.
    expect(resolve(use(), [node(2, 'src/app.ts', { scope: 'Store' }), node(3, 'src/app.ts')])).toEqual([[3, 1]])
    expect(resolve(use(), [node(2, 'src/app.ts', { scope: 'Store' })])).toEqual([[2, 1]])
  })

  it('never links a passage to itself', () => {
    expect(resolve(use(), [node(1, 'src/app.ts')])).toEqual([])
  })
})
