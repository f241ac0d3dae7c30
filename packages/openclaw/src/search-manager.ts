import type { MemoryClient } from 'mneme/client'
import type { ReadResult, SearchHit, SearchManager, SearchOptions } from './host.js'

/** Addresses of memories for OpenClaw: paths below a folder that does not exist on disk. */
const FOLDER = 'mneme/'

const idOf = (path: string): string => (path.startsWith(FOLDER) ? path.slice(FOLDER.length) : path)

/** Memories of one owner as OpenClaw's memory files. */
export function searchManager(memory: MemoryClient, owner: string): SearchManager {
  const probe = async (): Promise<{ readonly ok: boolean; readonly error?: string }> => {
    try {
      await memory.call('memory', 'get_status')
      return { ok: true }
    } catch (failure) {
      return { ok: false, error: failure instanceof Error ? failure.message : String(failure) }
    }
  }
  return {
    search: (query, options) => search(memory, owner, query, options),
    readFile: (request) => readFile(memory, owner, request),
    status: () => ({ backend: 'builtin', provider: 'mneme', sources: ['memory'], vector: { enabled: true }, custom: { owner } }),
    probeEmbeddingAvailability: probe,
    probeVectorAvailability: async () => (await probe()).ok,
    close: async () => undefined,
  }
}

async function search(memory: MemoryClient, owner: string, query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
  const { maxResults = 8, minScore = 0, sources, signal } = options
  if (query.trim() === '' || sources?.includes('memory') === false) return []
  const { results } = await memory.recall(query, { owner, limit: maxResults, ...(signal === undefined ? {} : { signal }) })
  return results
    .map(({ id, text, score, relevance }) => ({
      path: `${FOLDER}${id}`,
      startLine: 1,
      endLine: text.split('\n').length,
      score: relevance ?? score,
      snippet: text,
      source: 'memory' as const,
    }))
    .filter(({ score }) => score >= minScore)
}

async function readFile(
  memory: MemoryClient,
  owner: string,
  { relPath, from = 1, lines }: { readonly relPath: string; readonly from?: number; readonly lines?: number },
): Promise<ReadResult> {
  const found = await memory.get(idOf(relPath), { owner })
  if (found === undefined) return { status: 'not_found', text: '', path: relPath }
  const all = found.text.split('\n')
  const shown = all.slice(from - 1, lines === undefined ? undefined : from - 1 + lines)
  const next = from + shown.length
  return {
    status: 'ok',
    text: shown.join('\n'),
    path: relPath,
    from,
    lines: shown.length,
    ...(next <= all.length ? { nextFrom: next } : {}),
  }
}
