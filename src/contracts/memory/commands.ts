import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.js'
import { formatInstant } from '../../core/input/input.js'
import type { Context } from '../../engine/context.js'
import { listFacts } from '../../engine/facts/list-facts.js'
import { forgetLast } from '../../engine/hooks/forget-last.js'
import { projectMemoryOf } from '../../engine/hooks/project-folders.js'
import { eraseForever, findByPrefix, listTrash, moveToTrash, restoreFromTrash } from '../../engine/trash/trash.js'
import { MemoryError } from '../../errors.js'
import { type Contract, contract } from '../contract.js'
import { type Call, operation } from '../operation.js'
import { counted, oneLine, type PlainText, paragraph, rowsOf, wordOf } from '../plain-text.js'
import { unknownMemory } from './failures.js'
import { indexCommand } from './index-project.js'
import { memoriesText, memoryText } from './plain-text.js'
import { instantOf, limitOf, memoryList, memoryType, nullToUndefined, ownerToSearch, toMemory, userId } from './shapes.js'
import { updateMemory } from './update-memory.js'

const ids = z.union([z.string().min(1), z.array(z.string().min(1))]).describe('Ids, or unique prefixes of ids')

const toList = (texts: string | readonly string[]): readonly string[] => [...new Set([texts].flat().flatMap((text) => text.split(',')))]

/** Finds all memories or fails: a command with one wrong id changes nothing. */
async function findAll(context: Context, ids: string | readonly string[], owner: string | null | undefined): Promise<readonly Fact[]> {
  const found: Fact[] = []
  for (const id of toList(ids)) {
    const fact = await findByPrefix(context, id, nullToUndefined(owner))
    if (fact === undefined) throw unknownMemory(id)
    found.push(fact)
  }
  return found
}

const list = operation({
  name: 'list',
  title: 'List memories',
  description: 'List memories, newest first, including ended ones',
  effect: 'read',
  idempotent: true,
  positionals: ['text'],
  input: z.strictObject({
    text: z.string().min(1).optional().describe('Only memories that contain this text'),
    kind: memoryType.describe('Only memories of this type'),
    since: z.string().optional().describe('Only memories recorded at or after this time, ISO 8601'),
    until: z.string().optional().describe('Only memories recorded before this time, ISO 8601'),
    project: z.string().optional().describe('Only memories of the project in this folder'),
    limit: limitOf(20, 100),
    offset: z.int().min(0).default(0),
    user_id: userId,
  }),
  output: z.object({ memories: memoryList, total: z.int(), limit: z.int(), offset: z.int() }),
  text: memoriesText,
  async run(call, { limit, offset, text, kind, since, until, project, user_id }) {
    const { context } = call
    const owner = project === undefined ? ownerToSearch(context, user_id) : await projectOwnerOf(call, project)
    const filter = {
      ...(text === undefined ? {} : { text }),
      ...(kind === undefined || kind === null ? {} : { kind }),
      ...(since === undefined ? {} : { recordedAfter: (instantOf(since, 'since') ?? 0) - 1 }),
      ...(until === undefined ? {} : { recordedBefore: instantOf(until, 'until') ?? 0 }),
    }
    const { facts, total } = await listFacts(context, { owner, limit, offset, ...filter })
    return { memories: facts.map((fact) => toMemory(fact, context)), total, limit, offset }
  },
})

async function projectOwnerOf({ context, cwd = process.cwd() }: Call, folder: string): Promise<string> {
  const { resolve } = await import('node:path')
  const project = await context.projects.projectOf(resolve(cwd, folder))
  if (project !== undefined) return (await projectMemoryOf(context, project, { claims: false })).owner
  throw new MemoryError('not_found', `${folder} is not in a project.`, { hint: 'Name a folder below a repository.' })
}

const show = operation({
  name: 'show',
  title: 'Show memories',
  description: 'Show memories by id, with their dates and versions',
  effect: 'read',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({ id: ids, user_id: userId }),
  output: z.looseObject({}),
  text: (answer, reader) =>
    Array.isArray(answer.memories)
      ? rowsOf(answer.memories)
          .map((row) => memoryText(row, reader))
          .join('\n\n')
      : memoryText(answer, reader),
  async run({ context }, { id, user_id }) {
    const memories = (await findAll(context, id, user_id)).map((fact) => toMemory(fact, context))
    return memories.length === 1 ? { ...memories[0] } : { memories }
  },
})

const edit = operation({
  name: 'edit',
  title: 'Edit a memory',
  description: 'Correct memories in place; several ids are separated by commas',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['id', 'content'],
  input: z.strictObject({
    id: ids,
    content: z.string().optional(),
    memory_type: memoryType,
    metadata: z.record(z.string(), z.json()).optional().describe('Replaces the stored metadata'),
    if_version: z.int().optional().describe('Fail unless this is the stored version'),
    user_id: userId,
  }),
  output: z.looseObject({}),
  text: (answer, reader) => (Array.isArray(answer.memories) ? memoriesText({ ...answer, total: 0 }, reader) : memoryText(answer, reader)),
  async run(call, { id, ...change }) {
    const facts = await findAll(call.context, id, change.user_id)
    const edited: object[] = []
    for (const fact of facts) edited.push(await updateMemory.call({ ...call }, { ...change, id: fact.id }))
    return edited.length === 1 ? { ...edited[0] } : { memories: edited }
  },
})

