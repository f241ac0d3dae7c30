import { type SkipReason, skipReason } from './skip-reasons.js'
import { type TermForm, termKey, termsOf } from './terms.js'

/** A segment whose terms are counted. */
export interface ConceptText {
  readonly sourceId: string
  readonly segmentId: string
  readonly text: string
  /** The heading of its own section, or null. */
  readonly heading: string | null
  /** Ids of the source and of the node that represents it. */
  readonly objects: readonly string[]
}

export type ConceptType = 'concept' | 'procedure' | 'decision' | 'tool_library' | 'implementation_detail'

type SegmentRef = {
  readonly source_id: string
  readonly segment_id: string
}

export interface ConceptCandidate {
  readonly title: string
  readonly key: string
  readonly type: ConceptType
  readonly score: number
  readonly confidence: number
  readonly recommendation: 'high' | 'medium' | 'low'
  readonly occurrences: number
  readonly evidence: readonly SegmentRef[]
  /** Number of segments that contain it. Only some of many are listed. */
  readonly support: number
  readonly objects: readonly string[]
  readonly signals: { readonly bonuses: readonly string[]; readonly penalties: readonly string[]; readonly adjustment: number }
}

export interface SkippedTerm {
  readonly title: string
  readonly reason: SkipReason
  readonly occurrences: number
}

export interface Concepts {
  /** Best first. */
  readonly candidates: readonly ConceptCandidate[]
  /** Most frequent first. */
  readonly skipped: readonly SkippedTerm[]
}

interface Count {
  readonly title: string
  readonly forms: Set<TermForm>
  occurrences: number
  support: number
  readonly evidence: SegmentRef[]
  readonly sources: Set<string>
  readonly objects: Set<string>
}

const KEPT_EVIDENCE = 20
/** Terms of a book. Above this, terms that occurred once are dropped. */
const MAX_TERMS = 50_000

interface ConceptCounter {
  add(text: ConceptText): void
  /** Yields regularly, so that the event loop is not blocked. */
  finish(): Generator<void, Concepts>
}

const TERMS_BATCH_SIZE = 500

export function createConceptCounter(): ConceptCounter {
  const counts = new Map<string, Count>()

  const prune = (): void => {
    for (const [key, { occurrences }] of counts) if (occurrences < 2) counts.delete(key)
  }

  return {
    add({ sourceId, segmentId, text, heading, objects }) {
      const met = new Set<string>()
      for (const { title, form } of termsOf(text, heading)) {
        const key = termKey(title)
        let count = counts.get(key)
        if (count === undefined) {
          count = { title, forms: new Set(), occurrences: 0, support: 0, evidence: [], sources: new Set(), objects: new Set() }
          counts.set(key, count)
        }
        count.occurrences++
        count.forms.add(form)
        if (met.has(key)) continue
        met.add(key)
        count.support++
        count.sources.add(sourceId)
        for (const object of objects) count.objects.add(object)
        if (count.evidence.length < KEPT_EVIDENCE) count.evidence.push({ source_id: sourceId, segment_id: segmentId })
      }
      if (counts.size > MAX_TERMS) prune()
    },
    *finish() {
      const candidates: ConceptCandidate[] = []
      const skipped: SkippedTerm[] = []
      let seen = 0
      for (const [key, count] of counts) {
        if (++seen % TERMS_BATCH_SIZE === 0) yield
        const reason = skipReason(count.title)
        if (reason !== null) skipped.push({ title: count.title, reason, occurrences: count.occurrences })
        else if (isKept(count)) candidates.push(toCandidate(key, count))
      }
      return {
        candidates: candidates.sort((a, b) => b.score - a.score || b.occurrences - a.occurrences || (a.key < b.key ? -1 : 1)),
        skipped: skipped.sort((a, b) => b.occurrences - a.occurrences || (a.title < b.title ? -1 : 1)),
      }
    },
  }
}

/** Kept if it occurs more than once, and in more than one place unless it is a heading. */
const isKept = ({ occurrences, support, forms }: Count): boolean => occurrences >= 2 && (support >= 2 || forms.has('heading'))

const PROCEDURE = /^how to\b|\b(?:workflow|procedure|process|checklist|runbook|playbook|protocol|pipeline|routine)s?$|流程$|步骤$/i
const DECISION = /\b(?:decision|adr|policy|policies|principle|convention|rule)s?\b|决策|原则/i
const TOOLS = new Set(
  'git github gitlab docker kubernetes npm yarn pnpm node.js typescript javascript python rust vite vitest jest eslint prettier biome react vue postgresql sqlite redis kafka linux macos windows vs code visual studio chrome firefox hugging face openai claude cursor codex obsidian lancedb kuzu'.split(
    ' ',
  ),
)
const CORE =
  /\b(?:memory|memories|context|evidence|knowledge|retrieval|recall|scope|governance|provenance|agent|query|graph|decision)\b|记忆|知识|证据/i
const IDENTIFIER = /[a-z][A-Z]|_|::|\(\)|\.\w|^[A-Z0-9_]{3,}$/

function typeOf({ title, forms }: Count): ConceptType {
  if (PROCEDURE.test(title)) return 'procedure'
  if (DECISION.test(title)) return 'decision'
  const lower = title.toLowerCase()
  if (lower.split(' ').every((word) => TOOLS.has(word)) || /^@[\w-]+/.test(title)) return 'tool_library'
  const codeOnly = forms.size === 1 && forms.has('code')
  return IDENTIFIER.test(title) || (codeOnly && !/\s/.test(title)) ? 'implementation_detail' : 'concept'
}

const DURABLE_TYPES: ReadonlySet<ConceptType> = new Set(['concept', 'procedure', 'decision'])

const round = (value: number): number => Math.round(value * 1e4) / 1e4

function signalsOf(title: string, type: ConceptType, sources: number): ConceptCandidate['signals'] {
  const rules: readonly (readonly [boolean, string, number])[] = [
    [DURABLE_TYPES.has(type), 'durable_memory_candidate', 0.08],
    [type === 'procedure', 'procedure_like', 0.04],
    [CORE.test(title), 'core_term', 0.06],
    [type === 'tool_library', 'tool_or_library', -0.22],
    [type === 'tool_library' && sources === 1, 'single_scope_tool', -0.04],
    [type === 'implementation_detail', 'implementation_detail', -0.2],
    [/[\d/]/.test(title), 'digits_or_slash', -0.04],
  ]
  const met = rules.filter(([holds]) => holds)
  return {
    bonuses: met.flatMap(([, name, amount]) => (amount > 0 ? [name] : [])),
    penalties: met.flatMap(([, name, amount]) => (amount < 0 ? [name] : [])),
    adjustment: round(met.reduce((sum, [, , amount]) => sum + amount, 0)),
  }
}

function toCandidate(key: string, count: Count): ConceptCandidate {
  const { title, occurrences, support, sources } = count
  const type = typeOf(count)
  const signals = signalsOf(title, type, sources.size)
  const plain = 0.28 + Math.min(0.24, 0.04 * occurrences) + Math.min(0.24, 0.08 * support) + Math.min(0.12, 0.06 * sources.size)
  const score = round(Math.min(1, Math.max(0, plain + signals.adjustment)))
  const durable = DURABLE_TYPES.has(type)
  return {
    ...{ title, key, type, score, occurrences, support, signals },
    confidence: round(Math.min(0.85, 0.45 + 0.05 * occurrences + 0.08 * support)),
    recommendation: durable && score >= 0.65 ? 'high' : durable ? 'medium' : 'low',
    evidence: count.evidence,
    objects: [...count.objects],
  }
}
