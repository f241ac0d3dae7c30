import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Context } from '../src/engine/context.js'
import { findUnusedExports } from './architecture/exports.js'
import { findCycles } from './architecture/folders.js'
import { findBreaches, importsOf, type SourceFile } from './architecture/rules.js'
import { findWording } from './architecture/wording.js'

const root = join(import.meta.dirname, '..')

function readTree(folder: string, endings = /\.ts$/): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }))
}

const breachesOf = (path: string, text: string): string[] => findBreaches([{ path, text }])

describe('architecture', () => {
  it('holds in the sources and the tests', () => {
    const files = [...readTree('src'), ...readTree('test')]
    expect(files.length).toBeGreaterThan(20)
    expect(findBreaches(files)).toEqual([])
  })

  it('holds in the pages of the console, which take only types from contracts and make no markup of text', () => {
    const pages = readTree('console', /\.tsx?$/)
    expect(pages.length).toBeGreaterThan(30)
    expect(findBreaches(pages)).toEqual([])
    const page = (text: string): string[] => breachesOf('console/views/x.tsx', text)
    expect(
      page("import type { A } from '../../src/contracts/console/ask.js'\nimport { h } from 'preact'\nimport { b } from '../b.js'"),
    ).toEqual([])
    expect(page("import { a } from '../../src/contracts/console/ask.js'")).toHaveLength(1)
    expect(page("import type { A } from '../../src/engine/engine.js'")).toHaveLength(1)
    expect(page("import x from 'jquery'")).toHaveLength(1)
    expect(page('node.innerHTML = text')).toHaveLength(1)
    expect(page('const a = <p dangerouslySetInnerHTML={{ __html: text }} />')).toHaveLength(1)
  })

  it('has no words of the private language in comments and strings', () => {
    const folders = ['src', 'console', 'test', 'bench', 'scripts', 'packages', 'examples']
    const files = folders
      .flatMap((folder) => readTree(folder, /\.(?:tsx?|mjs)$/))
      .filter(({ path }) => !/\/(?:node_modules|dist)\//.test(path))
    expect(findWording(files)).toEqual([])
    const wordsIn = (text: string) => findWording([{ path: 'src/ports/x.ts', text }]).length
    expect(wordsIn('// Whoever reads this')).toBe(1)
    expect(wordsIn("const text = 'built anew'\nconst beside = 1")).toBe(1)
    expect(wordsIn('// Rebuilds the index\nconst told = 1')).toBe(0)
  })

  it('has no exported type name in more than two files, and no constant whose name says nothing', () => {
    const places = new Map<string, string[]>()
    for (const { path, text } of readTree('src'))
      for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class) (\w+)/gm))
        places.set(name, [...(places.get(name) ?? []), path])
    expect([...places].filter(([, files]) => files.length > 2)).toEqual([])
    const empty = /^(?:export )?const (?:PAGE|FEW|MOST|LONGEST|NOTHING|OVER|BESIDE|TOLD|AHEAD|COMPARED)\b/m
    const files = ['src', 'console', 'test', 'bench'].flatMap((folder) => readTree(folder, /\.tsx?$/))
    expect(files.filter(({ text }) => empty.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('exports nothing that no other file uses', () => {
    const files = ['src', 'console', 'test', 'bench', 'scripts', 'packages', 'examples'].flatMap((folder) =>
      readTree(folder, /\.(?:tsx?|mts|mjs)$/).filter(({ path }) => !/\/(?:node_modules|dist)\//.test(path)),
    )
    expect(findUnusedExports(files)).toEqual([])
    const own = { path: 'src/core/a.ts', text: 'export const a = 1\nexport const b = a' }
    expect(findUnusedExports([own, { path: 'src/core/c.ts', text: 'b' }])).toEqual(['src/core/a.ts: no other file uses a'])
  })

  it('explains each dependency in the table of DESIGN.md, and no other package', () => {
    const table = /## Dependencies\n([\s\S]*?)\nBuild and test only/.exec(readFileSync(join(root, 'DESIGN.md'), 'utf8'))?.[1] ?? ''
    const explained = [...table.matchAll(/^\| (@?[a-z][\w./-]*)(?: \(optional\))? \|/gm)].map(([, name]) => name)
    const { dependencies, optionalDependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()), optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    expect(explained.filter((name) => name !== 'package').sort()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort())
  })

  it('lets no folder import another that imports it', () => {
    expect(findCycles(readTree('src'))).toEqual([])
    const circle = [
      { path: 'src/engine/facts/a.ts', text: "import type { B } from '../edges/b.js'" },
      { path: 'src/engine/edges/b.ts', text: "import { c } from '../turns.js'" },
      { path: 'src/engine/turns.ts', text: "export * from './facts/a.js'" },
    ]
    expect(findCycles(circle)).toEqual([
      'src/engine/turns -> src/engine/facts -> src/engine/edges -> src/engine/turns: folders import each other',
    ])
    expect(findCycles(circle.slice(0, 2))).toEqual([])
  })

  it('keeps ports to seven methods', () => {
    const port = (methods: number): string =>
      `export interface P {\n${'  m(a: () => void): void\n'.repeat(methods)}  readonly field: string\n}\n`
    expect(breachesOf('src/ports/p.ts', port(7))).toEqual([])
    expect(breachesOf('src/ports/p.ts', port(8))).toEqual(['src/ports/p.ts: P has 8 methods, at most 7'])
  })

  it('keeps ports of the engine out of contracts', () => {
    const breach = 'src/contracts/memory/x.ts: reads a port of the engine; call a use case'
    for (const text of [
      'await context.graph.owners()',
      "type S = Context['statements']",
      'const { settings, view } = call.context',
      'const f = ({ embedding }: Context) => embedding',
      "import type { Environment } from '../../engine/environment.js'",
    ])
      expect(breachesOf('src/contracts/memory/x.ts', text), text).toEqual([breach])
    expect(breachesOf('src/contracts/memory/x.ts', "import type { Context } from '../../engine/context.js'\n// context.graph")).toEqual([])
    const hidden: 'backend' extends keyof Context ? never : 'hidden' = 'hidden'
    expect(hidden).toBe('hidden')
  })

  it('needs nothing compiled where Node has a SQLite of its own, in the tests either', () => {
    const users = [...readTree('src'), ...readTree('test'), ...readTree('bench')].filter(({ text }) =>
      /^import (?!type)[^\n]*'better-sqlite3'/m.test(text),
    )
    expect(users.map(({ path }) => path)).toEqual([])
  })

  it('keeps each layer to the layers below it', () => {
    expect(breachesOf('src/core/rank.ts', "import { x } from '../engine/x.js'")).toEqual([
      'src/core/rank.ts: core may not import engine (../engine/x.js)',
    ])
    expect(breachesOf('src/engine/remember.ts', "import type { Db } from '../backends/sqlite/connection.js'")).toHaveLength(1)
    expect(breachesOf('src/contracts/memory/recall.ts', "export { y } from '../../backends/sql/y.js'")).toHaveLength(1)
    expect(breachesOf('src/surfaces/mcp/server.ts', "const e = await import('../../engine/engine.js')")).toHaveLength(1)
    expect(breachesOf('src/backends/sqlite/store.ts', "import '../../engine/engine.js'")).toHaveLength(1)
    expect(breachesOf('src/models/ollama.ts', "import { loadConfig } from '../config.js'")).toHaveLength(1)
    expect(breachesOf('src/contracts/graph/search.ts', "import { z } from '../memory/recall.js'")).toHaveLength(1)
    expect(breachesOf('src/extras/thing.ts', '')).toHaveLength(1)
    expect(
      breachesOf('src/engine/recall.ts', "import { rank } from '../core/rank.js'\nimport type { Store } from '../ports/store.js'"),
    ).toEqual([])
    expect(breachesOf('src/main.ts', "import { openSqlite } from './backends/sqlite/open.js'")).toEqual([])
  })

  it('keeps packages to the layers that wrap them', () => {
    expect(breachesOf('src/core/text/text.ts', "import { readFileSync } from 'node:fs'")).toEqual([
      'src/core/text/text.ts: core may not use the package node:fs',
    ])
    expect(breachesOf('src/engine/recall.ts', "import Database from 'better-sqlite3'")).toHaveLength(1)
    expect(breachesOf('src/surfaces/http/app.ts', "import { cors } from 'hono/cors'")).toEqual([])
    expect(breachesOf('src/contracts/memory/recall.ts', "const pg = require('pg')")).toHaveLength(1)
    expect(breachesOf('src/core/text/text.test.ts', "import { it } from 'vitest'")).toEqual([])
  })

  it('refuses long files and names that say nothing', () => {
    expect(breachesOf('src/core/long.ts', 'x\n'.repeat(321))).toEqual(['src/core/long.ts: 321 lines, at most 320'])
    expect(breachesOf('src/core/long.test.ts', 'x\n'.repeat(400))).toEqual([])
    expect(breachesOf('src/core/string-utils.ts', '')).toHaveLength(1)
    expect(breachesOf('src/engine/helpers/ids.ts', '')).toHaveLength(1)
    expect(breachesOf('src/ports/types.ts', '')).toHaveLength(1)
    expect(breachesOf('src/engine/MemoryStore.ts', '')).toHaveLength(1)
    expect(breachesOf('src/backends/vector/int8-index.ts', '')).toEqual([])
  })

  it('refuses any, and clocks, chance, processes and waiting in core', () => {
    expect(breachesOf('src/engine/x.ts', 'const x: any = 1')).toHaveLength(1)
    expect(breachesOf('src/engine/x.ts', 'const x = y as any')).toHaveLength(1)
    expect(breachesOf('src/engine/x.ts', 'const x: Map<string, any> = new Map()')).toHaveLength(1)
    expect(breachesOf('src/engine/x.ts', "// any\nconst any = 'x: any'\n/* : any */")).toEqual([])
    for (const code of ['Date.now()', 'new Date()', 'Math.random()', 'process.pid', "fetch('x')", 'async () => 1', 'randomUUID()']) {
      expect(breachesOf('src/core/x.ts', `export const x = ${code}`), code).toHaveLength(1)
    }
    expect(breachesOf('src/core/x.ts', 'export const x = new Date(0)')).toEqual([])
    expect(breachesOf('src/models/x.ts', 'const key = process.env.KEY')).toHaveLength(1)
    expect(breachesOf('src/config.ts', 'const key = process.env.KEY')).toEqual([])
  })

  it('refuses regular expressions that are not made of constants', () => {
    const breach = 'src/core/x.ts: builds a regular expression from something other than constants'
    const from = (name: string) => ['$', '{', name, '}'].join('')
    for (const code of [
      'new RegExp(pattern)',
      `RegExp(\`^${from('escaped')}$\`, 'u')`,
      `new RegExp(\`${from('HEAD')}${from('input.path')}\`)`,
      "new RegExp('a' + b)",
    ])
      expect(breachesOf('src/core/x.ts', `export const x = ${code}`), code).toEqual([breach])
    for (const code of [
      `new RegExp(\`^${from('HEAD')}(?:${from('TAIL')})?$\`, 'u')`,
      "RegExp('a|b')",
      '/^new RegExp(x)$/',
      "'new RegExp(x)'",
    ])
      expect(breachesOf('src/core/x.ts', `export const x = ${code}`), code).toEqual([])
  })

  it('sees imports of every form, and none in comments', () => {
    const text = `
      import a from 'a'
      import {
        b,
      } from "b"
      export * from 'c'
      // import x from 'x'
      /* import y from 'y' */
      import 'd'
      const quote = /['"]/
      const e = await import('e')
    `
    expect(importsOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})
