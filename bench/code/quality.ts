import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createBm25 } from './bm25.js'
import { type CodeSet, writeProject } from './code-sets.js'
import { createProgressBar } from './progress-bar.js'
import { type CodeServer, type Mode, startServer } from './server.js'

export interface Figures {
  readonly recall10: number
  readonly mrr: number
}

export interface QualityReport {
  readonly set: string
  readonly files: number
  readonly questions: number
  /** `instant` is the answer before any vector of the model is there. */
  readonly runs: Readonly<Record<'bm25' | 'instant' | Mode, Figures>>
}

type Ask = (query: string) => Promise<readonly string[]>

async function figuresOf(set: CodeSet, title: string, ask: Ask): Promise<Figures> {
  const bar = createProgressBar(`${set.name}: ${title}`)
  let recalled = 0
  let reciprocal = 0
  for (const [index, { query, gold }] of set.questions.entries()) {
    const ranked = await ask(query)
    const rank = ranked.findIndex((path) => gold.includes(path))
    if (rank >= 0) reciprocal += 1 / (rank + 1)
    recalled += gold.filter((path) => ranked.slice(0, 10).includes(path)).length / gold.length
    bar.show(index + 1, set.questions.length)
  }
  bar.end()
  const per = (sum: number): number => Math.round((sum / Math.max(1, set.questions.length)) * 1000) / 10
  return { recall10: per(recalled), mrr: per(reciprocal) }
}

/** The whole way of a user: a folder is indexed, and asked through the tools. */
export async function measureQuality(entry: string, folder: string, sets: readonly CodeSet[]): Promise<readonly QualityReport[]> {
  const instant = await startServer(entry, join(folder, 'instant'), ['--embedder', 'none'])
  const server = await startServer(entry, join(folder, 'data'))
  const reports: QualityReport[] = []
  try {
    for (const [index, set] of sets.entries()) {
      const root = join(folder, 'projects', `set-${index}`)
      mkdirSync(root, { recursive: true })
      writeProject(set, root)
      const floor = createBm25(set.documents)
      const [{ project_id: early }, { project_id: project }] = [await instant.index(root), await server.index(root)]
      const before = await figuresOf(set, 'instant', (query) => instant.files('hybrid', query, early))
      await vectorsOf(server, set.name, project)
      const ask = (mode: Mode): Promise<Figures> => figuresOf(set, mode, (query) => server.files(mode, query, project))
      const bm25 = await figuresOf(set, 'bm25', async (query) => floor.search(query, 50))
      const runs = { bm25, instant: before, keyword: await ask('keyword'), vector: await ask('vector'), hybrid: await ask('hybrid') }
      reports.push({ set: set.name, files: set.documents.length, questions: set.questions.length, runs })
    }
  } finally {
    await instant.close()
    await server.close()
  }
  return reports
}

async function vectorsOf(server: CodeServer, name: string, project: string): Promise<void> {
  const bar = createProgressBar(`${name}: vectors`)
  for (;;) {
    const { vectors_done, vectors_total } = await server.status(project)
    bar.show(vectors_done, vectors_total)
    if (vectors_done === vectors_total) break
    await delay(500)
  }
  bar.end()
}
