import type { ParsedFile, SourceText } from '../ports/code-parser.js'

export interface ParseSettings {
  readonly budgetMs: number
  /** URL of a module with `createRoughEmbedder`, which computes rough vectors; none are computed without it. */
  readonly roughUrl?: string
}

export interface ParseRequest {
  readonly files: readonly SourceText[]
  /** Cuts the files into lines, because a grammar failed on them. */
  readonly byLines: boolean
}

export interface ParseReply {
  readonly parsed: readonly ParsedFile[]
}

export const isParseSettings = (value: unknown): value is ParseSettings =>
  typeof value === 'object' && value !== null && 'budgetMs' in value && typeof value.budgetMs === 'number'
