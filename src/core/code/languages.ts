import { beginOfText, someLine } from '../text/lines.js'

/** Languages with a grammar, by their published names. Markdown is outlined by its headings. */
const PARSED_LANGUAGES = [
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
    xml: 'xml xsd xsl svg plist',
  }).flatMap(([language, list]) => list.split(' ').map((extension): [string, string] => [extension, language])),
)

/** Binary formats, and text formats without searchable content; never opened. */
const NEVER_TEXT = new Set(
  [
    'png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps',
    'mp3 mp4 m4a m4v wav flac ogg oga ogv webm avi mov mkv',
    'woff woff2 ttf otf eot',
    'zip gz tgz bz2 xz zst 7z rar tar jar war ear whl gem nupkg apk ipa dmg iso deb rpm',
    'exe dll so dylib a o obj lib class pyc pyo pyd wasm node bin dat',
    'pdf doc docx xls xlsx ppt pptx odt ods odp',
    'db sqlite sqlite3 mdb parquet arrow avro npy npz pkl pickle h5 onnx pt pth safetensors gguf tflite',
    'map tsbuildinfo log lock',
    'pem key crt cer der p12 pfx jks keystore',
  ].flatMap((list) => list.split(' ')),
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

/** Every language a passage can have. */
export const LANGUAGES: readonly string[] = [...new Set([...EXTENSIONS.values(), ...FILE_NAMES.values(), ...INTERPRETERS.values()])].sort()

/** Matches one line without its leading white space. Over a whole text, leading white space would be tried from each of its characters. */
const CPP_LINE = /^(?:class\s+\w|namespace(?:\s|$)|template\s*(?:<|$)|using\s+\w|(?:public|private|protected)\s*:)/

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

export const extensionOf = (base: string): string => {
  const dot = base.lastIndexOf('.')
  return dot <= 0 ? '' : base.slice(dot + 1)
}

/** The language by name alone; null if it depends on the content or the format is not indexed. */
export function languageOfPath(path: string): string | null {
  const base = baseName(path)
  const extension = extensionOf(base)
  const known = FILE_NAMES.get(base) ?? EXTENSIONS.get(extension) ?? (base.startsWith('dockerfile.') ? 'dockerfile' : null)
  return known ?? (extension === '' || NEVER_TEXT.has(extension) ? null : 'text')
}

/** The language by name and content: headers with C++, scripts recognised by their first line, otherwise plain text. */
export function languageOf(path: string, text: string): string | null {
  const byPath = languageOfPath(path)
  if (byPath === 'c' && baseName(path).endsWith('.h') && holdsCpp(text)) return 'cpp'
  return byPath ?? (extensionOf(baseName(path)) === '' ? (languageOfShebang(text) ?? 'text') : null)
}

const holdsCpp = (text: string): boolean =>
  someLine(text, (start, end) => {
    const from = beginOfText(text, start, end)
    return from < end && CPP_LINE.test(text.slice(from, end))
  })

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
