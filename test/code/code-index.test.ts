import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Source } from '../../src/core/facts/source.js'
import type { FileChange } from '../../src/core/journal/change.js'
import type { Backend } from '../../src/ports/backend.js'
import { openRam } from '../memory-backend/open.js'
import { freshDatabase, openAt, SERVER } from '../postgres/server.js'
import { removeTemporaryFolders, temporaryFolder } from './workbench.js'

// What every backend must return about code, in one sequence: files are added, changed, kept, skipped and removed.
let instant = 0
const clock = { now: () => ++instant }
const backends: readonly (readonly [string, () => Promise<Backend>])[] = [
  ['ram', () => openRam({ clock })],
  ['sqlite', () => openSqlite({ directory: temporaryFolder('data'), clock, busyTimeoutMs: 1000 })],
  ...(SERVER === undefined ? [] : [['postgres', async () => openAt(await freshDatabase(), clock)] as const]),
]
afterAll(removeTemporaryFolders)

const project: Source = {
  id: 's',
  owner: 'default',
  kind: 'repo',
  title: 'app',
  origin: '/app',
  fingerprint: '',
  status: 'active',
  metadata: { index: 'completed' },
  createdAt: 1,
  updatedAt: 1,
  version: 1,
}

const file = (
  path: string,
  parts: Readonly<Record<string, string>>,
  uses: readonly { from: string; name: string; kind?: 'calls' | 'imports'; module?: string }[] = [],
): FileChange => {
  const names = Object.keys(parts)
  return {
    path,
    size: 1,
    modifiedAt: 1,
    hash: JSON.stringify(parts),
    gone: false,
    passages: Object.entries(parts).map(([name, text], ordinal) => ({
      id: `${path}:${name}:${text}`,
      owner: 'default',
      sourceId: 's',
      path,
      ordinal,
      text,
      kind: 'function',
      language: 'typescript',
      name,
      scopePath: null,
      startLine: ordinal + 1,
      endLine: ordinal + 1,
      hash: text,
      embedText: text,
    })),
    references: [
      ...names.map((name, ordinal) => ({ ordinal, kind: 'defines' as const, name, module: null })),
      ...uses.map((use) => ({
        ordinal: names.indexOf(use.from),
        kind: use.kind ?? ('calls' as const),
        name: use.name,
        module: use.module ?? null,
      })),
    ],
  }
}

const put = (backend: Backend, version: number, files: readonly FileChange[]) =>
  backend.store.commit({ actor: 'test', owners: ['default'] }, () => [{ op: 'source.put', source: { ...project, version }, files }])

async function found(backend: Backend, words: readonly string[], names: readonly string[] = []): Promise<readonly string[]> {
  const answer = await backend.code.search({
    terms: words,
    fields: { title: 1, text: 1, near: 0, far: 0 },
    vector: undefined,
    rough: new Float32Array(1),
    names,
    pool: { sources: ['s'] },
    limit: 10,
  })
  const rids = answer.candidates.filter((candidate) => candidate.bm25 > 0 || candidate.defines.length > 0).map((candidate) => candidate.rid)
  return (await backend.code.passages(rids)).map(({ passage }) => passage.name ?? '').sort()
}

describe.each(backends)('code in %s', (_name, open) => {
  it('is found while it exists', async () => {
    const backend = await open()
    await put(backend, 1, [
      file('a.ts', { alpha: 'apple pear', beta: 'plum' }),
      file('b.ts', { gamma: 'cherry' }),
      { ...file('c.ts', {}), skipped: 'minified' },
    ])
    expect(await backend.code.tally('s')).toEqual({ files: 2, passages: 3, embedded: 0, skipped: { minified: 1 } })
    expect(await found(backend, ['pear'])).toEqual(['alpha'])
    const kept = await backend.code.find('a.ts:alpha:apple pear')
    await put(backend, 2, [file('a.ts', { extra: 'quince', alpha: 'apple pear' }), { ...file('b.ts', {}), size: 9, kept: true }])
    expect(await found(backend, ['plum'])).toEqual([])
    expect(await found(backend, ['cherri'], ['alpha'])).toEqual(['alpha', 'gamma'])
    expect(await backend.code.find('a.ts:alpha:apple pear')).toMatchObject({ rid: kept?.rid, passage: { ordinal: 1, startLine: 2 } })
    expect((await backend.code.files('s')).get('b.ts')).toMatchObject({ size: 9 })
    await put(backend, 3, [{ ...file('a.ts', {}), gone: true }])
    expect([await found(backend, ['pear']), [...(await backend.code.files('s')).keys()].sort()]).toEqual([[], ['b.ts', 'c.ts']])
    await backend.store.commit({ actor: 'test', owners: ['default'] }, () => [{ op: 'source.delete', id: 's', owner: 'default' }])
    expect([await found(backend, ['cherri']), await backend.code.projects()]).toEqual([[], []])
    await backend.close()
  })

  it('is linked by the names it uses, in both directions', async () => {
    const backend = await open()
    await put(backend, 1, [
      file('a.ts', { caller: 'x' }, [
        { from: 'caller', name: 'load', module: './b.js' },
        { from: 'caller', name: 'load', kind: 'imports', module: './b.js' },
      ]),
      file('b.ts', { load: 'y' }),
      file('c.ts', { load: 'z' }),
    ])
    const rid = async (id: string) => (await backend.code.find(id))?.rid ?? 0
    const [caller, meant] = [await rid('a.ts:caller:x'), await rid('b.ts:load:y')]
    const link = (kind: string) => ({ from: caller, to: meant, kind, name: 'load', weight: 1 })
    for (const [start, direction] of [
      [caller, 'outgoing'],
      [meant, 'incoming'],
    ] as const) {
      const links = await backend.code.links([start], direction)
      expect([...links].sort((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([link('calls'), link('imports')])
    }
    expect(await backend.code.links([await rid('c.ts:load:z')], 'incoming')).toEqual([])
    await backend.close()
  })
})
