import type { ParsedFile, SourceText } from '../ports/code-parser.js'

export interface ParseSettings {
  readonly budgetMs: number
  /** Address of a module whose `createRoughEmbedder` makes first vectors; none are made without. */
  readonly roughUrl?: string
}

export interface ParseRequest {
  readonly files: readonly SourceText[]
  /** Without the grammars, one of which has failed over these files. */
  readonly byLines: boolean
}

export interface ParseReply {
  readonly parsed: readonly ParsedFile[]
}

export const isParseSettings = (value: unknown): value is ParseSettings =>
  typeof value === 'object' && value !== null && 'budgetMs' in value && typeof value.budgetMs === 'number'
