// The real clients from npm, each in a folder below .cache/clients, without their install scripts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.env.MNEME_CLIENTS_DIR ?? join(process.cwd(), '.cache', 'clients')
const platform = `${process.platform}-${process.arch}`

/** Tested versions of the clients. */
const PACKAGES: Readonly<Record<string, { readonly spec: string; readonly program: string }>> = {
  claude: { spec: '@anthropic-ai/claude-code@2.1.325', program: `@anthropic-ai/claude-code-${platform}/claude` },
  codex: { spec: '@openai/codex@0.166.0', program: '.bin/codex' },
  gemini: { spec: '@google/gemini-cli@0.61.0', program: '.bin/gemini' },
  opencode: { spec: 'opencode-ai@1.18.33', program: `opencode-${platform}/bin/opencode` },
  qwen: { spec: '@qwen-code/qwen-code@0.24.4', program: '.bin/qwen' },
  copilot: { spec: '@github/copilot@1.0.102', program: '.bin/copilot' },
  amp: { spec: '@ampcode/cli@0.0.1790142911-g7618fb', program: `@ampcode/cli-${platform}/amp` },
  // Some need a newer Node than this project.
  node22: { spec: `node-${platform}@22`, program: '.bin/node' },
}

/** Fetches one; returns its program, or why it is unavailable. */
export function fetchClient(name: string): { readonly path?: string; readonly reason?: string } {
  const known = PACKAGES[name]
  if (known === undefined) return { reason: `There is no package for ${name}.` }
  const { spec, program } = known
  const folder = join(root, name)
  const path = join(folder, 'node_modules', program)
  if (existsSync(path)) return { path }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefer-offline']
  const run = spawnSync('npm', ['install', ...flags, spec], { cwd: folder, encoding: 'utf8', timeout: 300_000 })
  if (run.status === 0 && existsSync(path)) return { path }
  return { reason: `${spec} cannot be fetched here: ${(run.stderr || String(run.error ?? '')).trim().split('\n').at(-1) ?? ''}` }
}
