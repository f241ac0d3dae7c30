/** Where calls of tools go: a server, or an engine in the same process. */
export interface Transport {
  call(contract: string, tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<unknown>
  /** Of what answers there. */
  serverVersion?(): Promise<string>
}
