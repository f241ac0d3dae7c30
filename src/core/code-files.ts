/** Languages with a grammar, by the names used on the wire. Markdown is outlined by its headings. */
export const PARSED_LANGUAGES = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'rust',
  'go',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'bash',
  'css',
  'markdown',
] as const
export type ParsedLanguage = (typeof PARSED_LANGUAGES)[number]

export const isParsedLanguage = (language: string): language is ParsedLanguage => PARSED_LANGUAGES.some((known) => known === language)

export const SKIP_REASONS = [
  'unsupported',
  'lockfile',
  'generated',
  'minified',
  'binary',
  'oversized',
  'empty',
  'unreadable',
  'changing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export interface SourceLimits {
  readonly maxBytes: number
  /** Data formats say little per byte, so that they get a tighter limit. */
  readonly maxDataBytes: number
}

export const DEFAULT_SOURCE_LIMITS: SourceLimits = { maxBytes: 1_048_576, maxDataBytes: 131_072 }

const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    typescript: 'ts mts cts',
    tsx: 'tsx',
    javascript: 'js mjs cjs jsx es6',
    python: 'py pyi pyw',
    rust: 'rs',
    go: 'go',
    java: 'java',
    c: 'c h',
    cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh',
    csharp: 'cs csx',
    ruby: 'rb rake gemspec ru',
    php: 'php phtml php5 php7',
    bash: 'sh bash zsh ksh bats',
    css: 'css',
    markdown: 'md markdown mdx',
    kotlin: 'kt kts',
    swift: 'swift',
    scala: 'scala sc',
    lua: 'lua',
    dart: 'dart',
    elixir: 'ex exs',
    erlang: 'erl hrl',
    haskell: 'hs',
    ocaml: 'ml mli',
    clojure: 'clj cljs cljc edn',
    perl: 'pl pm',
    r: 'r',
    julia: 'jl',
    zig: 'zig',
    nim: 'nim',
    fsharp: 'fs fsx fsi',
    groovy: 'groovy gradle',
    powershell: 'ps1 psm1',
    vue: 'vue',
    svelte: 'svelte',
    html: 'html htm',
    scss: 'scss sass less',
    sql: 'sql',
    graphql: 'graphql gql',
    protobuf: 'proto',
    terraform: 'tf hcl',
    cmake: 'cmake',
    assembly: 's asm',
    objectivec: 'm mm',
    text: 'txt rst adoc org',
    json: 'json jsonc json5',
    yaml: 'yaml yml',
    toml: 'toml',
    ini: 'ini cfg conf properties',
    xml: 'xml xsd',
  }).flatMap(([language, list]) => list.split(' ').map((extension): [string, string] => [extension, language])),
)

const FILE_NAMES: ReadonlyMap<string, string> = new Map([
  ['dockerfile', 'dockerfile'],
  ['containerfile', 'dockerfile'],
  ['makefile', 'makefile'],
  ['gnumakefile', 'makefile'],
  ['rakefile', 'ruby'],
  ['gemfile', 'ruby'],
  ['vagrantfile', 'ruby'],
  ['jenkinsfile', 'groovy'],
  ['cmakelists.txt', 'cmake'],
  ['readme', 'text'],
  ['justfile', 'makefile'],
])

const INTERPRETERS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['zsh', 'bash'],
  ['dash', 'bash'],
  ['ksh', 'bash'],
  ['python', 'python'],
  ['node', 'javascript'],
  ['deno', 'typescript'],
  ['bun', 'typescript'],
  ['tsx', 'typescript'],
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['perl', 'perl'],
  ['lua', 'lua'],
])

const DATA_LANGUAGES = new Set(['json', 'yaml', 'toml', 'ini', 'xml', 'text', 'sql'])
const PROSE_LANGUAGES = new Set(['markdown', 'text', 'html'])

const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'pdm.lock',
  'uv.lock',
  'pipfile.lock',
  'composer.lock',
  'gemfile.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'podfile.lock',
  'packages.lock.json',
  'gradle.lockfile',
  'package.resolved',
])

const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$/
const GENERATED_NAME = /\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.(?:cs|dart)$|\.designer\.cs$|\.generated\.[a-z]+$|_generated\.[a-z]+$/
const GENERATED_MARK =
  /@generated\b|\bcode generated\b.{0,200}\bdo not edit\b|\bauto-?generated\b.{0,200}\bdo not (?:edit|modify|change)\b|\bdo not (?:edit|modify|change)\b.{0,200}\bgenerated\b/is
const CPP_IN_HEADER = /^\s*(?:class\s+\w|namespace\s|template\s*<|using\s+\w|(?:public|private|protected)\s*:)/m

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

const extensionOf = (base: string): string => {
  const dot = base.lastIndexOf('.')
  return dot <= 0 ? '' : base.slice(dot + 1)
}

/** The language by name alone; null when only a shebang could tell or the format is not text we index. */
export function languageOfPath(path: string): string | null {
  const base = baseName(path)
  return FILE_NAMES.get(base) ?? EXTENSIONS.get(extensionOf(base)) ?? (base.startsWith('dockerfile.') ? 'dockerfile' : null)
}

/** The language by name and content: headers that hold C++ and scripts known only by their first line. */
export function languageOf(path: string, text: string): string | null {
  const byPath = languageOfPath(path)
  if (byPath === 'c' && baseName(path).endsWith('.h') && CPP_IN_HEADER.test(text)) return 'cpp'
  return byPath ?? (extensionOf(baseName(path)) === '' ? languageOfShebang(text) : null)
}

function languageOfShebang(text: string): string | null {
  const line = /^#!([^\n\r]{1,200})/.exec(text)?.[1]
  if (line === undefined) return null
  for (const word of line.trim().split(/\s+/)) {
    const interpreter = word.slice(word.lastIndexOf('/') + 1).replace(/[\d.]+$/, '')
    const language = INTERPRETERS.get(interpreter)
    if (language !== undefined) return language
  }
  return null
}

/** What can be told without opening the file. A name without an extension may still carry a shebang. */
export function skipByName(path: string, size: number, limits: SourceLimits = DEFAULT_SOURCE_LIMITS): SkipReason | null {
  const base = baseName(path)
  if (LOCK_FILES.has(base)) return 'lockfile'
  const language = languageOfPath(path)
  if (language === null && extensionOf(base) !== '') return 'unsupported'
  if (MINIFIED_NAME.test(base)) return 'minified'
  if (GENERATED_NAME.test(base)) return 'generated'
  if (size === 0) return 'empty'
  const limit = language !== null && DATA_LANGUAGES.has(language) ? Math.min(limits.maxDataBytes, limits.maxBytes) : limits.maxBytes
  return size > limit ? 'oversized' : null
}

/** What the text itself tells, once it is known to be valid UTF-8 without NUL. */
export function skipByContent(language: string | null, text: string): SkipReason | null {
  if (language === null) return 'unsupported'
  if (text.trim() === '') return 'empty'
  if (isMinified(language, text)) return 'minified'
  return !PROSE_LANGUAGES.has(language) && GENERATED_MARK.test(text.slice(0, 1_000)) ? 'generated' : null
}

/** Mean line length tells minified code; one endless line tells embedded data in a file of any kind. */
function isMinified(language: string, text: string): boolean {
  let lines = 1
  let longest = 0
  let from = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
    longest = Math.max(longest, at - from)
    lines++
    from = at + 1
  }
  longest = Math.max(longest, text.length - from)
  if (longest > 50_000) return true
  return !PROSE_LANGUAGES.has(language) && text.length > 4_000 && text.length / lines > 250
}
