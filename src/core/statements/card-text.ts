import type { Fact } from '../facts/fact.js'
import { byStrength, sameValue } from './contradiction.js'
import { effectiveConfidence, statementOf, toTimestamp, toWireText } from './statement.js'
import { displayName, typeInUri } from './uri.js'

/** Below it a fact is too unsure for a card. */
export const MIN_SURE = 0.3
/** What a card may take, at four bytes for a token. */
const MAX_BYTES = 4 * 4000

export interface CardText {
  readonly text: string
  /** Those that it lists, as they stand in it. */
  readonly listed: readonly Fact[]
  readonly contradictions: readonly (readonly [Fact, Fact])[]
}

export interface CardContents {
  readonly entity: string
  readonly refreshedAt: number
  /** Those that may stand in it. */
  readonly facts: readonly Fact[]
  /** How many there are, whether they were read or not. */
  readonly total: number
}

/** A value in a cell: nothing in it can end the cell or the row. */
const cell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\r\n|[\n\r\u0085\u2028\u2029]/gu, '<br>')

const byRelation = (a: Fact, b: Fact): number => {
  const [first, second] = [statementOf(a).relation, statementOf(b).relation]
  if (first !== second) return first < second ? -1 : 1
  return (a.hlc ?? '') === (b.hlc ?? '') ? 0 : (a.hlc ?? '') > (b.hlc ?? '') ? -1 : 1
}

/** Of each relation the strongest with each of those that say otherwise: neither is settled here. */
export function contradictionsAmong(facts: readonly Fact[]): readonly (readonly [Fact, Fact])[] {
  const byClaim = new Map<string, Fact[]>()
  for (const fact of facts) {
    const { relation } = statementOf(fact)
    byClaim.set(relation, [...(byClaim.get(relation) ?? []), fact])
  }
  return [...byClaim.values()].flatMap((group) => {
    const [winner, ...rest] = [...group].sort(byStrength)
    return winner === undefined ? [] : rest.filter((one) => !sameValue(one, winner)).map((one): [Fact, Fact] => [winner, one])
  })
}

const row = (fact: Fact): string => {
  const { relation, value } = statementOf(fact)
  return `| ${[relation, toWireText(value), String(fact.confidence), fact.source, toTimestamp(fact.eventAt)].map(cell).join(' | ')} |`
}

const dispute = ([a, b]: readonly [Fact, Fact]): string => {
  const told = (fact: Fact): string => `"${cell(toWireText(statementOf(fact).value))}" (${fact.confidence}, ${cell(fact.source)})`
  return `- ${cell(statementOf(a).relation)}: ${told(a)} against ${told(b)}`
}

function sourceLines(facts: readonly Fact[]): readonly string[] {
  const bySource = new Map<string, Fact[]>()
  for (const fact of facts) bySource.set(fact.source, [...(bySource.get(fact.source) ?? []), fact])
  return [...bySource].sort().map(([source, said]) => {
    const trusts = said.flatMap(({ trust }) => trust ?? [])
    const range = trusts.length === 0 ? 'trust not computed' : `trust ${Math.min(...trusts)} to ${Math.max(...trusts)}`
    return `- ${cell(source)}: ${said.length} ${said.length === 1 ? 'fact' : 'facts'}, ${range}`
  })
}

function render({ entity, refreshedAt, total }: CardContents, listed: readonly Fact[]): CardText {
  const contradictions = contradictionsAmong(listed)
  const omitted = total - listed.length
  const lines = [
    `# ${cell(displayName(entity))}`,
    '',
    `- Type: ${cell(typeInUri(entity) ?? 'unknown')}`,
    `- URI: ${cell(entity)}`,
    `- Refreshed: ${toTimestamp(refreshedAt)}`,
    '',
    '## Facts',
    '',
    '| Relation | Value | Confidence | Source | Since |',
    '| --- | --- | --- | --- | --- |',
    ...listed.map(row),
    ...(omitted > 0 ? ['', `… ${omitted} lower-confidence facts omitted`] : []),
    '',
    '## Contradictions',
    '',
    ...(contradictions.length === 0 ? ['None.'] : contradictions.map(dispute)),
    '',
    '## Sources',
    '',
    ...sourceLines(listed),
  ]
  return { text: lines.join('\n'), listed, contradictions }
}

/** All that is known of an entity; where that is too much, what is surest. */
export function cardText(contents: CardContents): CardText {
  const sure = [...contents.facts].sort((a, b) => effectiveConfidence(b) - effectiveConfidence(a) || byStrength(a, b))
  const fits = (count: number): CardText | undefined => {
    const made = render(contents, sure.slice(0, count).sort(byRelation))
    return Buffer.byteLength(made.text) <= MAX_BYTES ? made : undefined
  }
  const whole = fits(sure.length)
  if (whole !== undefined) return whole
  // As many as fit, found by halves.
  let [least, most] = [0, sure.length]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (fits(middle) === undefined) most = middle
    else least = middle
  }
  return fits(least) ?? render({ ...contents, total: contents.total }, [])
}

/** The name of a card where its vector is kept; a garden, and another owner than the usual one, stand behind it. */
export const cardKey = (
  {
    owner,
    entity,
    scope,
    garden,
  }: { readonly owner: string; readonly entity: string; readonly scope: string; readonly garden: string | null },
  defaultOwner: string,
): string => [`card:${entity}:${scope}`, ...(garden === null ? [] : [garden]), ...(owner === defaultOwner ? [] : [owner])].join(':')
