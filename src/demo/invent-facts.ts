import { type DemoProject, readPhrases, type Written } from './demo-phrases.js'
import { createSeededRandom, type SeededRandom } from './seeded-random.js'

/** One of many, made from frames. */
export interface InventedFact extends Written {
  readonly hour: number
  /** True for the oldest of those that differ in numbers and tools only: the others would be near duplicates of it. */
  readonly isFirst: boolean
}

const FACT_COUNT = 1980
const CLIENTS = ['claude-code', 'claude-code', 'claude-code', 'codex', 'codex', 'cursor', 'gemini'] as const
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const
/** How many sentences of a frame are tried before another frame is taken. */
const MAX_TRIES = 60

type Phrases = ReturnType<typeof readPhrases>

/** The same list on every run, none of them twice. */
export function inventFacts(days: number): readonly InventedFact[] {
  const phrases = readPhrases()
  const random = createSeededRandom(20260801)
  const seen = new Set<string>()
  const found: Omit<InventedFact, 'isFirst'>[] = []
  const oldest = new Map<string, { readonly daysAgo: number; readonly text: string }>()
  /** By project: facts that a later one may still replace. */
  const open = new Map<string | null, Omit<InventedFact, 'isFirst'>[]>()
  for (let session = 0; found.length < FACT_COUNT; session++) {
    const project = random.next() < 0.17 ? undefined : phrases.projects[random.next() < 0.45 ? 0 : random.next() < 0.65 ? 1 : 2]
    const name = project?.name ?? null
    const author = random.next() < 0.5 ? 'Mara' : random.next() < 0.8 ? 'Jun' : null
    const client = random.pick(CLIENTS)
    // A little more was learned lately than at the beginning.
    const daysAgo = Math.floor(days * random.next() ** 1.25)
    const size = 1 + random.below(4)
    for (let i = 0; i < size && found.length < FACT_COUNT; i++) {
      const frame = random.pick(project?.frames ?? phrases.personal)
      const invented = sentence(random, frame.text, { phrases, project }, seen)
      if (invented === undefined) continue
      const { text, wording } = invented
      const waiting = open.get(name) ?? []
      const earlier = random.next() < 0.1 ? waiting.find((fact) => fact.daysAgo > daysAgo + 3) : undefined
      if (earlier !== undefined) waiting.splice(waiting.indexOf(earlier), 1)
      const ends = earlier === undefined && random.next() < 0.07 && daysAgo > 4
      if ((oldest.get(wording)?.daysAgo ?? -1) < daysAgo) oldest.set(wording, { daysAgo, text })
      const made = {
        ...{ text, kind: frame.kind, project: name, author, client, daysAgo, hour: random.next() * 9, session: `s${session}` },
        ...(earlier === undefined ? {} : { replaces: earlier.text }),
        ...(ends ? { endedDaysAgo: Math.floor(daysAgo * random.next()) } : {}),
        ...(random.next() < 0.2 ? { trueDaysAgo: daysAgo + 1 + random.below(20) } : {}),
      }
      found.push(made)
      if (!ends && random.next() < 0.2) open.set(name, [...(open.get(name) ?? []), made])
    }
  }
  const first = new Set([...oldest.values()].map(({ text }) => text))
  return found.map((fact) => ({ ...fact, isFirst: first.has(fact.text) }))
}

interface FactContext {
  readonly phrases: Phrases
  readonly project: DemoProject | undefined
}

/** What a sentence is about; other places hold numbers and tools. */
const TOPICS = new Set(['part', 'habit'])

function sentence(
  random: SeededRandom,
  frame: string,
  around: FactContext,
  seen: Set<string>,
): { readonly text: string; readonly wording: string } | undefined {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const topics: string[] = []
    const text = capital(
      frame.replace(/\{(\w+)\}/g, (_, place: string) => {
        const filled = filling(random, place, around)
        if (TOPICS.has(place)) topics.push(filled)
        return filled
      }),
    )
    if (seen.has(text)) continue
    seen.add(text)
    return { text, wording: [frame, ...topics].join(' ') }
  }
  return undefined
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

function filling(random: SeededRandom, place: string, { phrases, project }: FactContext): string {
  if (place === 'part') return random.pick(project?.parts ?? phrases.habits)
  if (place === 'tool') return random.pick(project?.tools ?? phrases.habits)
  if (place === 'habit') return random.pick(phrases.habits)
  if (place === 'occasion') return random.pick(phrases.occasions)
  if (place === 'weekday') return random.pick(WEEKDAYS)
  if (place === 'version') return `${1 + random.below(4)}.${random.below(12)}`
  if (place === 'week') return String(18 + random.below(28))
  if (place === 'minutes') return String(2 + random.below(38))
  if (place === 'seconds') return String(2 + random.below(20))
  if (place === 'millis') return String(3 + random.below(180))
  return String(2 + random.below(8))
}
