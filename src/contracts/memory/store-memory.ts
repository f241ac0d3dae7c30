import { z } from 'zod'
import { remember } from '../../engine/facts/remember.js'
import { replaceFact } from '../../engine/facts/replace.js'
import { findCreatedId } from '../../engine/history/idempotency.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { storedText } from './plain-text.js'
import { idInput, instantOf, memoryType, metadata, nullToUndefined, userId } from './shapes.js'

export const storeMemory = operation({
  name: 'store_memory',
  title: 'Store memory',
  description:
    'Store a fact, decision, preference, correction or event for later conversations. If it replaces a memory, pass that id as supersedes.',
  effect: 'write',
  idempotent: false,
  positionals: ['content'],
  input: z.strictObject({
    content: z.string().describe('One self-contained statement'),
    memory_type: memoryType,
    user_id: userId,
    supersedes: idInput.nullish().describe('Id of the memory it replaces, which ends now'),
    subject: z.string().nullish().describe('Who or what it is about'),
    predicate: z.string().nullish().describe('Which property of the subject, e.g. lives_in'),
    metadata: metadata.describe('Any JSON object; session, author, title and date affect ranking'),
    event_time: z.string().nullish().describe('When it happened, ISO 8601'),
    valid_from: z.string().nullish(),
    valid_until: z.string().nullish(),
    importance_score: z.number().min(0, { error: 'must be from 0 to 10' }).max(10, { error: 'must be from 0 to 10' }).nullish(),
  }),
  output: z.object({ id: z.string() }),
  text: storedText,
  async run({ context, actor, connection }, input) {
    const newFact = {
      text: input.content,
      kind: nullToUndefined(input.memory_type),
      owner: nullToUndefined(input.user_id),
      subject: nullToUndefined(input.subject),
      predicate: nullToUndefined(input.predicate),
      metadata: nullToUndefined(input.metadata),
      eventAt: instantOf(input.event_time, 'event_time'),
      validFrom: instantOf(input.valid_from, 'valid_from'),
      validUntil: instantOf(input.valid_until, 'valid_until'),
      importance: nullToUndefined(input.importance_score),
    }
    const supersedes = nullToUndefined(input.supersedes)
    const [fact] =
      supersedes === undefined
        ? await remember(context, { actor, connection }, [newFact])
        : [await replaceFact(context, { actor, connection }, { ...newFact, supersedes }, { unknown: unknownMemory })]
    return { id: fact?.id ?? '' }
  },
  recover: (_call, _input, entries) => ({ id: findCreatedId(entries, 'fact') }),
})
