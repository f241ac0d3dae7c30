import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact } from '../../src/core/facts/fact.js'
import { isCurrentStatus } from '../../src/core/facts/validity.js'
import { unknownFact } from '../../src/engine/console/corrections.js'
import { forget, invalidate, revise } from '../../src/engine/facts/revise.js'
import type { AppliedEdits } from '../../src/engine/transfer/folder-edits.js'
import { syncFolder } from '../../src/engine/transfer/folder-sync.js'
import { openMarkdownFolder } from '../../src/importers/markdown-folder.js'
import { openWorld, type World } from '../graph/world.js'
import { runs } from '../runs.js'
import { withFolder } from './read-tree.js'

const RUNS = runs(10, 300)

/** Steps of a history. Numbers choose among what is there. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('person edits' as const), at: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('person adds' as const), at: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('person removes' as const), at: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('person moves' as const), at: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('memory edits' as const), at: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('memory adds' as const), at: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('memory ends' as const), at: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('memory deletes' as const), at: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('memory changes importance' as const), at: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sync' as const), at: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), at: fc.constant(0) }) },
)

interface Item {
  readonly id: string | undefined
  readonly text: string
}

/** What the oracle knows of one fact since the folder was last in step. */
interface Sides {
  text: string
  person?: string | 'removed'
  memory?: string | 'ended' | 'deleted'
}

const ITEM = /^- (t\d+(?: x\d+)?)(?: \^(\S+))?$/

/** A folder, a memory, and an oracle that follows both sides without reading the code. */
class History {
  readonly applied: { current: AppliedEdits } = { current: new Map() }
  /** Facts by id as both sides agree, and what each did since. */
  readonly sides = new Map<string, Sides>()
  /** Every text that a person or the memory stored, unless that side replaced it itself. */
  readonly conflicts: string[] = []
  readonly written = new Set<string>()
  #next = 0

  constructor(
    readonly world: World,
    readonly folder: string,
  ) {}

  text = (): string => `t${++this.#next}`

  async pages(): Promise<readonly string[]> {
    const names = await readdir(join(this.folder, 'default')).catch(() => [])
    return names.filter((name) => name.endsWith('.md') && name !== 'index.md').sort()
  }

  async items(): Promise<readonly (Item & { readonly page: string; readonly line: string })[]> {
    const found = []
    for (const page of await this.pages())
      for (const line of (await readFile(join(this.folder, 'default', page), 'utf8')).split('\n')) {
        const match = ITEM.exec(line)
        if (match !== null) found.push({ page, line, id: match[2], text: match[1] ?? '' })
      }
    return found
  }

  async replaceLine(page: string, line: string, by: string | undefined): Promise<void> {
    const path = join(this.folder, 'default', page)
    const lines = (await readFile(path, 'utf8')).split('\n')
    const at = lines.indexOf(line)
    lines.splice(at, 1, ...(by === undefined ? [] : [by]))
    await writeFile(path, lines.join('\n'))
  }

  async addLine(page: string, line: string): Promise<void> {
    const path = join(this.folder, 'default', page)
    const lines = (await readFile(path, 'utf8')).split('\n')
    const title = lines.findIndex((text) => text.startsWith('# '))
    lines.splice(title + 2, 0, line)
    await writeFile(path, lines.join('\n'))
  }

  async facts(): Promise<readonly Fact[]> {
    const { items } = await this.world.engine.context().store.pageFacts({ owner: 'default', limit: 2000 })
    return items
  }

  async sync(): Promise<void> {
    const sync = await syncFolder(this.world.engine.context(), openMarkdownFolder(this.folder), this.applied.current, {
      selection: { owner: 'default' },
      author: 'ann',
    })
    expect(sync.left).toBe(0)
    expect(sync.refused).toEqual([])
  }
}

