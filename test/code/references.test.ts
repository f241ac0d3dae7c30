import { afterAll, describe, expect, it } from 'vitest'
import { openReadings } from './readings.js'

const { outliner, definitionsOf, referencesOf } = openReadings()
afterAll(() => outliner.close())

describe('outlines', () => {
  it('name definitions without a plain name', async () => {
    expect(await definitionsOf('c', 'int (*pick(int a))(int) {\n  return 0;\n}\n')).toEqual(['function pick 1-3'])
    expect(
      await definitionsOf(
        'csharp',
        'class V {\n  public static V operator +(V a, V b) { return a; }\n  public static implicit operator int(V v) { return 1; }\n}\n',
      ),
    ).toEqual(['class V 1-4', 'function V.operator + 2-2', 'function V.operator int 3-3'])
    expect(await definitionsOf('typescript', 'export default class {\n  go() {}\n}\n')).toEqual([
      'class default 1-3',
      'function default.go 2-2',
    ])
    expect(await definitionsOf('javascript', 'export default () => {\n  run()\n}\n')).toEqual(['function default 1-3'])
  })

  it('list re-exports and bindings of a file', async () => {
    expect(
      await referencesOf(
        'typescript',
        "import * as ns from './n'\nimport type { T } from './t'\nimport './side'\nexport * from './all'\nexport { a as b, c }\nexport default a\n",
      ),
    ).toEqual([
      'imports n as ns from ./n',
      'imports T from ./t',
      'imports side from ./side',
      'imports all from ./all',
      'exports * from ./all',
      'exports a as b',
      'exports a as default',
    ])
    expect(
      await referencesOf('javascript', "const { a, b: c, d = 1 } = require('./u')\nconst m = await import('./m')\nrequire('./side')\n"),
    ).toEqual(['imports a from ./u', 'imports b as c from ./u', 'imports d from ./u', 'imports m from ./m', 'imports side from ./side'])
    expect(await referencesOf('rust', 'pub use crate::b::build as make;\n')).toEqual([
      'imports build as make from crate::b::build',
      'exports build as make from crate::b::build',
    ])
  })

  it('keep the receiver of a call if it is a name', async () => {
    expect(await referencesOf('typescript', 'a?.b(); x.y().z(); [1].map(f); JSON.parse(s); new ns.Thing<T>(); this.x!.go()\n')).toEqual([
      'calls a > b',
      'calls ? > z',
      'calls x > y',
      'calls ? > map',
      'calls JSON > parse',
      'calls ns > Thing',
      'calls this.x > go',
    ])
    expect(await referencesOf('ruby', 'Foo.bar(1)\n@x.go\nhelp(1)\n')).toEqual(['calls Foo > bar', 'calls ? > go', 'calls help'])
    expect(await referencesOf('php', '<?php A\\B::make(); $o->run(); self::go();\n')).toEqual([
      'calls A::B > make',
      'calls o > run',
      'calls self > go',
    ])
  })
})
