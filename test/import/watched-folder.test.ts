import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { revise } from '../../src/engine/facts/revise.js'
import { type FolderSync, syncFolder } from '../../src/engine/transfer/folder-sync.js'
import { openMarkdownFolder } from '../../src/importers/markdown-folder.js'
import type { MarkdownFile } from '../../src/ports/markdown-folder.js'
import { openWorld, type World } from '../graph/world.js'
import { withFolder } from './read-tree.js'

interface Notes {
  readonly world: World
  readonly folder: string
  /** The page of the entity Gateway. */
  readonly page: string
  readonly id: string
  sync(author?: string | null): Promise<FolderSync>
  edit(change: (text: string) => string): Promise<void>
  texts(): Promise<readonly (readonly [string, string])[]>
}

async function withNotes(check: (notes: Notes) => Promise<void>): Promise<void> {
  const world = await openWorld()
  try {
    await withFolder(async (folder) => {
      await world.node('create_node', { text: 'Gateway', node_type: 'Entity' })
      const { id } = await world.call('memory/store_memory', { content: 'Listens on port 8080', subject: 'Gateway' })
      const page = join(folder, 'default', 'gateway.md')
      const pages = openMarkdownFolder(folder)
      const sync = (author: string | null = 'ann') =>
        syncFolder(world.engine.context(), pages, new Map(), { selection: {}, author: author ?? undefined })
      await sync()
      await check({
        ...{ world, folder, page, id: String(id), sync },
        edit: async (change) => writeFile(page, change(await readFile(page, 'utf8'))),
        async texts() {
          const { items } = await world.engine.context().store.pageFacts({ owner: 'default', limit: 100 })
          return items.map(({ text, status }) => [text, status] as const)
        },
      })
    })
  } finally {
    await world.close()
  }
}

test('an edit is a version with the person as author, and an added item a memory about the entity of its page', () =>
  withNotes(async ({ world, id, sync, edit, page }) => {
    await edit((text) => text.replace('8080', '9090').replace('# Gateway\n', '# Gateway\n\n- Written in Rust\n'))
    expect(await sync()).toMatchObject({ revised: 1, added: 1, conflicts: 0 })
    const [fact] = await world.engine.context().store.facts([id])
    expect(fact).toMatchObject({ text: 'Listens on port 9090', author: 'ann', version: 2 })
    const { items } = await world.engine.context().store.pageFacts({ owner: 'default', limit: 100 })
    expect(items.find(({ text }) => text === 'Written in Rust')).toMatchObject({ subject: 'Gateway', author: 'ann' })
    expect(await readFile(page, 'utf8')).toMatch(/- Written in Rust \^\w+/)
    expect(await sync()).toMatchObject({ revised: 0, added: 0, written: 0 })
  }))

test('an edit of what was changed in the memory as well waits as a candidate', () =>
  withNotes(async ({ world, id, sync, edit, texts, page }) => {
    await revise(world.engine.context(), 'agent', { id, change: (fact) => ({ ...fact, text: 'Listens on port 7070' }) })
    await edit((text) => text.replace('8080', '9090'))
    expect(await sync()).toMatchObject({ revised: 0, conflicts: 1 })
    const both = [
      ['Listens on port 7070', 'active'],
      ['Listens on port 9090', 'candidate'],
    ]
    expect(await texts()).toEqual(both)
    expect(await readFile(page, 'utf8')).toContain('- Listens on port 9090 ^')
    expect(await sync()).toMatchObject({ conflicts: 0, written: 0 })
    expect(await texts()).toEqual(both)
  }))

test('an edit that was stored while its page was not rewritten is no conflict, with or without a memory of it', () =>
  withNotes(async ({ sync, edit, texts, page }) => {
    await edit((text) => text.replace('8080', '9090'))
    const edited = await readFile(page, 'utf8')
    await sync()
    // As after a kill between the commit and the page.
    await writeFile(page, edited)
    expect(await sync()).toMatchObject({ revised: 0, conflicts: 0, written: 1 })
    expect(await texts()).toEqual([['Listens on port 9090', 'active']])
  }))