async function take(history: History, { do: what, at }: { readonly do: string; readonly at: number }): Promise<void> {
  const { world, sides, written } = history
  const context = world.engine.context()
  const known = [...sides].filter(([, side]) => side.memory !== 'deleted' && side.memory !== 'ended')
  const chosen = known[at % Math.max(1, known.length)]
  const items = await history.items()
  const shown = items.filter(({ id }) => id !== undefined && sides.has(id) && sides.get(id)?.person !== 'removed')
  const item = shown[at % Math.max(1, shown.length)]
  const side = item?.id === undefined ? undefined : sides.get(item.id)
  switch (what) {
    case 'person edits': {
      if (item === undefined || side === undefined) return
      side.person = history.text()
      return history.replaceLine(item.page, item.line, `- ${side.person} ^${item.id}`)
    }
    case 'person removes': {
      if (item === undefined || side === undefined) return
      side.person = 'removed'
      return history.replaceLine(item.page, item.line, undefined)
    }
    case 'person moves': {
      const pages = await history.pages()
      const other = pages[at % pages.length]
      if (item === undefined || other === undefined || other === item.page) return
      await history.replaceLine(item.page, item.line, undefined)
      return history.addLine(other, item.line)
    }
    case 'person adds': {
      const pages = await history.pages()
      const page = pages[at % Math.max(1, pages.length)]
      if (page === undefined) return
      const text = history.text()
      written.add(text)
      return history.addLine(page, `- ${text}`)
    }
    case 'memory adds': {
      const text = history.text()
      const subject = ['Gateway', 'Billing', undefined][at % 3]
      if (subject !== undefined) await world.call('create_node', { node_type: 'Entity', text: subject })
      const { id } = await world.call('memory/store_memory', { content: text, ...(subject === undefined ? {} : { subject }) })
      sides.set(String(id), { text, memory: text })
      return
    }
    case 'memory edits': {
      if (chosen === undefined) return
      chosen[1].memory = history.text()
      await revise(context, 'agent', { id: chosen[0], change: (fact) => ({ ...fact, text: chosen[1].memory ?? '' }) })
      return
    }
    case 'memory changes importance':
      if (chosen !== undefined) await revise(context, 'agent', { id: chosen[0], change: (fact) => ({ ...fact, importance: at % 10 }) })
      return
    case 'memory ends':
      if (chosen === undefined) return
      chosen[1].memory = 'ended'
      await invalidate(context, 'agent', { id: chosen[0] }, { unknown: unknownFact })
      return
    case 'memory deletes':
      if (chosen === undefined) return
      chosen[1].memory = 'deleted'
      await forget(context, 'agent', { id: chosen[0] })
      return
    case 'restart':
      history.applied.current = new Map()
      return
    case 'sync':
      return settle(history)
  }
}

/** Both sides meet: what is expected of each fact follows from what the sides did since the last time. */
async function settle(history: History): Promise<void> {
  await history.sync()
  const facts = new Map((await history.facts()).map((fact) => [fact.id, fact]))
  const candidates = [...facts.values()].filter(({ status }) => status === 'candidate').map(({ text }) => text)
  for (const [id, side] of history.sides) {
    const { person, memory, text } = side
    const fact = facts.get(id)
    if (memory === 'deleted') expect(fact).toBeUndefined()
    else if (memory === 'ended') expect(fact !== undefined && !isCurrentStatus(fact.status)).toBe(true)
    else if (person === 'removed') expect(fact?.status).toBe(memory === undefined || memory === text ? 'outdated' : 'candidate')
    else expect(fact?.text).toBe(memory ?? person ?? text)
    // An edit of a person against another change of the memory is a question.
    if (person !== undefined && person !== 'removed' && memory !== undefined) {
      expect(candidates).toContain(person)
      history.conflicts.push(person)
    } else if (person !== undefined && person !== 'removed') expect(fact?.author).toBe('ann')
    if (fact === undefined || !isCurrentStatus(fact.status)) history.sides.delete(id)
    else history.sides.set(id, { text: fact.text })
  }
  // What a person added is stored, and has its id in the folder.
  for (const text of history.written) expect([...facts.values()].some((fact) => fact.text === text && fact.author === 'ann')).toBe(true)
  history.written.clear()
  for (const fact of facts.values()) {
    if (isCurrentStatus(fact.status) && !history.sides.has(fact.id)) history.sides.set(fact.id, { text: fact.text })
  }
  // Nothing that is current is missing in the folder, and it says the same.
  const shown = new Map((await history.items()).map(({ id, text }) => [id, text]))
  for (const fact of facts.values()) if (isCurrentStatus(fact.status)) expect(shown.get(fact.id)).toBe(fact.text)
  for (const { id } of await history.items()) expect(id).toBeDefined()
}

test('edits of a folder and of the memory: nothing is lost, and every conflict is a question for a person', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = await openWorld()
      try {
        await withFolder(async (folder) => {
          const history = new History(world, folder)
          for (const at of [0, 1, 2]) await take(history, { do: 'memory adds', at })
          await settle(history)
          for (const next of steps) await take(history, next)
          await settle(history)
          const before = await history.facts()
          // In step: another comparison changes neither side.
          await history.sync()
          expect(await history.facts()).toEqual(before)
        })
      } finally {
        await world.close()
      }
    }),
    { numRuns: RUNS },
  )
})
