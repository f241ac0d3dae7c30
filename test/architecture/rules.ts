/** A file by its path from the root of the project, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

interface Layer {
  /** Other layers and root files that it may import. */
  readonly layers: readonly string[]
  /** Packages and Node modules; `node:*` matches all of Node's. */
  readonly packages: readonly string[]
}

const LAYERS: Readonly<Record<string, Layer>> = {
  core: { layers: ['errors'], packages: ['node:crypto'] },
  ports: { layers: ['core'], packages: [] },
  engine: { layers: ['core', 'ports', 'errors'], packages: ['node:crypto', 'node:timers/promises', 'zod'] },
  contracts: { layers: ['engine', 'core', 'errors'], packages: ['zod', 'node:*'] },
  surfaces: {
    layers: ['contracts', 'errors'],
    packages: [
      'node:*',
      'zod',
      'hono',
      '@hono/node-server',
      'commander',
      '@clack/prompts',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/node',
      'jose',
      'prom-client',
    ],
  },
  backends: {
    layers: ['ports', 'core', 'errors'],
    packages: ['node:*', 'better-sqlite3', 'mneme-sqlite', 'pg', '@lancedb/lancedb', '@ladybugdb/core'],
  },
  models: {
    layers: ['ports', 'core', 'errors'],
    packages: ['node:*', 'zod', 'onnxruntime-common', 'onnxruntime-node', '@huggingface/tokenizers'],
  },
  readers: {
    layers: ['ports', 'core', 'errors'],
    packages: [
      'node:*',
      'unpdf',
      '@mozilla/readability',
      'linkedom',
      'turndown',
      '@joplin/turndown-plugin-gfm',
      '@parcel/watcher',
      'chokidar',
    ],
  },
  importers: { layers: ['ports', 'core', 'errors'], packages: ['node:*', 'yaml'] },
  parsers: { layers: ['ports', 'core', 'errors'], packages: ['node:*', 'web-tree-sitter', '@vscode/tree-sitter-wasm', 'tree-sitter-c'] },
  jobs: { layers: ['engine', 'core', 'errors'], packages: ['zod', 'node:timers/promises'] },
  client: { layers: ['errors'], packages: [] },
  clients: { layers: ['core', 'errors'], packages: ['node:*', 'zod', 'jsonc-parser', 'yaml', 'smol-toml'] },
  errors: { layers: [], packages: [] },
  config: { layers: ['core', 'errors'], packages: ['node:*', 'zod'] },
}

/** These compose the rest, so they may import all of it. */
const COMPOSITION = new Set(['open', 'main', 'program', 'library', 'demo'])

/** Every backend implements every port, so ports stay small. */
const MOST_METHODS = 7
/** Members of a `Context` that use cases read and contracts do not. */
const PORTS =
  'graph|code|backlog|statements|view|memoryBytes|problem|embedding|rerankStage|roughEmbedder|documents|derived|projections|peerTransport'
const READS_PORT = RegExp(
  `\\bcontext\\.(?:${PORTS})\\b|\\bContext\\[\\s*'(?:${PORTS})'|\\{[^{}=]*\\b(?:${PORTS})\\b[^{}=]*\\}\\s*(?:=\\s*(?:\\w+\\.)?context\\b|:\\s*Context\\b)`,
)
const UNDER_ENGINE = new Set(['contracts', 'surfaces', 'jobs'])

const LINE_LIMITS = { source: 320, test: 400 } as const
const BANNED_WORDS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'manager', 'impl', 'stuff'])
const BANNED_NAMES = new Set(['index', 'types', 'constants', 'service', 'services', 'base'])
/** Established terms that contain a banned word; see docs/vocabulary.md. */
const NAMES_OF_THINGS = new Set(['shared-process'])
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/

const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bfetch\(|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\brandom(?:UUID|Bytes|Int)\b|\basync\b|\bawait\b/
const ANY = /(?:[:<,|&(=]|\bas)\s*any\b|\bany\[\]/

/** One line per breach, starting with the path. */
export function findBreaches(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...nameBreaches(file),
    ...sizeBreaches(file),
    ...codeBreaches(file),
    ...importBreaches(file),
    ...seamBreaches(file),
    ...pageBreaches(file),
  ])
}