test('line ends of Windows, a byte order mark and a page without its comment end no memory', () =>
  withNotes(async ({ sync, edit, texts }) => {
    await edit((text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`)
    expect(await sync()).toMatchObject({ revised: 0, ended: 0, conflicts: 0, added: 0 })
    await edit((text) => text.slice(0, text.indexOf('<!--')))
    expect(await sync()).toMatchObject({ revised: 0, ended: 0, conflicts: 0, added: 0 })
    expect(await texts()).toEqual([['Listens on port 8080', 'active']])
  }))

test('text after the comment, below an item or with another list mark is read', () =>
  withNotes(async ({ world, id, sync, edit, page }) => {
    await edit((text) => `${text.replace('- Listens on port 8080', '* Listens on port 9090')}- Written in Rust\n\nOwned by Ann.\n`)
    expect(await sync()).toMatchObject({ revised: 1, added: 2, ended: 0, conflicts: 0 })
    const written = await readFile(page, 'utf8')
    expect(written).toMatch(/- Written in Rust \^\w+\n- Owned by Ann\. \^\w+\n/)
    await edit((text) => text.replace(`9090 ^${id}\n`, `9090 ^${id}\nand on 9091.\n`))
    expect(await sync()).toMatchObject({ revised: 1, added: 0, ended: 0 })
    const [fact] = await world.engine.context().store.facts([id])
    expect(fact).toMatchObject({ text: 'Listens on port 9090\nand on 9091.', version: 3 })
    expect(await sync()).toMatchObject({ revised: 0, added: 0, written: 0 })
  }))

test('a deleted page comes back', () =>
  withNotes(async ({ sync, texts, page }) => {
    await rm(page)
    expect(await sync()).toMatchObject({ ended: 0, written: 1 })
    expect(await texts()).toEqual([['Listens on port 8080', 'active']])
  }))

test('a deleted item ends its memory', () =>
  withNotes(async ({ sync, edit, texts }) => {
    await edit((text) => text.replace(/- Listens.*\n/, ''))
    expect(await sync()).toMatchObject({ ended: 1 })
    expect(await texts()).toEqual([['Listens on port 8080', 'outdated']])
  }))

test('edits that are not read and edits that cannot be stored are kept aside before their page is rewritten', () =>
  withNotes(async ({ folder, sync, edit, texts }) => {
    await edit((text) => text.replace('# Gateway', '# The gateway'))
    await sync()
    await edit((text) => text.replace('8080', '80\0'))
    expect((await sync()).refused).toEqual([{ page: 'default/gateway.md', problem: expect.stringContaining('NUL') }])
    const kept = join(folder, '.mneme-edits', 'default')
    const copies = await Promise.all((await readdir(kept)).map((name) => readFile(join(kept, name), 'utf8')))
    expect(copies.some((text) => text.includes('# The gateway'))).toBe(true)
    expect(copies.some((text) => text.includes('80\0'))).toBe(true)
    expect(await texts()).toEqual([['Listens on port 8080', 'active']])
  }))

test('with one direction, an edited page is set aside and rewritten', () =>
  withNotes(async ({ folder, page, sync, edit, texts }) => {
    await edit((text) => text.replace('8080', '9090'))
    expect(await sync(null)).toMatchObject({ revised: 0, written: 1 })
    expect(await readFile(page, 'utf8')).toContain('8080')
    expect(await readdir(join(folder, '.mneme-edits', 'default'))).toHaveLength(1)
    expect(await texts()).toEqual([['Listens on port 8080', 'active']])
  }))

test('a page that is edited while it is compared, and one that is no UTF-8, stay as they are', () =>
  withNotes(async ({ folder, page }) => {
    const pages = openMarkdownFolder(folder)
    const since = await pages.read()
    await writeFile(page, 'the person is writing')
    await writeFile(join(folder, 'default', 'latin.md'), Buffer.from([0x63, 0xe9]))
    async function* files(): AsyncGenerator<MarkdownFile> {
      yield { path: 'default/gateway.md', text: 'new' }
      yield { path: 'default/latin.md', text: 'new' }
    }
    expect(await pages.write(files(), new AbortController().signal, since)).toMatchObject({ left: 2, written: 0 })
    expect(await readFile(page, 'utf8')).toBe('the person is writing')
    expect((await pages.read()).unread).toEqual(['default/gateway.md', 'default/latin.md'])
  }))

test('pages are written through no link, neither of a page nor of a folder', () =>
  withFolder(async (folder) => {
    const victim = join(folder, 'victim')
    await writeFile(victim, 'untouched')
    await mkdir(join(folder, 'notes', 'default'), { recursive: true })
    const page = join(folder, 'notes', 'default', 'a.md')
    await symlink(victim, page)
    await symlink(victim, `${page}.partial`)
    const file = async function* (path: string): AsyncGenerator<MarkdownFile> {
      yield { path, text: 'page' }
    }
    const pages = openMarkdownFolder(join(folder, 'notes'))
    await pages.write(file('default/a.md'), new AbortController().signal)
    expect([await readFile(victim, 'utf8'), await readFile(page, 'utf8')]).toEqual(['untouched', 'page'])
    expect((await lstat(page)).isFile()).toBe(true)
    await symlink(folder, join(folder, 'notes', 'ann'))
    await expect(pages.write(file('ann/victim'), new AbortController().signal)).rejects.toThrow('is a link')
    expect(await readFile(victim, 'utf8')).toBe('untouched')
  }))
