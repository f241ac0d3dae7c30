import { open } from 'node:fs/promises'
import { join } from 'node:path'
import createIgnore, { type Ignore } from 'ignore'

/** Dependencies and build results, which some projects forget to ignore; a rule such as `!build/` brings one back. */
const RARELY_SOURCES = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  'vendor',
  '__pycache__',
  'site-packages',
  'venv',
  'DerivedData',
  'Pods',
  'htmlcov',
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

/** The rules that hold in one folder of a tree. Paths are relative to the root, with forward slashes. */
export interface IgnoreRules {
  /** True for what is hidden, ignored or no source by custom; `path` must lie directly in the folder. */
  ignores(path: string, isDirectory: boolean): boolean
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
  const above: Level[] = []
  if (gitRoot !== null) {
    above.push(...(await levelOf('', [join(gitRoot, '.git', 'info', 'exclude')])))
    for (let depth = 0; depth < steps.length; depth++) {
      above.push(...(await levelOf(steps.slice(0, depth).join('/'), ruleFiles(join(gitRoot, ...steps.slice(0, depth))))))
    }
  }
  const prefix = steps.join('/')
  const rootIgnored = steps.some((_, depth) => verdictOf(above, `${steps.slice(0, depth + 1).join('/')}/`) === 'ignored')
  const levels = [...(rootIgnored ? [] : above), ...(await levelOf(prefix, ruleFiles(root)))]
  return rulesOf(root, prefix, levels)
}

function rulesOf(root: string, prefix: string, levels: readonly Level[]): IgnoreRules {
  const skipped = root.split(/[/\\]/).some((step) => DEPENDENCY_FOLDERS.has(step)) ? new Set<string>() : RARELY_SOURCES
  const fromTop = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  return {
    ignores(path, isDirectory) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (name.startsWith('.')) return true
      const verdict = verdictOf(levels, isDirectory ? `${fromTop(path)}/` : fromTop(path))
      return verdict === 'none' ? isDirectory && skipped.has(name) : verdict === 'ignored'
    },
    async enter(folder) {
      const own = await levelOf(fromTop(folder), ruleFiles(join(root, folder)))
      return own.length === 0 ? rulesOf(root, prefix, levels) : rulesOf(root, prefix, [...levels, ...own])
    },
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
  const rules = createIgnore({ ignorecase: process.platform !== 'linux', allowRelativePaths: true })
  for (const line of lines) addRule(rules, line)
  return [{ base, rules }]
}

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
