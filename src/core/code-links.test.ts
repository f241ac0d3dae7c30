import { describe, expect, it } from 'vitest'
import { type NameUse, resolveUse } from './code-links.js'

const use = (given: Partial<NameUse> = {}): NameUse => ({ rid: 1, name: 'load', path: 'src/app.ts', kind: 'calls', ...given })
const at = (rid: number, path: string) => ({ rid, name: 'load', path })

describe('resolveUse', () => {
  it('prefers the same file', () => {
    expect(resolveUse(use(), [at(2, 'src/other.ts'), at(3, 'src/app.ts')], [])).toEqual([{ rid: 3, weight: 1 }])
  })

  it('follows an import to its file, also through a folder that has one file standing for it', () => {
    const definitions = [at(2, 'src/files/index.ts'), at(3, 'lib/other.ts')]
    expect(resolveUse(use(), definitions, ['./files/index.js'])).toEqual([{ rid: 2, weight: 1 }])
    expect(resolveUse(use(), definitions, ['./files'])).toEqual([{ rid: 2, weight: 1 }])
    expect(resolveUse(use({ path: 'app/main.py' }), [at(2, 'app/loader.py'), at(3, 'app/x.py')], ['app.loader'])).toEqual([
      { rid: 2, weight: 1 },
    ])
  })

  it('shares the weight where few may be meant, and gives up where many may', () => {
    expect(resolveUse(use(), [at(2, 'a.ts'), at(3, 'b.ts')], [])).toEqual([
      { rid: 2, weight: 0.5 },
      { rid: 3, weight: 0.5 },
    ])
    expect(
      resolveUse(
        use(),
        [2, 3, 4, 5, 6].map((rid) => at(rid, `${rid}.ts`)),
        [],
      ),
    ).toEqual([])
  })

  it('does not take a name of another package for one of the project', () => {
    expect(resolveUse(use(), [at(2, 'src/x.ts')], ['lodash'])).toEqual([])
  })

  it('never links a passage to itself', () => {
    expect(resolveUse(use(), [at(1, 'src/app.ts')], [])).toEqual([])
  })
})
