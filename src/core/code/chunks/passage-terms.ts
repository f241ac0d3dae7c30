import type { Passage } from '../../facts/source.js'
import { packTerms } from '../../text/term-bag.js'

/** Name, scope and path are indexed like a title. */
export const passageTerms = (passage: Pick<Passage, 'name' | 'scopePath' | 'path' | 'text'>): Uint8Array =>
  packTerms({
    title: [passage.name, passage.scopePath].filter((part) => part !== null).join(' '),
    head: passage.path.replace(/[/.]/g, ' '),
    text: passage.text,
  })
