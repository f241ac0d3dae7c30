import { expect, test } from 'vitest'
import { moduleFit } from './modules.js'

const fits = (module: string, path: string, input: { language?: string; name?: string; from?: string } = {}): number =>
  moduleFit(module, input.name ?? 'load', { path, language: input.language ?? 'typescript' }, input.from ?? 'src/app.ts')

test.each([
  ['./files', 'src/files.ts', 100],
  ['./files', 'src/files/index.ts', 100],
  ['./files/index', 'src/files/index.ts', 100],
  ['./index', 'src/index.ts', 100],
  ['../lib/files.js', 'lib/files.d.ts', 100],
  ['./files', 'lib/files.ts', 0],
  // Of other specifiers the last steps count.
  ['app/src/files', 'src/files.ts', 2],
  ['files', 'src/files.ts', 1],
  ['src/files/more/steps', 'steps.ts', 1],
  ['lodash', 'src/files.ts', 0],
  ['a/src/files', 'a/src/files.ts', 3],
  ['index', 'index.ts', 1],
])('%s fits %s: %i', (module, path, expected) => {
  expect(fits(module, path)).toBe(expected)
})

test('matches a name that is the last step of its module, as a module or as a member', () => {
  const python = { language: 'python', from: 'app/main.py' }
  expect(fits('app.loader.load', 'app/loader.py', python)).toBe(2)
  expect(fits('app.loader.other', 'app/loader.py', python)).toBe(0)
  expect(fits('.loader.load', 'app/loader.py', python)).toBe(100)
  expect(fits('.loader.other', 'app/loader.py', python)).toBe(0)
  expect(fits('.loader', 'app/loader.py', python)).toBe(100)
  expect(fits('..loader', 'app/loader.py', python)).toBe(0)
})

test('treats a folder as the package in Go', () => {
  expect(fits('example.com/app/store', 'app/store/any.go', { language: 'go' })).toBe(2)
})

test('keeps a top-level index file as that file', () => {
  expect(fits('./index', 'index.ts', { from: 'app.ts' })).toBe(100)
})
