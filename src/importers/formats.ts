import type { Importer } from '../ports/importer.js'
import { chatgpt } from './formats/chatgpt.js'
import { claudeAi } from './formats/claude-ai.js'
import { claudeCode } from './formats/claude-code.js'
import { claudeMem } from './formats/claude-mem.js'
import { codex } from './formats/codex.js'
import { gemini } from './formats/gemini.js'
import { graphiti } from './formats/graphiti.js'
import { hindsight } from './formats/hindsight.js'
import { letta } from './formats/letta.js'
import { mcpMemoryService } from './formats/mcp-memory-service.js'
import { mem0 } from './formats/mem0.js'
import { mempalace } from './formats/mempalace.js'
import { mneme } from './formats/mneme.js'
import { mnemeMarkdown } from './formats/mneme-markdown.js'
import { basicMemory, markdown, obsidian } from './formats/notes.js'
import { opencode } from './formats/opencode.js'
import { clientMemory, rules } from './formats/rules.js'
import { serverMemory } from './formats/server-memory.js'
import { table } from './formats/table.js'

/** In the order in which they are tried: those with the surest marks first, tables and plain Markdown last. */
export const FORMATS: readonly Importer[] = [
  ...[mneme, mnemeMarkdown, serverMemory, chatgpt, claudeAi, claudeMem, mem0, mempalace, mcpMemoryService, graphiti, letta, hindsight],
  ...[claudeCode, codex, gemini, opencode, obsidian, basicMemory, clientMemory, rules, table, markdown],
]
