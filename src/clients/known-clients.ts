import type { Client } from './client.js'
import { amp } from './definitions/amp.js'
import { antigravity } from './definitions/antigravity.js'
import { claudeCode } from './definitions/claude-code.js'
import { claudeDesktop } from './definitions/claude-desktop.js'
import { cline } from './definitions/cline.js'
import { codex } from './definitions/codex.js'
import { continueDev } from './definitions/continue.js'
import { copilot } from './definitions/copilot.js'
import { cursor } from './definitions/cursor.js'
import { factory } from './definitions/factory.js'
import { gemini } from './definitions/gemini.js'
import { goose } from './definitions/goose.js'
import { hermes } from './definitions/hermes.js'
import { junie } from './definitions/junie.js'
import { kilo } from './definitions/kilo.js'
import { kiro } from './definitions/kiro.js'
import { lmStudio } from './definitions/lm-studio.js'
import { openclaw } from './definitions/openclaw.js'
import { opencode } from './definitions/opencode.js'
import { qwen } from './definitions/qwen.js'
import { roo } from './definitions/roo.js'
import { vscode } from './definitions/vscode.js'
import { windsurf } from './definitions/windsurf.js'
import { zed } from './definitions/zed.js'

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
