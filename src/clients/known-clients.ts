import { amp } from './amp.js'
import { antigravity } from './antigravity.js'
import { claudeCode } from './claude-code.js'
import { claudeDesktop } from './claude-desktop.js'
import type { Client } from './client.js'
import { cline } from './cline.js'
import { codex } from './codex.js'
import { continueDev } from './continue.js'
import { copilot } from './copilot.js'
import { cursor } from './cursor.js'
import { factory } from './factory.js'
import { gemini } from './gemini.js'
import { goose } from './goose.js'
import { hermes } from './hermes.js'
import { junie } from './junie.js'
import { kilo } from './kilo.js'
import { kiro } from './kiro.js'
import { lmStudio } from './lm-studio.js'
import { openclaw } from './openclaw.js'
import { opencode } from './opencode.js'
import { qwen } from './qwen.js'
import { roo } from './roo.js'
import { vscode } from './vscode.js'
import { windsurf } from './windsurf.js'
import { zed } from './zed.js'

export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  gemini,
  opencode,
  copilot,
  windsurf,
  zed,
  cline,
  roo,
  continueDev,
  goose,
  junie,
  amp,
  qwen,
  kiro,
  lmStudio,
  kilo,
  openclaw,
  hermes,
  antigravity,
  factory,
]
