import { BLANK_FACT, type Fact } from '../facts/fact.js'
import type { Passage, Source } from '../facts/source.js'
import { normalName } from '../graph/names.js'
import type { FactHeader } from '../recall/candidate.js'

/** A passage of a captured document, with its document. */
export interface DocumentPassage {
  readonly passage: Passage
  readonly source: Source
}

/** Titles of the enclosing sections and its own; empty outside of sections. */
export function headingPathOf({ locator }: Passage): readonly string[] {
  const path = locator?.heading_path
  return Array.isArray(path) ? path.filter((title) => typeof title === 'string') : []
}

const MAX_EXTENSION_CHARS = 8

/** The title of a document without the extension of its file. */
function nameOf({ title }: Source): string {
  const dot = title.lastIndexOf('.')
  return dot > 0 && title.length - dot <= MAX_EXTENSION_CHARS && !/\s/.test(title.slice(dot)) ? title.slice(0, dot) : title
}

const textIn = (passage: Passage, key: string): string | null => {
  const value = passage.locator?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A passage in the form that ranking reads. A message of a conversation has an author, any other passage a title. */
export function toPassageFact({ passage, source }: DocumentPassage): Fact {
  const isMessage = source.kind === 'conversation'
  const headings = headingPathOf(passage)
  return {
    ...BLANK_FACT,
    id: passage.id,
    owner: passage.owner,
    text: passage.text,
    kind: source.kind,
    title: isMessage ? null : headings.length > 0 ? headings.join(' > ') : nameOf(source),
    author: isMessage ? textIn(passage, 'name') : null,
    session: isMessage ? source.id : null,
    date: textIn(passage, 'created_at'),
    scope: 'local',
    status: 'active',
    confidence: 1,
    importance: 1,
    source: 'ingest',
    eventAt: source.updatedAt,
    validFrom: source.createdAt,
    recordedAt: source.createdAt,
    updatedAt: source.updatedAt,
    metadata: {},
    derivedFrom: [],
    autoLink: false,
    version: source.version,
  }
}

/** What a passage is about: its document. */
export function toPassageHeader(rid: number, found: DocumentPassage): FactHeader {
  const fact = toPassageFact(found)
  return {
    ...fact,
    rid,
    subject: fact.title === null ? null : normalName(headingPathOf(found.passage)[0] ?? fact.title),
    isCode: false,
  }
}

/** False for a heading without text, which answers no query. */
export const hasContent = ({ text }: Pick<Passage, 'text'>): boolean => !/^#{1,6}[^\n]*$/.test(text.trim())

/** Records of the capture itself, which answer no question: what was read and when, and inferred source folders. */
export const isCaptureRecord = ({ origin, form, importance, status }: Fact): boolean =>
  origin === 'system_generated' && importance === 0 && (form === 'activity' || status === 'candidate')
