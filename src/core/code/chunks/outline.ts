/** Kinds of code chunks, as published. Methods are functions, interfaces and enums are classes. */
export const CHUNK_KINDS = ['function', 'class', 'struct', 'module', 'impl', 'other'] as const
export type ChunkKind = (typeof CHUNK_KINDS)[number]

/** Offsets count UTF-16 units; lines are 1-based and inclusive and end with a line feed only. */
export interface Definition {
  readonly name: string
  readonly kind: ChunkKind
  /** Names of the enclosing definitions, outermost first. */
  readonly scope: readonly string[]
  /** Index of the enclosing definition in the outline, -1 at the top. */
  readonly parent: number
  /** One line, white space collapsed, without the body. */
  readonly signature: string
  /** The text of the doc comment or docstring without its comment marks. */
  readonly doc: string
  readonly start: number
  readonly end: number
  /** The first line of the doc comment or decorator where there is one. */
  readonly startLine: number
  readonly endLine: number
}

export interface OutlineReference {
  readonly kind: 'calls' | 'imports' | 'exports' | 'inherits'
  /** The name in its own module; `default` and `*` as in ECMAScript. */
  readonly name: string
  /** For imports and re-exports: the module specifier as written. */
  readonly module: string | null
  /** For calls: the receiver, as `this`, `a.b` or `a::`; `?` if it is not a name. Absent for a bare name. */
  readonly on?: string
  /** For imports: the local name, absent if nothing is bound. For exports: the exported name. */
  readonly as?: string
  /** For imports: the name is the module itself. */
  readonly whole?: boolean
  readonly line: number
  /** Index of the definition that contains it, -1 for module level. */
  readonly within: number
}

/** Definitions in the order of their starts, each before the ones it encloses. */
export interface FileOutline {
  /** False if the file could not be parsed; it is then cut into line windows. */
  readonly parsed: boolean
  readonly definitions: readonly Definition[]
  readonly references: readonly OutlineReference[]
}

export const NO_OUTLINE: FileOutline = { parsed: false, definitions: [], references: [] }
