import type { Fact } from '../facts/fact.js'
import { byStrength, sameValue } from './contradiction.js'
import { effectiveConfidence, statementOf, toTimestamp, toWireText } from './statement.js'
import { displayName, typeInUri } from './uri.js'

/** Minimum confidence of a fact on a card. */
export const MIN_SURE = 0.3
/** 4,000 tokens at four bytes each. */
const MAX_BYTES = 4 * 4000

export interface CardText {
  readonly text: string
  /** Facts that the card lists. */
  readonly listed: readonly Fact[]
  readonly contradictions: readonly (readonly [Fact, Fact])[]
}

interface CardContents {
  readonly entity: string
  readonly refreshedAt: number
  /** Facts that it may list. */
  readonly facts: readonly Fact[]
  /** Total number, including facts not read. */
  readonly total: number
}

/** A table cell: its text cannot end the cell or row. */
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

/** The strongest fact of each relation with each fact that contradicts it. */
export function contradictionsAmong(facts: readonly Fact[]): readonly (readonly [Fact, Fact])[] {
  const byClaim = new Map<string, Fact[]>()
  for (const fact of facts) {
    const { relation } = statementOf(fact)
    byClaim.set(relation, [...(byClaim.get(relation) ?? []), fact])
  }
  return [...byClaim.values()].flatMap((group) => {
    const [winner, ...rest] = [...group].sort(byStrength)
    return winner === undefined ? [] : rest.filter((fact) => !sameValue(fact, winner)).map((fact): [Fact, Fact] => [winner, fact])
  })
}

const row = (fact: Fact): string => {
  const { relation, value } = statementOf(fact)
  return `| ${[relation, toWireText(value), String(fact.confidence), fact.source, toTimestamp(fact.eventAt)].map(cell).join(' | ')} |`
}

const dispute = ([a, b]: readonly [Fact, Fact]): string => {
  const quote = (fact: Fact): string => `"${cell(toWireText(statementOf(fact).value))}" (${fact.confidence}, ${cell(fact.source)})`
  return `- ${cell(statementOf(a).relation)}: ${quote(a)} against ${quote(b)}`
}

function sourceLines(facts: readonly Fact[]): readonly string[] {
  const bySource = new Map<string, Fact[]>()
  for (const fact of facts) bySource.set(fact.source, [...(bySource.get(fact.source) ?? []), fact])
  return [...bySource].sort().map(([source, quoted]) => {
    const trusts = quoted.flatMap(({ trust }) => trust ?? [])
    const range = trusts.length === 0 ? 'trust not computed' : `trust ${Math.min(...trusts)} to ${Math.max(...trusts)}`
    return `- ${cell(source)}: ${quoted.length} ${quoted.length === 1 ? 'fact' : 'facts'}, ${range}`
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

/** Everything known about an entity; if it is too long, the facts with the highest confidence. */
export function cardText(contents: CardContents): CardText {
  const sure = [...contents.facts].sort((a, b) => effectiveConfidence(b) - effectiveConfidence(a) || byStrength(a, b))
  const fits = (count: number): CardText | undefined => {
    const made = render(contents, sure.slice(0, count).sort(byRelation))
    return Buffer.byteLength(made.text) <= MAX_BYTES ? made : undefined
  }
  const whole = fits(sure.length)
  if (whole !== undefined) return whole
  // Finds the largest number that fits by binary search.
  let [min, max] = [0, sure.length]
  while (max - min > 1) {
    const middle = Math.floor((min + max) / 2)
    if (fits(middle) === undefined) max = middle
    else min = middle
  }
  return fits(min) ?? render({ ...contents, total: contents.total }, [])
}

/** Facts that a summary mentions, and characters of each value. */
const MAX_SUMMARY_FACTS = 5
const MAX_SUMMARY_VALUE_CHARS = 120

const lastPart = (relation: string): string => relation.slice(relation.lastIndexOf(':') + 1).replaceAll('_', ' ')

/** One or two sentences: the values of the strongest facts by relation, then how many are contradicted. */
export function cardSummary(entity: string, facts: readonly Fact[], contradicted: number): string {
  const strongest = [...facts].sort((a, b) => effectiveConfidence(b) - effectiveConfidence(a) || byStrength(a, b))
  const byClaim = new Map<string, Fact>()
  for (const fact of strongest) if (!byClaim.has(statementOf(fact).relation)) byClaim.set(statementOf(fact).relation, fact)
  const claims = [...byClaim].slice(0, MAX_SUMMARY_FACTS).map(([relation, fact]) => {
    const text = toWireText(statementOf(fact).value).replace(/\s+/gu, ' ')
    return `${lastPart(relation)} ${text.length > MAX_SUMMARY_VALUE_CHARS ? `${text.slice(0, MAX_SUMMARY_VALUE_CHARS)}…` : text}`
  })
  const known = `${displayName(entity)}: ${claims.length === 0 ? 'nothing is known' : claims.join('; ')}.`
  return contradicted === 0 ? known : `${known} ${contradicted} ${contradicted === 1 ? 'fact is' : 'facts are'} contradicted.`
}

/** The key under which the vector of a card is stored, including its garden and owner unless they are the default. */
export const cardKey = (
  {
    owner,
    entity,
    scope,
    garden,
  }: { readonly owner: string; readonly entity: string; readonly scope: string; readonly garden: string | null },
  defaultOwner: string,
): string => [`card:${entity}:${scope}`, ...(garden === null ? [] : [garden]), ...(owner === defaultOwner ? [] : [owner])].join(':')
