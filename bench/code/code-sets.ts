import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import { loadSets } from '../quality/sets.js'

export interface CodeQuestion {
  readonly query: string
  /** Path of the file that answers it. */
  readonly gold: readonly string[]
}

export interface CodeSet {
  readonly name: string
  readonly documents: readonly { readonly id: string; readonly text: string }[]
  readonly questions: readonly CodeQuestion[]
}

/** CoSQA: one function per file. Null where there is no evaluation data. */
export function cosqa(evaluation: string | null): CodeSet | null {
  if (evaluation === null) return null
  const [set] = loadSets([evaluation], ['cosqa'])
  if (set === undefined) return null
  const paths = new Map(set.memories.map((memory, index) => [memory.id, `${Math.floor(index / 500)}/${index}.py`]))
  return {
    name: 'CoSQA dev',
    documents: set.memories.map((memory) => ({ id: paths.get(memory.id) ?? '', text: memory.content })),
    questions: set.questions.map(({ query, gold }) => ({ query, gold: gold.flatMap((id) => paths.get(id) ?? []) })),
  }
}

const SOURCES = new Set(['.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx'])
const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g
const MOST_QUESTIONS = 400
const LEAST_WORDS = 4

/** Packages that are installed anyway and ship what was written, as `package/folder`. */
export const SOURCES_OF = ['rxjs/src', 'zod/src', 'assemblyscript/std', '@modelcontextprotocol/sdk/dist/esm'] as const
/** Packages that ship declarations or bundles: easy for any search, and part of the figure over all. */
export const DECLARATIONS = ['hono/dist/types', '@types/node', 'vitest/dist', 'undici-types', 'type-fest'] as const

/** Doc comments as questions: the first sentence asks for the file it stood in, and no doc comment is left to be found. */
export function docComments(modules: string, name: string): CodeSet | null {
  const root = join(modules, name)
  if (!existsSync(root)) return null
  const asked = new Map<string, string[]>()
  const documents = sourcesBelow(root).map((path) => {
    const id = relative(root, path).split(sep).join('/')
    const text = readFileSync(path, 'utf8')
    for (const sentence of sentencesOf(text)) asked.set(sentence, [...(asked.get(sentence) ?? []), id])
    return { id, text: text.replace(DOC_COMMENT, (comment) => comment.replace(/[^\n]/g, ' ')) }
  })
  const questions = [...asked].flatMap(([query, gold]) => (gold.length === 1 ? [{ query, gold }] : []))
  const step = Math.max(1, Math.ceil(questions.length / MOST_QUESTIONS))
  return {
    name: name.split('/', name.startsWith('@') ? 2 : 1).join('/'),
    documents,
    questions: questions.filter((_, index) => index % step === 0),
  }
}

function sourcesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCES.has(extname(entry.name)) && !/\.min\.|\.test\.|\.spec\./.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !relative(root, path).includes('node_modules'))
    .sort()
}

function sentencesOf(text: string): string[] {
  return [...text.matchAll(DOC_COMMENT)].flatMap(([comment]) => {
    // A licence or a comment that nothing follows documents no symbol.
    const body = comment
      .replace(/^\/\*\*|\*\/$/g, '')
      .split('\n')
      .map((line) => line.replace(/^\s*\*\s?/, '').trim())
      .join('\n')
      .trim()
    if (body.startsWith('@') || /licen[sc]e|copyright/i.test(body)) return []
    const paragraph = body.split(/\n\s*\n|\n@/, 1)[0]?.replace(/\s+/g, ' ') ?? ''
    const sentence = (/^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph)
      .replace(/\{@\w+ ([^}]*)\}/g, '$1')
      .replace(/[`*]/g, '')
      .trim()
    const words = sentence.match(/[A-Za-z]{2,}/g) ?? []
    return words.length >= LEAST_WORDS && sentence.length <= 300 ? [sentence] : []
  })
}

/** Lays the documents of a set out as a project. */
export function writeProject(set: CodeSet, folder: string): void {
  for (const { id, text } of set.documents) {
    const path = join(folder, id)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