const forgottenText: PlainText = (answer) => {
  const rows = rowsOf(answer.forgotten)
  if (rows.length === 0) return 'Nothing was deleted.'
  const restoring = answer.restorable_until === undefined ? '' : ' `mneme trash restore <id>` restores them within 30 days.'
  return paragraph(
    ...rows.map((row) => `${oneLine(row.content)}  [${wordOf(row.id)}]`),
    `Deleted ${counted(rows.length, 'memory', 'memories')}${restoring === '' ? ' forever.' : `.${restoring}`}`,
  )
}

const forget = operation({
  name: 'forget',
  title: 'Forget memories',
  description: 'Delete memories; they can be restored for 30 days, unless --forever',
  effect: 'destroy',
  keyed: false,
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({
    id: ids.optional(),
    forever: z.boolean().default(false).describe('Erase at once: nothing can be restored'),
    last: z.boolean().default(false).describe('Delete what hooks captured from the last prompt'),
    user_id: userId,
  }),
  output: z.object({
    deleted: z.boolean(),
    forgotten: z.array(z.object({ id: z.string(), content: z.string() })),
    restorable_until: z.string().optional(),
  }),
  text: forgottenText,
  async run({ context, actor }, { id, forever, last, user_id }) {
    if (last) {
      const gone = await forgetLast(context, actor)
      return { deleted: gone.length > 0, forgotten: gone.map((fact) => ({ id: fact.id, content: fact.text })) }
    }
    if (id === undefined)
      throw new MemoryError('invalid_input', 'Missing id', { hint: '`mneme list` shows the ids; --last names what hooks captured last.' })
    const found = await findInTrash(context, id, forever)
    const facts = await findAll(
      context,
      toList(id).filter((factId) => !found.has(factId)),
      user_id,
    )
    const gone: Fact[] = []
    for (const fact of facts)
      if (forever ? await eraseForever(context, actor, fact) : await moveToTrash(context, actor, fact)) gone.push(fact)
    const forgotten = [...gone.map((fact) => ({ id: fact.id, content: fact.text })), ...[...found.values()]]
    const [first] = forever ? [] : await listTrash(context)
    return { deleted: forgotten.length > 0, forgotten, ...(first === undefined ? {} : { restorable_until: formatInstant(first.until) }) }
  },
})

/** With `forever`, erases matching items from the trash; returns them by the words that named them. */
async function findInTrash(context: Context, ids: string | readonly string[], forever: boolean) {
  const found = new Map<string, { readonly id: string; readonly content: string }>()
  if (!forever) return found
  const entries = await listTrash(context)
  for (const name of toList(ids)) {
    const matching = entries.filter((entry) => entry.id.startsWith(name))
    const [entry] = matching
    if (matching.length !== 1 || entry === undefined || (await findByPrefix(context, name)) !== undefined) continue
    await context.trash.erase([entry.id])
    found.set(name, { id: entry.id, content: entry.text })
  }
  return found
}

const trash = operation({
  name: 'trash',
  title: 'Trash',
  description: 'List deleted memories, restore some (trash restore <id>), or erase some or all (trash erase [id])',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['action', 'id'],
  input: z.strictObject({
    action: z.enum(['list', 'restore', 'erase']).default('list'),
    id: ids.optional(),
  }),
  output: z.object({ trash: memoryList, restored: z.array(z.string()).optional(), erased: z.array(z.string()).optional() }),
  text: (answer, reader) => {
    const rows = rowsOf(answer.trash)
    const words = (value: unknown): string => (Array.isArray(value) ? value.map(wordOf).join(', ') : '')
    return paragraph(
      answer.restored === undefined ? undefined : `Restored: ${words(answer.restored)}.`,
      answer.erased === undefined ? undefined : `Erased: ${words(answer.erased) || 'nothing'}.`,
      ...rows.map((row) =>
        paragraph(
          `${oneLine(row.content)}  [${wordOf(row.id)}]`,
          `    deleted ${reader.time(wordOf(row.deleted_at))}, erased ${reader.time(wordOf(row.erased_at))}`,
        ),
      ),
      rows.length === 0 && answer.restored === undefined && answer.erased === undefined ? 'The trash is empty.' : undefined,
    )
  },
  async run({ context, actor }, { action, id }) {
    const entries = await listTrash(context)
    const named = (id === undefined ? [] : toList(id)).map((factId) => {
      const matching = entries.filter((entry) => entry.id.startsWith(factId))
      const [entry] = matching
      if (matching.length === 1 && entry !== undefined) return entry
      throw new MemoryError(
        'not_found',
        `${matching.length === 0 ? 'Nothing' : 'More than one memory'} in the trash has the id ${factId}.`,
        {
          hint: '`mneme trash` lists the ids.',
        },
      )
    })
    if (action === 'restore') {
      if (named.length === 0) throw new MemoryError('invalid_input', 'Missing id', { hint: '`mneme trash` lists what can be restored.' })
      await restoreFromTrash(context, actor, named, context.signal)
    }
    const erased = id === undefined ? entries : named
    if (action === 'erase') await context.trash.erase(erased.map((entry) => entry.id))
    return {
      trash: (await listTrash(context)).map((entry) => ({
        id: entry.id,
        content: entry.text,
        user_id: entry.owner,
        deleted_at: formatInstant(entry.deletedAt),
        erased_at: formatInstant(entry.until),
      })),
      ...(action === 'restore' ? { restored: named.map((entry) => entry.id) } : {}),
      ...(action === 'erase' ? { erased: erased.map((entry) => entry.id) } : {}),
    }
  },
})

/** Commands for memories at a terminal; agents use the tools of the memory contract. */
export const commands: Contract = contract({
  name: 'commands',
  title: 'Memories at the terminal',
  instructions: '',
  audience: 'operator',
  operations: [list, show, edit, forget, trash, indexCommand],
})
