import { looksLikeCode, splitForEmbedding } from '../code/text.js'
import type { Fact } from '../facts/fact.js'
import { isLinkable, normalName } from '../graph/names.js'
import { isSystemForm } from '../statements/statement.js'
import { buildClaimSearchText, type ClaimTexts } from '../substrate/stated-words.js'
import { piecesOf, type Span } from '../text/pieces.js'
import { words } from '../text/text.js'

type Named = Pick<Fact, 'text' | 'title' | 'author' | 'date' | 'subject'> &
  Partial<Pick<Fact, 'assertedConfidence' | 'garden' | 'form' | 'receivedFrom'>>
type Worded = Named & ClaimTexts

/** What is given to the embedding model: the author in front, or the title above; a date adds nothing. */
export function embedText(fact: Named): string {
  // A statement is told as its contract says, whatever it looks like.
  if ((fact.assertedConfidence ?? null) !== null) return fact.text
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
  (isUnsearched(fact) ? [] : piecesOf(fact.text)).map(({ start, end }, index) => ({
    index,
    start,
    end,
    text: embedText({ ...fact, text: fact.text.slice(start, end).trim() }),
  }))

/** What the store notes itself is found by nobody's words. */
const isUnsearched = (fact: Named): boolean => isSystemForm(fact.form ?? null)

const NO_PARTS = { title: '', head: '', text: '' }

/** The parts of a fact as they are indexed word by word. */
export const lexicalParts = (fact: Worded): { title: string; head: string; text: string } =>
  isUnsearched(fact)
    ? NO_PARTS
    : {
        title: fact.title ?? '',
        head: [fact.author, fact.date, ...buildClaimSearchText(fact)].filter((part) => part !== null).join(' '),
        text: fact.text,
      }

/** Whether two facts are found by the same words. */
export const sameWords = (a: Fact, b: Fact): boolean => JSON.stringify(lexicalParts(a)) === JSON.stringify(lexicalParts(b))

/** Title and text as the full-text index holds them: one word after another, identifiers and CJK taken apart. */
export const fullText = (fact: Named): { title: string; text: string } =>
  isUnsearched(fact) ? NO_PARTS : { title: words(fact.title ?? '').join(' '), text: words(fact.text).join(' ') }

/**
 * The name under which other facts may link to this one, or null when it is about nothing in particular. What a garden
 * holds or a peer sent teaches no names: those who read other facts would learn that it is there.
 */
export function subjectName(fact: Named): string | null {
  if ((fact.garden ?? null) !== null || (fact.receivedFrom ?? null) !== null || isUnsearched(fact)) return null
  const name = fact.title ?? fact.subject
  if (name === null) return null
  const normal = normalName(name.replace(/^.*[:/#](?=[^:/#]+$)/u, (prefix) => (fact.title === null ? '' : prefix)))
  return isLinkable(normal) ? normal : null
}
