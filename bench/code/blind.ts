import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type CodeServer, type FoundCode, startServer } from './server.js'

const question = z.object({
  id: z.string(),
  repo: z.string(),
  query: z.string(),
  category: z.enum(['function', 'literal', 'issue']),
  file: z.string().optional(),
  symbol: z.string().optional(),
  line: z.int().optional(),
  files: z.array(z.string()).optional(),
})
type Question = z.infer<typeof question>

export interface BlindOptions {
  readonly entry: string
  /** Of the server; kept between runs if the caller keeps it. */
  readonly dataDir: string
  readonly questions: string
  /** Folders of the repositories, by the names that the questions use. */
  readonly repos: ReadonlyMap<string, string>
  /** Prints each miss. */
  readonly print?: ((line: string) => void) | undefined
}

/** Questions right, by measure, for one half of the questions. */
export interface BlindReport {
  readonly half: 'even' | 'odd' | 'all'
  readonly measures: Readonly<Record<string, { readonly right: number; readonly asked: number }>>
}

const PASSAGES = 10
const FILES_LIMIT = 50

/** Measures whose misses are printed. */
const DECISIVE = new Set(['function: first', 'literal: line first', 'issue: files among 5'])

type Verdicts = Readonly<Record<string, boolean | number>>

/** The last part of `Class.method`, and the whole if the result qualifies it. */
function isNamed(found: FoundCode, { file, symbol = '' }: Question): boolean {
  if (found.file_path !== file) return false
  const named = found.symbol ?? found.name ?? ''
  return named === symbol || (found.symbol === undefined && named === symbol.split('.').at(-1))
}

const holdsLine = (found: FoundCode | undefined, { file, line = 0 }: Question): boolean =>
  found !== undefined && found.file_path === file && found.start_line <= line && line <= found.end_line

function judge(asked: Question, found: readonly FoundCode[]): Verdicts {
  const files = [...new Set(found.map(({ file_path }) => file_path))]
  const [first] = found
  if (asked.category === 'issue') {
    const share = (count: number): number => {
      const wanted = asked.files ?? []
      return wanted.filter((file) => files.slice(0, count).includes(file)).length / wanted.length
    }
    return {
      'issue: files among 5': share(5),
      'issue: files among 10': share(10),
      'issue: first file': (asked.files ?? []).includes(first?.file_path ?? ''),
    }
  }
  if (asked.category === 'literal')
    return {
      'literal: passage first': holdsLine(first, asked),
      'literal: line first': holdsLine(first, asked) && first?.line === asked.line,
      'literal: file first': first?.file_path === asked.file,
    }
  return {
    'function: first': first !== undefined && isNamed(first, asked),
    'function: among three': found.slice(0, 3).some((result) => isNamed(result, asked)),
    'function: among ten': found.some((result) => isNamed(result, asked)),
    'function: file among three': files.slice(0, 3).includes(asked.file ?? ''),
  }
}

/** Questions written without looking at the search, about two repositories outside this one. */
export async function measureBlind({ entry, dataDir, questions, repos, print }: BlindOptions): Promise<readonly BlindReport[]> {
  const asked = readFileSync(questions, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => question.parse(JSON.parse(line)))
  const server = await startServer(entry, dataDir)
  const sums = {
    even: new Map<string, [number, number]>(),
    odd: new Map<string, [number, number]>(),
    all: new Map<string, [number, number]>(),
  }
  try {
    const projects = new Map<string, string>()
    for (const [name, folder] of repos) projects.set(name, await indexed(server, folder))
    for (const question of asked) {
      const project = projects.get(question.repo)
      if (project === undefined) throw new Error(`No folder for the repository ${question.repo}: add ${question.repo}=<folder> to --repos.`)
      const found = await server.search(question.query, project, question.category === 'issue' ? FILES_LIMIT : PASSAGES)
      const verdicts = judge(question, found)
      const half = Number(question.id.replace(/\D/g, '')) % 2 === 0 ? 'even' : 'odd'
      for (const [measure, right] of Object.entries(verdicts)) {
        for (const part of [half, 'all'] as const) {
          const [sum, count] = sums[part].get(measure) ?? [0, 0]
          sums[part].set(measure, [sum + Number(right), count + 1])
        }
      }
      if (Object.entries(verdicts).some(([measure, right]) => DECISIVE.has(measure) && Number(right) < 1))
        print?.(`${question.id} ${question.query.slice(0, 90)} -> ${describe(found[0])}, wanted ${wantedOf(question)}`)
    }
  } finally {
    await server.close()
  }
  return (['even', 'odd', 'all'] as const).map((half) => ({
    half,
    measures: Object.fromEntries([...sums[half]].map(([measure, [right, count]]) => [measure, { right, asked: count }])),
  }))
}

async function indexed(server: CodeServer, folder: string): Promise<string> {
  const { project_id: project } = await server.index(folder)
  for (;;) {
    const { vectors_done, vectors_total } = await server.status(project)
    if (vectors_done === vectors_total) return project
    await delay(500)
  }
}

const describe = (found: FoundCode | undefined): string =>
  found === undefined ? 'nothing' : `${found.file_path}:${found.line ?? found.start_line} ${found.symbol ?? found.name ?? ''}`

const wantedOf = ({ file, symbol, line, files }: Question): string => files?.join(', ') ?? `${file}:${line ?? ''} ${symbol ?? ''}`
