import { identifiersOf, identifierWords, splitIdentifiers } from '../../text/identifiers.js'

export interface EmbedParts {
  readonly path: string
  readonly language: string
  readonly scopePath: string | null
  readonly name: string | null
  readonly signatures: readonly string[]
  readonly docs: readonly string[]
  readonly text: string
}

/** About 160 tokens. More slows indexing without better retrieval. */
const MAX_EMBED_CHARS = 700
const SIGNATURE_BUDGET = 320
const DOC_BUDGET = 320

/** Folder names too common to describe a file. */
const PLAIN_FOLDERS = new Set(['src', 'lib', 'index', 'main', 'dist', 'packages', 'node_modules', 'types', 'esm', 'cjs'])

const KEYWORDS = new Set(
  `abstract and any array as assert async await base begin bool boolean break byte case catch char class cls const constructor continue
  debugger def default defer del delete do double elif else elsif end enum ensure except explicit export extends extern false final finally
  float fn for foreach from func function get global goto if impl implements import in include inline instanceof int interface is lambda
  let long loop match mod module mut mutable namespace new nil none nonlocal not null number object of or out override package params pass
  print private protected pub public raise range readonly ref require rescue return self set short signed sizeof static str string struct
  super switch template then this throw throws trait true try tuple type typedef typename typeof undefined union unless unsafe unsigned
  until use using val value var virtual void volatile when where while with yield the and for that`.split(/\s+/),
)

const clip = (text: string, length: number): string => {
  if (text.length <= length) return text
  const space = text.lastIndexOf(' ', length)
  return text.slice(0, space > length / 2 ? space : length)
}

/**
 * The text embedded instead of the code: path, name, doc comments and the identifiers used. Identifiers are split, because models read
 * words, not camelCase; doc comments are prose and stay as they are.
 */
export function embedTextOf(parts: EmbedParts): string {
  if (parts.language === 'markdown' || parts.language === 'text') return proseText(parts)
  const pieces = [pathWords(parts.path), splitIdentifiers(parts.scopePath?.replaceAll('.', ' ') ?? '')]
  const signatures = parts.signatures.length > 0 ? parts.signatures : parts.name === null ? [] : [parts.name]
  pieces.push(clip(splitIdentifiers(signatures.join('; ')), SIGNATURE_BUDGET))
  pieces.push(clip(parts.docs.join(' ').replace(/\s+/g, ' '), DOC_BUDGET))
  const head = pieces.filter((piece) => piece !== '').join('\n')
  const words = informativeWords(parts.text, head, MAX_EMBED_CHARS - head.length - 1)
  return words === '' ? head : `${head}\n${words}`
}

function proseText(parts: EmbedParts): string {
  const head = [pathWords(parts.path), parts.scopePath ?? '', parts.name ?? ''].filter((piece) => piece !== '').join('\n')
  return clip(`${head}\n${parts.text.replace(/\s+/g, ' ').trim()}`, MAX_EMBED_CHARS)
}

function pathWords(path: string): string {
  const segments = path
    .replace(/(?:\.d)?\.[^./]+$/, '')
    .split('/')
    .slice(-4)
  return (
    segments
      .filter((segment) => !PLAIN_FOLDERS.has(segment))
      // Numbers and single letters, as in `v2` or `0017`, carry no meaning.
      .map((segment) =>
        identifierWords(segment)
          .filter((word) => !/^\p{L}?\d*$/u.test(word))
          .join(' '),
      )
      .join(' ')
      .trim()
  )
}

/** Compound identifiers come first, because they name domain concepts; single words follow. Words of `head` are not repeated. */
function informativeWords(text: string, head: string, budget: number): string {
  const seen = new Set(identifiersOf(head).map((word) => word.toLowerCase()))
  const compound: string[] = []
  const single: string[] = []
  let length = 0
  for (const identifier of new Set(identifiersOf(text))) {
    if (length > budget) break
    const words = identifierWords(identifier)
    const fresh = words.filter((word) => word.length > 2 && !seen.has(word.toLowerCase()) && !KEYWORDS.has(word.toLowerCase()))
    if (fresh.length === 0) continue
    for (const word of fresh) seen.add(word.toLowerCase())
    const phrase = words.filter((word) => word.length > 1).join(' ')
    if (words.length > 1) {
      compound.push(phrase)
      length += phrase.length + 1
    } else single.push(phrase)
  }
  return budget <= 0 ? '' : clip([...compound, ...single].join(' '), budget)
}
