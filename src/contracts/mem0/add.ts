import { z } from 'zod'
import type { NewFact } from '../../core/facts/fact.js'
import { statementsIn } from '../../core/hooks/statements.js'
import { isBlank, parseInstant } from '../../core/input/input.js'
import { remember } from '../../engine/facts/remember.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { routes } from './routes.js'
import { ids, instantOf, metadata, ownerIn, storedMetadata } from './shapes.js'

const part = z.object({ type: z.string(), text: z.string().optional() })
const message = z.object({
  role: z.string().default('user'),
  content: z.union([z.string(), z.array(part)]).nullish(),
  name: z.string().nullish(),
})

const MOST_MESSAGES = 1000

export const addMemories = operation({
  name: 'add',
  title: 'Add memories',
  description:
    'Store the turns of a conversation. No model extracts facts: turns are kept as they are, and what a person states outright as facts of their own.',
  effect: 'write',
  idempotent: false,
  listed: false,
  route: routes(['POST', '/v3/memories/add/'], ['POST', '/v1/memories/'], ['POST', '/memories']),
  input: z.object({
    messages: z.union([z.string(), message, z.array(message).max(MOST_MESSAGES)]).meta({ wire: 'array' }),
    ...ids,
    metadata,
    infer: z.boolean().nullish().describe('False: turns alone'),
    timestamp: z.union([z.string(), z.number()]).nullish().meta({ wire: 'string' }),
    expiration_date: z.string().nullish(),
  }),
  output: z.object({
    message: z.string(),
    status: z.string(),
    results: z.array(z.object({ id: z.string(), memory: z.string(), event: z.string() })),
  }),
  async run({ context, actor, connection }, input) {
    const owner = ownerIn(input)
    const eventAt = instantOf(input.timestamp, (text) => parseInstant(text, 'Invalid timestamp: Use ISO 8601 or seconds'))
    const expiresAt = input.expiration_date ? parseInstant(input.expiration_date, 'Invalid expiration_date: Use ISO 8601') : undefined
    const facts = [input.messages].flat().flatMap((message): readonly NewFact[] => {
      const sent = typeof message === 'string' ? { role: 'user', content: message, name: undefined } : message
      const text = textOf(sent.content)
      if (isBlank(text)) return []
      const own = { agent_id: input.agent_id, app_id: input.app_id, run_id: input.run_id, role: sent.role, actor_id: sent.name }
      const common = {
        owner,
        session: input.run_id ?? undefined,
        author: sent.name ?? sent.role,
        metadata: storedMetadata(input.metadata, own),
        eventAt,
        expiresAt,
      }
      const turn = { ...common, text, kind: 'episodic' }
      if (input.infer === false || sent.role !== 'user') return [turn]
      const stated = statementsIn(text).filter((statement) => statement.text.trim() !== text.trim())
      return [turn, ...stated.map((statement) => ({ ...common, text: statement.text, kind: 'semantic' }))]
    })
    if (facts.length === 0) throw new MemoryError('invalid_input', 'Invalid messages: there is no text in them.')
    const stored = await remember(context, { actor, connection }, facts)
    return done(stored.map((fact) => ({ id: fact.id, memory: fact.text, event: 'ADD' })))
  },
})

const done = (results: readonly { readonly id: string; readonly memory: string; readonly event: string }[]) => ({
  message: 'Memories are stored.',
  status: 'SUCCEEDED',
  results: [...results],
})

const textOf = (content: z.output<typeof message>['content']): string =>
  typeof content === 'string' ? content : (content ?? []).flatMap(({ text }) => text ?? []).join('\n')
