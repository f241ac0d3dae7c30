import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Parser } from 'web-tree-sitter'
import { type FileOutline, NO_OUTLINE } from '../core/code/chunks/outline.js'
import { isParsedLanguage, type ParsedLanguage } from '../core/code/languages.js'
import type { GrammarRules } from './grammar-rules.js'
import { outlineMarkdown } from './markdown.js'
import { outlineOf, typesOf } from './outline.js'
import { C, CPP, CSHARP, JAVA } from './rules-c-family.js'
import { JAVASCRIPT, PLAIN_TYPESCRIPT, TYPESCRIPT } from './rules-ecmascript.js'
import { BASH, CSS, PHP, PYTHON, RUBY } from './rules-scripting.js'
import { GO, RUST } from './rules-systems.js'

type GrammarLanguage = Exclude<ParsedLanguage, 'markdown'>

const GRAMMARS: Readonly<Record<GrammarLanguage, { readonly file: string; readonly rules: GrammarRules }>> = {
  typescript: { file: 'typescript', rules: PLAIN_TYPESCRIPT },
  tsx: { file: 'tsx', rules: TYPESCRIPT },
  javascript: { file: 'javascript', rules: JAVASCRIPT },
  python: { file: 'python', rules: PYTHON },
  rust: { file: 'rust', rules: RUST },
  go: { file: 'go', rules: GO },
  java: { file: 'java', rules: JAVA },
  c: { file: 'c', rules: C },
  cpp: { file: 'cpp', rules: CPP },
  csharp: { file: 'c-sharp', rules: CSHARP },
  ruby: { file: 'ruby', rules: RUBY },
  php: { file: 'php', rules: PHP },
  bash: { file: 'bash', rules: BASH },
  css: { file: 'css', rules: CSS },
}

export interface Outliner {
  /** Loads the grammar on first use. Without an outline if parsing exceeds the budget. */
  outline(language: string, text: string): Promise<FileOutline>
  close(): void
}

interface Grammar {
  readonly parser: Parser
  readonly rules: GrammarRules
  readonly types: string[]
}

const locate = createRequire(import.meta.url)

/** A file next to this one in the build; in a clone that of its package. */
function shipped(file: string, inPackage: () => string): string {
  const own = fileURLToPath(new URL(`./${file}`, import.meta.url))
  return existsSync(own) ? own : inPackage()
}

const packageFolder = (file: string): string => dirname(locate.resolve(file))

function grammarFile(file: string): string {
  const name = `tree-sitter-${file}.wasm`
  if (file === 'c') return shipped(name, () => join(packageFolder('tree-sitter-c/package.json'), name))
  return join(packageFolder('@vscode/tree-sitter-wasm/package.json'), 'wasm', name)
}

type TreeSitter = typeof import('web-tree-sitter')

let runtime: Promise<TreeSitter> | undefined
/** The runtime is initialised once per thread. */
function startRuntime(): Promise<TreeSitter> {
  runtime ??= loadRuntime()
  return runtime
}

async function loadRuntime(): Promise<TreeSitter> {
  const file = shipped('web-tree-sitter.mjs', () => join(packageFolder('web-tree-sitter/web-tree-sitter.wasm'), 'web-tree-sitter.js'))
  const treeSitter: TreeSitter = await import(pathToFileURL(file).href)
  await treeSitter.Parser.init({ locateFile: (name: string) => join(dirname(file), name) })
  return treeSitter
}

async function loadGrammar(language: GrammarLanguage): Promise<Grammar> {
  const { Language, Parser } = await startRuntime()
  const { file, rules } = GRAMMARS[language]
  const grammar = await Language.load(grammarFile(file))
  const parser = new Parser()
  parser.setLanguage(grammar)
  const known = new Set(grammar.types)
  return { parser, rules, types: typesOf(rules).filter((type) => known.has(type)) }
}

export function openOutliner(options: { readonly budgetMs?: number } = {}): Outliner {
  const budgetMs = options.budgetMs ?? 2_000
  const grammars = new Map<GrammarLanguage, Promise<Grammar>>()
  let closed = false

  const grammarOf = (language: GrammarLanguage): Promise<Grammar> => {
    const loaded = grammars.get(language) ?? loadGrammar(language)
    grammars.set(language, loaded)
    return loaded
  }

  return {
    async outline(language, text) {
      if (closed || !isParsedLanguage(language)) return NO_OUTLINE
      if (language === 'markdown') return outlineMarkdown(text)
      const { parser, rules, types } = await grammarOf(language)
      return parseWith(parser, text, rules, types, performance.now() + budgetMs)
    },
    close() {
      closed = true
      for (const grammar of grammars.values()) grammar.then(({ parser }) => parser.delete(), ignoreFailedLoad)
      grammars.clear()
    },
  }
}

/** The failure was reported to the caller that requested the grammar. */
const ignoreFailedLoad = () => undefined

function parseWith(parser: Parser, text: string, rules: GrammarRules, types: string[], deadline: number): FileOutline {
  // Returning true stops the parse; the declared type lacks that.
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline })
  if (tree === null) {
    parser.reset()
    return NO_OUTLINE
  }
  try {
    const root = tree.rootNode
    const outline = outlineOf(root, text, rules, types)
    return outline.definitions.length === 0 && root.hasError ? NO_OUTLINE : outline
  } finally {
    tree.delete()
  }
}
