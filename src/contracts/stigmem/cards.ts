import { z } from 'zod'
import { effectiveConfidence, toTimestamp } from '../../core/statements/statement.js'
import { type CardFallback, type ReadCard, readCard } from '../../engine/stigmem/read-card.js'
import { operation } from '../operation.js'
import { record, scope, speakerOf, toRecord } from './shapes.js'

const rounded = (mean: number): number => Math.round(mean * 1e6) / 1e6

/** A card in the format of this contract: its record, with the most important fields first. */
export function toCard(
  { fact, text, summary, warnings, isStale, timedOut, facts, contradictions }: ReadCard,
  withPairs = false,
): Record<string, unknown> {
  const sum = facts.reduce((total, statement) => total + effectiveConfidence(statement), 0)
  const disputes = contradictions.length
  return {
    ...toRecord(fact, false),
    value: { type: 'text', v: text },
    entity_uri: fact.subject,
    card_stale: isStale,
    is_stale: isStale,
    refreshed_at: toTimestamp(fact.eventAt),
    fact_hashes: facts.flatMap(({ hash }) => hash ?? []),
    avg_confidence: facts.length === 0 ? 0 : rounded(sum / facts.length),
    has_contradictions: disputes > 0,
    summary,
    ...(timedOut ? { force_refresh_timeout: true } : {}),
    ...(warnings.length === 0 ? {} : { sanitizer_warnings: warnings }),
    ...(withPairs && disputes > 0
      ? { contradictions: contradictions.map((pair) => pair.map((statement) => toRecord(statement, true))) }
      : {}),
  }
}

/** The same without a card, if building it exceeded the wait. */
const toRaw = ({ entity, scope: within, facts }: CardFallback): Record<string, unknown> => ({
  ...{ entity, entity_uri: entity, scope: within, value: null, card_stale: true, is_stale: true, refreshed_at: null },
  ...{
    force_refresh_timeout: true,
    fact_hashes: facts.flatMap(({ hash }) => hash ?? []),
    facts: facts.map((fact) => toRecord(fact, false)),
  },
})

export const memoryCard = operation({
  name: 'memory_card',
  title: 'Memory card',
  description: 'All that is known of one entity as a short page of Markdown, with contradictions and sources.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['entity'],
  route: { method: 'GET', path: '/v1/cards/:entity{.+}', status: 200 },
  input: z.strictObject({
    entity: z.string(),
    scope: scope.optional(),
    garden_id: z.string().optional(),
    refresh: z.boolean().optional(),
    force_refresh: z.boolean().optional(),
    include_contradicted: z.boolean().default(false),
  }),
  output: record,
  async run(call, input) {
    const force = input.force_refresh ?? input.refresh ?? false
    const card = await readCard(call.context, speakerOf(call), {
      entity: input.entity,
      scope: input.scope,
      garden: input.garden_id,
      force,
    })
    return 'fact' in card ? toCard(card, input.include_contradicted) : toRaw(card)
  },
})
