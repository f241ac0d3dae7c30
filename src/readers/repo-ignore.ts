import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type IgnoreList, type IgnoreVerdict, parseIgnoreRules } from '../core/files/ignore-rules.js'
import { type IgnoreReason, whyFolderSkipped } from '../core/files/skipped-files.js'
import { excludeFile } from './git-folder.js'
import { readRegularFile } from './regular-file.js'

/** Files that mark the root of a project or package. */
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

/** Inside one of these, built and vendored files are wanted. */
const DEPENDENCY_FOLDERS = new Set(['node_modules', 'site-packages'])

const RULE_FILES = ['.gitignore', '.memoryignore'] as const
const MAX_RULE_FILE_BYTES = 524_288
/** Maximum cost of all active wildcards, ten times that of the largest real projects. */
const MAX_RULE_COST = 16_384

export const isRuleFile = (path: string): boolean => RULE_FILES.some((name) => path === name || path.endsWith(`/${name}`))

/** The rules of one folder; `base` is its path from the root. */
interface Level {
  readonly base: string
  readonly rules: IgnoreList
}

/** Rules that exceed the limit exclude everything, so that nothing excluded is read. */
const NO_IGNORE_LIST: IgnoreList = { cost: 0, verdict: () => 'ignored' }

/** Ignore rules of one folder. Paths are relative to the root, with forward slashes. */
export interface IgnoreRules {
  /**
   * Why an entry is excluded: hidden and not named explicitly, ignored, or excluded by convention. `path` must be a direct entry of the
   * folder.
   */
  ignores(path: string, isDirectory: boolean, isNamed?: boolean): IgnoreReason | null
  /** The rules inside a folder that is not excluded. */
  enter(folder: string): Promise<IgnoreRules>
}

/**
 * The rules of the root and its parents up to the Git root. If the root itself is ignored, as when dependencies are indexed on purpose, the
 * rules above it do not apply.
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
  let above: readonly Level[] =
    gitRoot === null ? [] : withLevel([], await levelOf('', [await excludeFile(gitRoot)], { followLinks: true }))
  let rootIgnored = false
  for (let depth = 0; gitRoot !== null && depth < steps.length; depth++) {
    above = withLevel(above, await levelOf(stepTo(depth), ruleFiles(join(gitRoot, ...steps.slice(0, depth)))))
    rootIgnored ||= verdictOf(above, stepTo(depth + 1), true) === 'ignored'
  }
  const prefix = stepTo(steps.length)
  const levels = withLevel(rootIgnored ? [] : above, await levelOf(prefix, ruleFiles(root)))
  return rulesOf(root, prefix, levels, true)
}

function rulesOf(root: string, prefix: string, levels: readonly Level[], beginsProject: boolean): IgnoreRules {
  const inDependencies = root.split(/[/\\]/).some((step) => DEPENDENCY_FOLDERS.has(step))
  const fromTop = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  const byConvention = (name: string): IgnoreReason | null => (inDependencies ? null : whyFolderSkipped(name, beginsProject))
  return {
    ignores(path, isDirectory, isNamed = false) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (name.startsWith('.') && !isNamed) return 'ignored'
      const verdict = verdictOf(levels, fromTop(path), isDirectory)
      if (verdict === 'none') return isDirectory ? byConvention(name) : null
      return verdict === 'ignored' ? 'ignored' : null
    },
    async enter(folder) {
      const names = await namesIn(join(root, folder))
      const own = await levelOf(
        fromTop(folder),
        RULE_FILES.filter((name) => names.has(name)).map((name) => join(root, folder, name)),
      )
      return rulesOf(
        root,
        prefix,
        withLevel(levels, own),
        [...MANIFESTS].some((name) => names.has(name)),
      )
    },
  }
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder))
  } catch (failure) {
    // The scan reports that the folder is unreadable.
    if (failure instanceof Error && 'code' in failure) return new Set()
    throw failure
  }
}

/** The deepest rule file that matches a path decides. */
function verdictOf(levels: readonly Level[], path: string, isDirectory: boolean): IgnoreVerdict {
  for (let depth = levels.length - 1; depth >= 0; depth--) {
    const level = levels[depth]
    if (level === undefined) continue
    const relative = level.base === '' ? path : path.slice(level.base.length + 1)
    const verdict = level.rules.verdict(relative, isDirectory)
    if (verdict !== 'none') return verdict
  }
  return 'none'
}

const ruleFiles = (folder: string): readonly string[] => RULE_FILES.map((name) => join(folder, name))

/** Git does not follow links for rule files inside the tree. */
async function levelOf(base: string, files: readonly string[], links = { followLinks: false }): Promise<Level | null> {
  const texts: string[] = []
  for (const file of files) {
    const read = await readRegularFile(file, { maxBytes: MAX_RULE_FILE_BYTES, ...links })
    if (read === 'too_large') return { base, rules: NO_IGNORE_LIST }
    if (read !== null) texts.push(read.toString('utf8').replace(/^\uFEFF/, ''))
  }
  if (texts.length === 0) return null
  const options = { ignoreCase: process.platform !== 'linux', maxCost: MAX_RULE_COST }
  return { base, rules: parseIgnoreRules(texts.join('\n'), options) ?? NO_IGNORE_LIST }
}

function withLevel(levels: readonly Level[], own: Level | null): readonly Level[] {
  if (own === null) return levels
  const cost = [...levels, own].reduce((sum, { rules }) => sum + rules.cost, 0)
  return [...levels, cost > MAX_RULE_COST ? { base: own.base, rules: NO_IGNORE_LIST } : own]
}
