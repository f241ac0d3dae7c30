import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Engine } from '../../src/engine/engine.js'
import { call, makeProject, open, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const PROJECT = {
  'ts/auth/token.ts': 'export function verify(token: string) {\n  return token.length > 3\n}\n',
  'ts/auth/barrel.ts': "export { verify as thing } from './token.js'\n",
  'ts/pay/verify.ts': 'export function verify(card: string) {\n  return card.length > 16\n}\n',
  'ts/index.ts': "export * from './auth/token.js'\n",
  'ts/dflt.ts': 'export default function (a: number) {\n  return a\n}\n',
  'ts/user.ts': 'export default class User {\n  static make() {\n    return new User()\n  }\n}\n',
  'ts/names.ts':
    'export class Cache {\n  get(key: string) {\n    return key\n  }\n}\nexport function parse(x: string) {\n  return x\n}\nexport function map(x: string) {\n  return x\n}\n',
  'ts/cls.ts': `export class Alpha {
  save() {
    return ${'1 + '.repeat(600)}1
  }
  other() {
    return this.save()
  }
}

export class Beta {
  save() {
    return ${'2 + '.repeat(600)}2
  }
  more() {
    return this.save()
  }
}
`,
  'ts/app.ts': `import { verify as checkToken } from './auth/token.js'
import * as pay from './pay/verify'
import { thing } from '@/auth/barrel'
import { verify } from './index.js'
import anything from './dflt.js'
import Person from './user.js'
import { Alpha } from './cls.js'

export function login(t: string) {
  return checkToken(t)
}
export function charge(c: string) {
  return pay.verify(c)
}
export function viaBarrel(c: string) {
  return thing(c)
}
export function viaIndex(c: string) {
  return verify(c)
}
export function useDefault() {
  return anything(3)
}
export function useUser() {
  return new Person()
}
export function useAlpha() {
  const a = new Alpha()
  return a.save()
}
export function useOthers(m: Map<string, string>) {
  m.get('x')
  return [JSON.parse('1')].map((x) => x)
}
`,
  'ts/paths.ts': "import { verify } from '@app/auth/token'\nexport function viaPaths(c: string) {\n  return verify(c)\n}\n",
  'cjs/a.js': "const { sendMail } = require('./u')\nfunction run() {\n  return sendMail(1)\n}\n",
  'cjs/b.js': "const v = require('./v')\nfunction runv() {\n  return v.sendMail(1)\n}\n",
  'cjs/u.js': 'function sendMail(x) {\n  return x\n}\nmodule.exports = { sendMail }\n',
  'cjs/v.js': 'function sendMail(x) {\n  return -x\n}\nmodule.exports = { sendMail }\n',
  'py/main.py': `from pkg.a import load
from pkg import b
import pkg.b as bb
from pkg.b import load as load_b
from pkg import offered

def use_a():
    return load(1)

def use_b():
    return b.load(1)

def use_bb():
    return bb.load(1)

def use_alias():
    return load_b(1)

def use_offered():
    return offered(1)
`,
  'py/pkg/__init__.py': 'from .a import load as offered\n',
  'py/pkg/a.py': 'def load(x):\n    return x\n',
  'py/pkg/b.py': 'def load(x):\n    return -x\n',
  'py/pkg/rel.py': 'from .b import load\nfrom . import a\n\ndef rel_b():\n    return load(1)\n\ndef rel_a():\n    return a.load(1)\n',
  'go/main.go':
    'package main\n\nimport (\n\t"ex.com/m/store"\n\tc "ex.com/m/cache"\n)\n\nfunc useStore() {\n\tstore.Open("x")\n}\n\nfunc useCache() {\n\tc.Open("x")\n}\n',
  'go/store/open.go': 'package store\n\nfunc Open(p string) error {\n\treturn nil\n}\n',
  'go/cache/cache.go': 'package cache\n\nfunc Open(p string) error {\n\treturn nil\n}\n',
  'rs/src/main.rs':
    'mod a;\nmod b;\nuse crate::b::build;\n\nfn with_b() -> i32 {\n    build()\n}\n\nfn with_a() -> i32 {\n    a::build()\n}\n',
  'rs/src/a.rs': 'pub fn build() -> i32 {\n    1\n}\n',
  'rs/src/b.rs': 'pub fn build() -> i32 {\n    2\n}\n',
  'java/com/x/One.java': 'package com.x;\npublic class One {\n  public static int go() {\n    return 1;\n  }\n}\n',
  'java/com/y/Two.java': 'package com.y;\npublic class Two {\n  public static int go() {\n    return 2;\n  }\n}\n',
  'java/com/z/Use.java': 'package com.z;\nimport com.y.Two;\npublic class Use {\n  int b() {\n    return Two.go();\n  }\n}\n',
  'sh/run.sh': 'parse() {\n  echo "$1"\n}\n',
}

const results = z.object({ results: z.array(z.looseObject({ id: z.string(), name: z.string().optional() })) })
const related = z.object({
  entities: z.array(z.looseObject({ id: z.string(), name: z.string(), file_path: z.string() })),
  relations: z.array(z.looseObject({ from_entity: z.string(), to_entity: z.string(), relation_type: z.string(), weight: z.number() })),
})

describe('a link of code', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await open(temporaryFolder())
    await call(engine, 'index_project', { path: makeProject('links', PROJECT) })
  })
  afterAll(async () => {
    await engine.close()
    removeTemporaryFolders()
  })

  const linked = async (path: string, name: string, direction: 'outgoing' | 'incoming'): Promise<readonly string[]> => {
    const found = results.parse(await call(engine, 'search_code', { query: name, path, limit: 50 })).results
    const id = found.find((entry) => entry.name === name)?.id
    const { entities, relations } = related.parse(await call(engine, 'get_related', { entity_id: id, direction }))
    const placed = new Map(entities.map((entity) => [entity.id, `${entity.file_path} ${entity.name}`]))
    return relations
      .map((link) => `${link.relation_type} ${placed.get(direction === 'outgoing' ? link.to_entity : link.from_entity)} ${link.weight}`)
      .sort()
  }

  it.each([
    ['ts/app.ts', 'login', ['calls ts/auth/token.ts verify 1']],
    ['ts/app.ts', 'charge', ['calls ts/pay/verify.ts verify 1']],
    ['ts/app.ts', 'viaBarrel', ['calls ts/auth/token.ts verify 1']],
    ['ts/app.ts', 'viaIndex', ['calls ts/auth/token.ts verify 1']],
    ['ts/app.ts', 'useDefault', ['calls ts/dflt.ts default 1']],
    ['ts/app.ts', 'useUser', ['calls ts/user.ts User 1']],
    ['ts/app.ts', 'useAlpha', ['calls ts/cls.ts Alpha 1', 'calls ts/cls.ts Alpha.save 0.3']],
    ['ts/app.ts', 'useOthers', []],
    ['ts/paths.ts', 'viaPaths', ['calls ts/auth/token.ts verify 1']],
    ['cjs/a.js', 'run', ['calls cjs/u.js sendMail 1']],
    ['cjs/b.js', 'runv', ['calls cjs/v.js sendMail 1']],
    ['py/main.py', 'use_a', ['calls py/pkg/a.py load 1']],
    ['py/main.py', 'use_b', ['calls py/pkg/b.py load 1']],
    ['py/main.py', 'use_bb', ['calls py/pkg/b.py load 1']],
    ['py/main.py', 'use_alias', ['calls py/pkg/b.py load 1']],
    ['py/main.py', 'use_offered', ['calls py/pkg/a.py load 1']],
    ['py/pkg/rel.py', 'rel_b', ['calls py/pkg/b.py load 1']],
    ['py/pkg/rel.py', 'rel_a', ['calls py/pkg/a.py load 1']],
    ['go/main.go', 'useStore', ['calls go/store/open.go Open 1']],
    ['go/main.go', 'useCache', ['calls go/cache/cache.go Open 1']],
    ['rs/src/main.rs', 'with_b', ['calls rs/src/b.rs build 1']],
    ['rs/src/main.rs', 'with_a', ['calls rs/src/a.rs build 1']],
    ['java/com/z/Use.java', 'Use', ['calls java/com/y/Two.java Two 1']],
  ])('%s %s', async (path, name, expected) => {
    expect(await linked(path, name, 'outgoing')).toEqual(expected)
  })

  it('are followed back through other names', async () => {
    const uses = await linked('ts/auth/token.ts', 'verify', 'incoming')
    for (const name of ['login', 'viaBarrel', 'viaIndex']) expect(uses).toContain(`calls ts/app.ts ${name} 1`)
    expect(uses).not.toContain('calls ts/app.ts charge 1')
    expect(await linked('ts/user.ts', 'User', 'incoming')).toContain('calls ts/app.ts useUser 1')
  })
})