const PAGE_PACKAGES = new Set(['preact', '@preact/signals', 'uplot', 'd3-force'])
/** Ways from a string to markup or code: stored text is only ever shown as text. */
const MARKUP = /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|eval\(|new Function\()/
const TYPES_ONLY = /^import type [^'"]*['"]([^'"]+)['"]/gm

/** The pages of the console take types from contracts and nothing else of the sources. */
function pageBreaches({ path, text }: SourceFile): string[] {
  if (!path.startsWith('console/')) return []
  const types = new Set([...text.matchAll(TYPES_ONLY)].map(([, specifier]) => specifier))
  const markup = MARKUP.exec(withoutText(text, { strings: true }))
  return [
    ...(markup === null ? [] : [`${path}: makes markup of text with ${markup[0]}`]),
    ...importsOf(text).flatMap((specifier) => {
      if (!specifier.startsWith('.')) return PAGE_PACKAGES.has(packageName(specifier)) ? [] : [`${path}: uses the package ${specifier}`]
      const target = resolve(path, specifier)
      if (target.startsWith('console/')) return []
      return target.startsWith('src/contracts/') && types.has(specifier)
        ? []
        : [`${path}: imports ${target}, more than a type of a contract`]
    }),
  ]
}

function nameBreaches({ path }: SourceFile): string[] {
  return path.split('/').flatMap((segment) => {
    const name = segment.replace(/(\.[a-z]+)+$/, '')
    if (!KEBAB.test(name)) return [`${path}: "${name}" is not in kebab case`]
    if (NAMES_OF_THINGS.has(name)) return []
    if (BANNED_NAMES.has(name) || name.split('-').some((word) => BANNED_WORDS.has(word)))
      return [`${path}: the name "${name}" says nothing`]
    return []
  })
}

function sizeBreaches({ path, text }: SourceFile): string[] {
  const limit = isTest(path) ? LINE_LIMITS.test : LINE_LIMITS.source
  const lines = text.trimEnd().split('\n').length
  return lines > limit ? [`${path}: ${lines} lines, at most ${limit}`] : []
}

function codeBreaches({ path, text }: SourceFile): string[] {
  const code = withoutText(text, { strings: true })
  const breaches: string[] = []
  if (ANY.test(code)) breaches.push(`${path}: uses the type any`)
  const layer = layerOf(path)
  if (layer === undefined || isTest(path)) return breaches
  if (buildsPattern(text)) breaches.push(`${path}: builds a regular expression from something other than constants`)
  const impure = layer === 'core' ? IMPURE.exec(code) : null
  if (impure) breaches.push(`${path}: core is pure and synchronous, but this uses ${impure[0]}`)
  if (/\bprocess\.env\b/.test(code) && layer !== 'config' && !COMPOSITION.has(layer)) {
    breaches.push(`${path}: only config.ts reads the environment`)
  }
  return breaches
}

/** The boundaries of the engine: ports stay small, and layers above do not reach through it. */
function seamBreaches({ path, text }: SourceFile): string[] {
  const layer = layerOf(path)
  if (isTest(path) || layer === undefined) return []
  if (layer === 'ports') return methodsOf(text).map(([name, count]) => `${path}: ${name} has ${count} methods, at most ${MOST_METHODS}`)
  if (!UNDER_ENGINE.has(layer)) return []
  const code = withoutText(text, { strings: false })
  const inside = importsOf(text).some((specifier) => /engine\/environment\.js$/.test(specifier))
  return READS_PORT.test(code) || inside ? [`${path}: reads a port of the engine; call a use case`] : []
}

/** Interfaces with too many methods of their own. */
function methodsOf(text: string): (readonly [string, number])[] {
  const code = withoutText(text, { strings: true })
  return [...code.matchAll(/^export interface (\w+)[^\n]*\{\n([\s\S]*?)^\}/gm)].flatMap(([, name = '', body = '']) => {
    const count = [...body.matchAll(/^ {2}(?:readonly )?\w+\??(?:\(|: \()/gm)].length
    return count > MOST_METHODS ? [[name, count] as const] : []
  })
}

const PATTERN_BUILDER = /\bRegExp\(/
/** A literal, or constants combined: no external input. */
const CONSTANT_PATTERN = /\bRegExp\(\s*(?:'(?:\\.|[^'\\\n])*'|(?:String\.raw)?`(?:\\[\s\S]|\$\{[A-Z][A-Z_]*\}|\$(?!\{)|[^`$\\])*`)\s*[,)]/g

/** A pattern from input may take exponential time; `core/files/glob.ts` matches patterns in linear time. */
const buildsPattern = (text: string): boolean =>
  PATTERN_BUILDER.test(withoutText(withoutText(text, { strings: false }).replace(CONSTANT_PATTERN, ' '), { strings: true }))

function importBreaches({ path, text }: SourceFile): string[] {
  const layer = layerOf(path)
  if (layer === undefined || isTest(path) || COMPOSITION.has(layer)) return []
  const allowed = LAYERS[layer]
  if (!allowed) return [`${path}: ${layer} is not a layer of the architecture`]
  return importsOf(text).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      const name = packageName(specifier)
      const permitted = allowed.packages.includes(name) || (name.startsWith('node:') && allowed.packages.includes('node:*'))
      return permitted ? [] : [`${path}: ${layer} may not use the package ${name}`]
    }
    const target = resolve(path, specifier)
    const other = layerOf(target)
    if (other === undefined) return [`${path}: imports ${target}, outside src`]
    if (other !== layer) return allowed.layers.includes(other) ? [] : [`${path}: ${layer} may not import ${other} (${specifier})`]
    const [from, to] = [folderInLayer(path), folderInLayer(target)]
    const crosses = layer === 'contracts' && from !== undefined && to !== undefined && from !== to
    return crosses ? [`${path}: one contract may not import another (${specifier})`] : []
  })
}

export function importsOf(text: string): string[] {
  const code = withoutText(text, { strings: false })
  const patterns = [
    /^[ \t]*(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([\w@./:-]+)['"]/gm,
    /^[ \t]*import\s*['"]([\w@./:-]+)['"]/gm,
    /\b(?:import|require|require\.resolve|import\.meta\.resolve)\(\s*['"]([\w@./:-]+)['"]/g,
  ]
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].flatMap((match) => match[1] ?? []))
}

export const isTest = (path: string): boolean => path.startsWith('test/') || path.endsWith('.test.ts')

/** The top folder in src, or the name of a file there. */
function layerOf(path: string): string | undefined {
  return /^src\/([^/]+?)(?:\.[a-z.]+)?(?:\/|$)/.exec(path)?.[1]
}

function folderInLayer(path: string): string | undefined {
  return /^src\/[^/]+\/([^/]+)\//.exec(path)?.[1]
}

export function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

export function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const step of specifier.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '.') parts.push(step)
  }
  return parts.join('/')
}

/** Removes comments and regular expressions, and strings if requested, including code inside template strings. */
export function withoutText(text: string, { strings }: { strings: boolean }): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=(?:[(,=:[!&|?{};\n]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
  return text.replace(token, (found) => {
    if (found.startsWith('/')) return ' '
    return strings ? "''" : found
  })
}
