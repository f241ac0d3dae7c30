/** The part of the plugin API of OpenClaw that the plugin uses. */
export interface PluginApi {
  readonly pluginConfig?: Readonly<Record<string, unknown>> | undefined
  /** Configuration of the host at the time of registration. */
  readonly config?: unknown
  readonly runtime?: unknown
  readonly logger?: { warn(message: string): void } | undefined
  readonly registerMemoryCapability: (capability: MemoryCapability) => void
  readonly registerTool: (tool: ToolFactory, options: { readonly names: string[] }) => void
  readonly on: OnEvent
}

export interface OnEvent {
  (event: 'before_prompt_build', handler: (event: PromptEvent, context: AgentContext) => Promise<PromptContext | undefined>): void
  (event: 'agent_end', handler: (event: EndEvent, context: AgentContext) => Promise<void>): void
}

export interface AgentContext {
  readonly agentId?: string
  readonly sessionKey?: string
  /** What started the run: `user`, `heartbeat`, `cron` and others. */
  readonly trigger?: string
  readonly inputProvenance?: { readonly kind: string }
}

export interface PromptEvent {
  readonly prompt: string
  /** The current request without history; empty if it has no text. */
  readonly currentUserMessage?: string
}

export interface PromptContext {
  readonly prependContext: string
}

export interface EndEvent {
  readonly messages: readonly unknown[]
  readonly success: boolean
}

export interface ToolContext {
  readonly agentId?: string
  readonly sessionKey?: string
}

export interface Tool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: object
  execute(id: string, input: unknown, signal?: AbortSignal): Promise<ToolResult>
}

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly details: unknown
}

export type ToolFactory = (context: ToolContext) => Tool[]

export interface MemoryCapability {
  promptBuilder(input: { readonly availableTools: ReadonlySet<string>; readonly agentId?: string }): string[]
  readonly runtime: {
    getMemorySearchManager(request: {
      readonly agentId: string
    }): Promise<{ readonly manager: SearchManager | null; readonly error?: string }>
    resolveMemoryBackendConfig(): { readonly backend: 'builtin' }
  }
}

export interface SearchManager {
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>
  readFile(request: { readonly relPath: string; readonly from?: number; readonly lines?: number }): Promise<ReadResult>
  status(): {
    readonly backend: 'builtin'
    readonly provider: string
    readonly sources: 'memory'[]
    readonly vector: { readonly enabled: boolean }
    readonly custom: Record<string, unknown>
  }
  probeEmbeddingAvailability(): Promise<{ readonly ok: boolean; readonly error?: string }>
  probeVectorAvailability(): Promise<boolean>
  close(): Promise<void>
}

export interface SearchOptions {
  readonly maxResults?: number
  readonly minScore?: number
  readonly sources?: readonly string[]
  readonly signal?: AbortSignal
}

export interface SearchHit {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly score: number
  readonly snippet: string
  readonly source: 'memory'
}

export type ReadResult =
  | {
      readonly status: 'ok'
      readonly text: string
      readonly path: string
      readonly from: number
      readonly lines: number
      readonly nextFrom?: number
    }
  | { readonly status: 'not_found'; readonly text: ''; readonly path: string }
