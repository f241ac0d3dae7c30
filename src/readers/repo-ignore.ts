import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import createIgnore, { type Ignore } from 'ignore'
import { excludeFile } from './git-folder.js'

/** Dependencies and caches, which some projects forget to ignore; a rule such as `!venv/` brings one back. */
const NEVER_SOURCES = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '__pycache__',
  'site-packages',
  'venv',
  'DerivedData',
  'Pods',
  'htmlcov',
])

/** Build results by custom where a project begins; anywhere else these are words like others. */
const BUILD_FOLDERS = new Set(['dist', 'build', 'out', 'target', 'coverage', 'vendor'])

/** A folder that holds one of these is where a project, or a package of it, begins. */
const MANIFESTS = new Set([
  'package.json',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.py',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'build.sbt',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'pubspec.yaml',
  'Package.swift',
])

/** Whoever indexes a folder inside one of these wants what is built and vendored there. */
const DEPENDENCY_FOLDERS = new Set(['node_modules', 'site-packages'])

const RULE_FILES = ['.gitignore', '.memoryignore'] as const
const MAX_RULE_FILE_BYTES = 262_144

export const isRuleFile = (path: string): boolean => RULE_FILES.some((name) => path === name || path.endsWith(`/${name}`))

/** The rules of one folder, which is `base` seen from the top. */
interface Level {
  readonly base: string
  readonly rules: Ignore
}

/** `build_folder` is left out by custom, which may be wrong, so that it is told apart from what somebody asked for. */
export type Ignored = 'ignored' | 'build_folder'

/** The rules that hold in one folder of a tree. Paths are relative to the root, with forward slashes. */
export interface IgnoreRules {
  /** Why something is left out: it is hidden, ignored, or no source by custom; `path` must lie directly in the folder. */
  ignores(path: string, isDirectory: boolean): Ignored | null
  /** The rules inside a folder that was not left out. */
  enter(folder: string): Promise<IgnoreRules>
}

/**
 * The rules of the root, with those of the folders above it up to the Git root. If the root itself is ignored there,
 * as when dependencies are indexed on purpose, what lies above has no say.
 */
export async function openIgnoreRules(root: string, gitRoot: string | null): Promise<IgnoreRules> {
  const steps =
    gitRoot === null
      ? []
      : root
          .slice(gitRoot.length)
          .split(/[/\\]/)
          .filter((step) => step !== '')
  const stepTo = (depth: number): string => steps.slice(0, depth).join('/')
  let above: readonly Level[] = gitRoot === null ? [] : await levelOf('', [await excludeFile(gitRoot)])
  let rootIgnored = false
  for (let depth = 0; gitRoot !== null && depth < steps.length; depth++) {
    above = [...above, ...(await levelOf(stepTo(depth), ruleFiles(join(gitRoot, ...steps.slice(0, depth)))))]
    rootIgnored ||= verdictOf(above, `${stepTo(depth + 1)}/`) === 'ignored'
    above = above.map((level) => entered(level, stepTo(depth + 1)))
  }
  const prefix = stepTo(steps.length)
  const levels = [...(rootIgnored ? [] : above), ...(await levelOf(prefix, ruleFiles(root)))]
  return rulesOf(root, prefix, levels, true)
}

function rulesOf(root: string, prefix: string, levels: readonly Level[], beginsProject: boolean): IgnoreRules {
  const inDependencies = root.split(/[/\\]/).some((step) => DEPENDENCY_FOLDERS.has(step))
  const fromTop = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  const byCustom = (name: string): Ignored | null => {
    if (inDependencies) return null
    if (NEVER_SOURCES.has(name)) return 'ignored'
    return beginsProject && BUILD_FOLDERS.has(name) ? 'build_folder' : null
  }
  return {
    ignores(path, isDirectory) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (name.startsWith('.')) return 'ignored'
      const verdict = verdictOf(levels, isDirectory ? `${fromTop(path)}/` : fromTop(path))
      if (verdict === 'none') return isDirectory ? byCustom(name) : null
      return verdict === 'ignored' ? 'ignored' : null
    },
    async enter(folder) {
      const names = await namesIn(join(root, folder))
      const own = await levelOf(
        fromTop(folder),
        RULE_FILES.filter((name) => names.has(name)).map((name) => join(root, folder, name)),
      )
      const inherited = levels.map((level) => entered(level, fromTop(folder)))
      return rulesOf(
        root,
        prefix,
        [...inherited, ...own],
        [...MANIFESTS].some((name) => names.has(name)),
      )
    },
  }
}

/**
 * A folder that one rule file ignores and a deeper one brings back is judged by its own name only: seen from inside, the
 * first file must still speak about each entry, but no longer say that all of them lie in an ignored folder.
 */
function entered({ base, rules }: Level, folder: string): Level {
  const inside = base === '' ? folder : folder.slice(base.length + 1)
  if (!rules.test(`${inside}/`).ignored) return { base, rules }
  const literal = inside.replace(/[\\*?[\]!# ]/g, '\\$&')
  return { base, rules: newRules().add(rules).add(`!/${literal}/`) }
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder))
  } catch (failure) {
    // Whoever scans it will say that it cannot be read.
    if (failure instanceof Error && 'code' in failure) return new Set()
    throw failure
  }
}

/** The deepest rule file that says anything about a path wins. */
function verdictOf(levels: readonly Level[], path: string): 'ignored' | 'kept' | 'none' {
  let verdict: 'ignored' | 'kept' | 'none' = 'none'
  for (const { base, rules } of levels) {
    if (base !== '' && !path.startsWith(`${base}/`)) continue
    const relative = base === '' ? path : path.slice(base.length + 1)
    if (relative === '') continue
    const result = rules.test(relative)
    if (result.ignored) verdict = 'ignored'
    else if (result.unignored) verdict = 'kept'
  }
  return verdict
}

const ruleFiles = (folder: string): readonly string[] => RULE_FILES.map((name) => join(folder, name))

async function levelOf(base: string, files: readonly string[]): Promise<readonly Level[]> {
  const texts: string[] = []
  for (const file of files) texts.push(await readRuleFile(file))
  const lines = texts
    .join('\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0) return []
  const rules = newRules()
  for (const line of lines) addRule(rules, line)
  return [{ base, rules }]
}

const newRules = (): Ignore => createIgnore({ ignorecase: process.platform !== 'linux', allowRelativePaths: true })

/** A pattern that makes no sense is passed over, as Git does, and the others still count. */
function addRule(rules: Ignore, line: string): void {
  try {
    const probe = createIgnore({ allowRelativePaths: true }).add(line)
    probe.test('probe')
    rules.add(line)
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
  }
}

async function readRuleFile(path: string): Promise<string> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      return size === 0 || size > MAX_RULE_FILE_BYTES ? '' : (await file.readFile('utf8')).replace(/^\uFEFF/, '')
    } finally {
      await file.close()
    }
  } catch (failure) {
    // Missing, a folder of that name, or not ours to read: there are no rules to follow.
    if (failure instanceof Error && 'code' in failure) return ''
    throw failure
  }
}
