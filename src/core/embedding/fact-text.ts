import { looksLikeCode, splitForEmbedding } from '../code/text.js'
import type { Fact } from '../facts/fact.js'
import { isLinkable, normalName } from '../graph/names.js'
import { isUnsearchedForm } from '../statements/statement.js'
import { buildClaimSearchText, type ClaimTexts } from '../substrate/objects/stated-words.js'
import { piecesOf, type Span } from '../text/pieces.js'
import { words } from '../text/text.js'

type TextFields = Pick<Fact, 'text' | 'title' | 'author' | 'date' | 'subject'> &
  Partial<Pick<Fact, 'assertedConfidence' | 'garden' | 'form' | 'receivedFrom'>>
type LexicalFields = TextFields & ClaimTexts

/** The text for the embedding model: with the title above or the author in front. A date adds nothing. */
export function embedText(fact: TextFields): string {
  // The text of a statement is fixed by its contract.
  if ((fact.assertedConfidence ?? null) !== null) return fact.text
  if (looksLikeCode(fact.text)) return splitForEmbedding(fact.title === null ? fact.text : `${fact.title}\n${fact.text}`)
  if (fact.title !== null) return `${fact.title}\n${fact.text}`
  return fact.author === null ? fact.text : `${fact.author}: ${fact.text}`
}

/** A numbered piece of a long text, as passed to the model. */
interface EmbedPiece extends Span {
  readonly index: number
  readonly text: string
}

/** The pieces in which a long fact is embedded in addition, each with title or author. */
export const embedPieces = (fact: TextFields): readonly EmbedPiece[] =>
  (isUnsearched(fact) ? [] : piecesOf(fact.text)).map(({ start, end }, index) => ({
    index,
    start,
    end,
    text: embedText({ ...fact, text: fact.text.slice(start, end).trim() }),
  }))

/** System facts and records of queries have no index terms. */
const isUnsearched = (fact: TextFields): boolean => isUnsearchedForm(fact.form ?? null)

const NO_PARTS = { title: '', head: '', text: '' }

/** The parts of a fact for the lexical index. */
export const lexicalParts = (fact: LexicalFields): { title: string; head: string; text: string } =>
  isUnsearched(fact)
    ? NO_PARTS
    : {
        title: fact.title ?? '',
        head: [fact.author, fact.date, ...buildClaimSearchText(fact)].filter((part) => part !== null).join(' '),
        text: fact.text,
      }

/** True if two facts have the same lexical parts. */
export const hasSameLexicalParts = (a: Fact, b: Fact): boolean => JSON.stringify(lexicalParts(a)) === JSON.stringify(lexicalParts(b))

/** Title and text for the full-text index: one word after another, identifiers and CJK split. */
export const fullText = (fact: TextFields): { title: string; text: string } =>
  isUnsearched(fact) ? NO_PARTS : { title: words(fact.title ?? '').join(' '), text: words(fact.text).join(' ') }

/**
 * The name under which other facts may link to this one, or null. Facts of gardens and peers return null: a link would reveal their
 * existence to readers without access.
 */
export function subjectName(fact: TextFields): string | null {
  if ((fact.garden ?? null) !== null || (fact.receivedFrom ?? null) !== null || isUnsearched(fact)) return null
  const name = fact.title ?? fact.subject
  if (name === null) return null
  const normal = normalName(name.replace(/^.*[:/#](?=[^:/#]+$)/u, (prefix) => (fact.title === null ? '' : prefix)))
  return isLinkable(normal) ? normal : null
}
