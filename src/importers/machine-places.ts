import { join } from 'node:path'

/** What decides where programs keep their files. */
export interface MachineEnvironment {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly variables: Readonly<Record<string, string | undefined>>
}

export interface MachinePlace {
  readonly path: string
  readonly format: string
}

/** Where the programs whose formats are known keep their memories on this machine, and the rules of the folder worked in. */
export function machinePlaces({ home, platform, variables }: MachineEnvironment, folder: string): readonly MachinePlace[] {
  const claude = variables.CLAUDE_CONFIG_DIR ?? join(home, '.claude')
  const codex = variables.CODEX_HOME ?? join(home, '.codex')
  const data = variables.XDG_DATA_HOME ?? join(home, '.local', 'share')
  const service = {
    darwin: join(home, 'Library', 'Application Support', 'mcp-memory'),
    win32: join(variables.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'mcp-memory'),
  }[platform === 'darwin' || platform === 'win32' ? platform : 'darwin']
  const places = (format: string, ...paths: readonly (string | undefined)[]): readonly MachinePlace[] =>
    paths.flatMap((path) => (path === undefined || path === '' ? [] : [{ path, format }]))
  return [
    ...places(
      'rules',
      join(claude, 'CLAUDE.md'),
      join(codex, 'AGENTS.md'),
      join(home, '.gemini', 'GEMINI.md'),
      join(home, '.qwen', 'QWEN.md'),
    ),
    ...places(
      'rules',
      ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'GEMINI.md', '.cursorrules', '.windsurfrules', '.clinerules'].map((name) =>
        join(folder, name),
      ),
    ),
    ...places(
      'rules',
      join(folder, '.cursor', 'rules'),
      join(folder, '.windsurf', 'rules'),
      join(folder, '.github', 'copilot-instructions.md'),
      join(home, '.codeium', 'windsurf', 'memories', 'global_rules.md'),
    ),
    ...places(
      'client-memory',
      join(codex, 'memories'),
      join(home, '.openclaw', 'workspace'),
      join(variables.HERMES_HOME ?? join(home, '.hermes'), 'memories'),
    ),
    ...places('client-memory', join(claude, 'projects'), join(home, '.gemini', 'tmp')),
    ...places('server-memory', variables.MEMORY_FILE_PATH),
    ...places('claude-mem', join(variables.CLAUDE_MEM_DATA_DIR ?? join(home, '.claude-mem'), 'claude-mem.db')),
    ...places('mem0', join(home, '.mem0')),
    ...places('basic-memory', join(home, 'basic-memory')),
    ...places('mempalace', join(home, '.mempalace', 'palace'), join(home, '.mempalace', 'knowledge_graph.sqlite3')),
    ...places('mcp-memory-service', variables.MCP_MEMORY_SQLITE_PATH),
    ...places(
      'mcp-memory-service',
      join(variables.MCP_MEMORY_BASE_DIR ?? (platform === 'linux' ? join(data, 'mcp-memory') : service), 'sqlite_vec.db'),
    ),
    ...places('letta', join(home, '.letta', 'agents')),
    ...places('claude-code', join(claude, 'projects')),
    ...places('codex', join(codex, 'sessions')),
    ...places('gemini', join(home, '.gemini', 'tmp')),
    ...places('opencode', variables.OPENCODE_DB, join(data, 'opencode', 'opencode.db')),
  ]
}
