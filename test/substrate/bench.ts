import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

type Answer = Readonly<Record<string, unknown>>

export interface Substrate {
  readonly world: World
  ask(tool: string, mode: string, input?: Answer, options?: Answer): Promise<Answer>
  /** The error of a rejected call. */
  refusal(tool: string, mode: string, input?: Answer, options?: Answer): Promise<string>
  /** Stores knowledge and returns its id. */
  know(input?: Answer): Promise<string>
  /** The object of a page. */
  object(id: string): Promise<Answer>
  close(): Promise<void>
}

export const KNOWLEDGE = {
  kind: 'fact',
  title: 'Repo uses Python',
  summary: 'Primary language is Python.',
  reason: 'The language matters for later work.',
  memory_source: 'user_declared',
  scope_refs: ['scope:project'],
} as const

export async function openSubstrate(flags: Answer = {}): Promise<Substrate> {
  const world = await openWorld(flags)
  const ask: Substrate['ask'] = (tool, mode, input = {}, options) =>
    world.call(`substrate/memory_${tool}`, { args: { mode, input_data: input, ...(options === undefined ? {} : { options }) } })
  return {
    world,
    ask,
    async refusal(...values) {
      try {
        return `answered: ${JSON.stringify(await ask(...values))}`
      } catch (failure) {
        return failure instanceof Error ? failure.message : String(failure)
      }
    },
    async know(input = {}) {
      return z.object({ knowledge_id: z.string() }).parse(await ask('remember', 'knowledge', { ...KNOWLEDGE, ...input })).knowledge_id
    },
    async object(id) {
      const { data } = await ask('query', 'page', { id })
      return z.object({ object: z.record(z.string(), z.unknown()) }).parse(data).object
    },
    close: () => world.close(),
  }
}
