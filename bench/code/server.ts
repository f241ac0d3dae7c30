import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'

const HOUR_MS = 3_600_000
const indexed = z.looseObject({ project_id: z.string(), files_indexed: z.number(), chunks_created: z.number(), files_changed: z.number() })
const status = z.looseObject({
  status: z.string(),
  vectors_done: z.number(),
  vectors_total: z.number(),
  vectors_eta_seconds: z.number().nullable(),
})
const found = z.object({
  results: z.array(
    z.looseObject({
      file_path: z.string(),
      start_line: z.int(),
      end_line: z.int(),
      name: z.string().optional(),
      symbol: z.string().optional(),
      line: z.int().optional(),
    }),
  ),
})
export type FoundCode = z.infer<typeof found>['results'][number]

export type Mode = 'keyword' | 'vector' | 'hybrid'

/** The program as an agent starts it, spoken to through its tools only. */
export interface CodeServer {
  index(path: string, progress?: (done: number, total: number) => void): Promise<z.infer<typeof indexed>>
  status(project: string): Promise<z.infer<typeof status>>
  /** Files in the order of their best passage. */
  files(mode: Mode, query: string, project: string): Promise<readonly string[]>
  /** Passages as `search_code` returns them. */
  search(query: string, project: string, limit: number): Promise<readonly FoundCode[]>
  peakMegabytes(): number
  close(): Promise<void>
}

const WEIGHTS: Readonly<Record<Exclude<Mode, 'hybrid'>, Record<string, number>>> = {
  keyword: { vector_weight: 0, bm25_weight: 1, ppr_weight: 0 },
  vector: { vector_weight: 1, bm25_weight: 0, ppr_weight: 0 },
}

export async function startServer(entry: string, dataDir: string, flags: readonly string[] = []): Promise<CodeServer> {
  const client = new Client({ name: 'code-bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', '--data-dir', dataDir, '--log-level', 'error', ...flags],
    env: { ...getDefaultEnvironment(), MNEME_SHARED: 'off' },
    maxBufferSize: 2 ** 28,
  })
  await client.connect(transport)
  const { pid } = transport

  const call = async (name: string, input: Record<string, unknown>, progress?: (done: number, total: number) => void): Promise<unknown> => {
    const onprogress =
      progress === undefined
        ? {}
        : { onprogress: (told: { progress: number; total?: number | undefined }) => progress(told.progress, told.total ?? 0) }
    const result = await client.callTool({ name, arguments: input }, { timeout: HOUR_MS, ...onprogress })
    const [block] = result.content
    const text = block?.type === 'text' ? block.text : ''
    if (result.isError) throw new Error(`${name}: ${text}`)
    return result.structuredContent ?? JSON.parse(text)
  }

  return {
    index: async (path, progress) => indexed.parse(await call('index_project', { path }, progress)),
    status: async (project) => status.parse(await call('get_index_status', { project_id: project })),
    async files(mode, query, project) {
      const shared = { query, project_id: project, limit: 50 }
      const answer =
        mode === 'hybrid'
          ? await call('search_code', shared)
          : await call('recall', { ...shared, include_memories: false, include_code: true, ...WEIGHTS[mode] })
      return [...new Set(found.parse(answer).results.map((result) => result.file_path))]
    },
    search: async (query, project, limit) => found.parse(await call('search_code', { query, project_id: project, limit })).results,
    peakMegabytes: () => (pid === null ? 0 : peakOf(pid)),
    close: () => client.close(),
  }
}

/** The highest the process ever stood, where the system keeps count of it. */
function peakOf(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
