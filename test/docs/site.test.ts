import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { gatherPages, pagePaths } from '../../scripts/site-pages.mjs'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'

const LINK = /!?\[[^\]\n]*\]\(([^)\s]+)\)/g

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dependencies?: Readonly<Record<string, string>>
        readonly optionalDependencies?: Readonly<Record<string, string>>
      }
    >
  >
}

/** Dependencies of packages in a lockfile for which it has no entry: `npm ci` refuses such a lockfile. */
function missingFrom(path: string): readonly string[] {
  const { packages }: Lock = JSON.parse(readFileSync(path, 'utf8'))
  const names = new Set(Object.keys(packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)))
  return Object.entries(packages).flatMap(([place, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => (names.has(name) ? [] : [`${place}: ${name}`])),
  )
}

afterAll(removeTemporaryFolders)

describe('the documentation site', () => {
  it('has every page and image that its pages name', () => {
    const target = temporaryFolder()
    gatherPages(process.cwd(), target)
    const missing: string[] = []
    for (const path of pagePaths(process.cwd()).map((page) => page.replace(/README\.md$/, 'index.md'))) {
      const prose = readFileSync(join(target, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
      for (const [, href = ''] of prose.matchAll(LINK)) {
        const [named = ''] = href.split('#')
        if (/^[a-z]+:/i.test(href) || named === '' || named.endsWith('bench/REPORT.md')) continue
        if (!existsSync(join(target, posix.join(dirname(path), named)))) missing.push(`${path}: ${href}`)
      }
    }
    expect(missing).toEqual([])
  })

  it.each(['site/package-lock.json', 'packages/package-lock.json', 'package-lock.json'])(
    'installs from a complete lockfile: %s',
    (path) => {
      expect(missingFrom(path)).toEqual([])
    },
  )
})
