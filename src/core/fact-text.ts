import { looksLikeCode, splitForEmbedding } from './code/text.js'
import type { Fact } from './fact.js'
import { type Stated, statedWords } from './governed/stated-words.js'
import { isLinkable, normalName } from './names.js'
import { piecesOf, type Span } from './pieces.js'
import { words } from './text.js'

type Named = Pick<Fact, 'text' | 'title' | 'author' | 'date' | 'subject'>
type Worded = Named & Stated

/** What is given to the embedding model: the author in front, or the title above; a date adds nothing. */
export function embedText(fact: Named): string {
  if (looksLikeCode(fact.text)) return splitForEmbedding(fact.title === null ? fact.text : `${fact.title}\n${fact.text}`)
  if (fact.title !== null) return `${fact.title}\n${fact.text}`
  return fact.author === null ? fact.text : `${fact.author}: ${fact.text}`
}

/** A stretch of a long text as it is given to the model, with its number. */
export interface EmbedPiece extends Span {
  readonly index: number
  readonly text: string
}

/** The pieces in which a long fact is embedded besides, each told as the whole is. */
export const embedPieces = (fact: Named): readonly EmbedPiece[] =>
  piecesOf(fact.text).map(({ start, end }, index) => ({
    index,
    start,
    end,
    text: embedText({ ...fact, text: fact.text.slice(start, end).trim() }),
  }))

/** The parts of a fact as they are indexed word by word. */
export const lexicalParts = (fact: Worded): { title: string; head: string; text: string } => ({
  title: fact.title ?? '',
  head: [fact.author, fact.date, ...statedWords(fact)].filter((part) => part !== null).join(' '),
  text: fact.text,
})

/** Whether two facts are found by the same words. */
export const sameWords = (a: Fact, b: Fact): boolean => JSON.stringify(lexicalParts(a)) === JSON.stringify(lexicalParts(b))

/** Title and text as the full-text index holds them: one word after another, identifiers and CJK taken apart. */
export const fullText = (fact: Named): { title: string; text: string } => ({
  title: words(fact.title ?? '').join(' '),
  text: words(fact.text).join(' '),
})

/** The name under which other facts may link to this one, or null when it is about nothing in particular. */
export function subjectName(fact: Named): string | null {
  const name = fact.title ?? fact.subject
  if (name === null) return null
  const normal = normalName(name.replace(/^.*[:/#](?=[^:/#]+$)/u, (prefix) => (fact.title === null ? '' : prefix)))
  return isLinkable(normal) ? normal : null
}
