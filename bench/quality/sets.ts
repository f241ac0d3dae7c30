import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { longTextSets } from './long-text.js'

/** One memory of an evaluation set, in the fields the server is given. */
export interface EvalMemory {
  readonly id: string
  readonly pool: string
  readonly content: string
  readonly session: string | null
  readonly author: string | null
  readonly title: string | null
  readonly date: string | null
  /** Position of the session in time, for sets whose questions are asked in the middle of the story. */
  readonly sessionNo: number
}

export interface EvalQuestion {
  readonly id: string
  readonly pool: string
  readonly query: string
  readonly gold: readonly string[]
  readonly category: string
  /** Only memories of sessions before this one may be returned. */
  readonly before: number
  /** Older memories that the gold contradicts: it should stand before them. */
  readonly stale: readonly string[]
  /** False for questions whose category is reported apart from the headline. */
  readonly headline: boolean
}

export interface EvalSet {
  readonly name: string
  readonly memories: readonly EvalMemory[]
  readonly questions: readonly EvalQuestion[]
  readonly code: boolean
  /** True where the memories follow one another in time, so that their order means something. */
  readonly ordered: boolean
}

const memoryLine = z.object({
  id: z.string(),
  pool: z.string(),
  text: z.string(),
  title: z.string().nullish(),
  date: z.string().nullish(),
  session: z.union([z.string(), z.number()]).nullish(),
  session_no: z.number().nullish(),
  speaker: z.string().nullish(),
  utterance: z.string().nullish(),
  caption: z.string().nullish(),
})

const questionLine = z.object({
  id: z.string(),
  pool: z.string(),
  query: z.string(),
  gold: z.array(z.string()),
  category: z.string(),
  stale: z.array(z.string()).nullish(),
  before_session: z.number().nullish(),
})

/** The order matters: short texts first, so that a cold run shows figures early. */
const knownOrder = [
  'notes',
  'notes-blind',
  'notes-second',
  'notes-third',
  'notes-fourth',
  'notes-calibration',
  'languages',
  'locomo',
  'long-whole',
  'long-pieces',
  'realmem',
  'chat',
  'hotpotqa',
  'musique',
  '2wiki',
  'cosqa',
  'scifact',
]
/** Evidence of a false premise, and questions that the store cannot answer. */
const apart = new Set(['adversarial', 'none', 'none-property', 'none-other', 'none-absent'])
/** Sets that are read only if they are named: the notes that the judge was trained on. */
const trainingSets = new Set(['judge'])

export function evaluationFolder(projectRoot: string): string | null {
  const folder = process.env.MNEME_EVALDATA ?? resolve(projectRoot, '..', 'shared', 'evaldata')
  return existsSync(folder) ? folder : null
}

/** What comes with the bench, and the larger sets where they are. */
export function evaluationFolders(projectRoot: string): readonly string[] {
  const larger = evaluationFolder(projectRoot)
  return [join(projectRoot, 'bench', 'data'), ...(larger === null ? [] : [larger])]
}

function readLines(folder: string, name: string): unknown[] {
  const plain = join(folder, name)
  const text = existsSync(plain) ? readFileSync(plain, 'utf8') : gunzipSync(readFileSync(`${plain}.gz`)).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line): unknown => JSON.parse(line))
}

function toMemory(value: unknown): EvalMemory {
  const line = memoryLine.parse(value)
  const spoken = line.utterance ?? line.text
  const session = line.session === null || line.session === undefined ? null : String(line.session)
  return {
    id: line.id,
    pool: line.pool,
    content: line.caption ? `${spoken} [shares an image: ${line.caption}]` : spoken,
    session: session === null ? null : `${line.pool}/${session}`,
    author: line.speaker ?? null,
    title: line.title ?? null,
    date: line.date ?? null,
    sessionNo: line.session_no ?? 0,
  }
}

function toQuestion(value: unknown): EvalQuestion {
  const line = questionLine.parse(value)
  return {
    id: line.id,
    pool: line.pool,
    query: line.query,
    gold: line.gold,
    category: line.category,
    before: line.before_session ?? Number.POSITIVE_INFINITY,
    stale: line.stale ?? [],
    headline: !apart.has(line.category),
  }
}

function setFolders(folder: string): string[] {
  const inside = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  return inside.flatMap((name) => {
    const child = join(folder, name)
    return existsSync(join(child, 'questions.jsonl')) ? [child] : setFolders(child)
  })
}

/** Loads the sets of some folders, all or the named ones, each memory and question checked against its shape. */
export function loadSets(folders: readonly string[], wanted: readonly string[] | null): EvalSet[] {
  const found = folders.flatMap(setFolders).map((path) => ({ name: basename(path).replace(/-dev$/, ''), load: () => loadSet(path) }))
  const conversations = found.find((set) => set.name === 'locomo')
  for (const [at, name] of ['long-whole', 'long-pieces'].entries()) {
    if (conversations !== undefined) found.push({ name, load: () => longTextSets(conversations.load())[at] ?? conversations.load() })
  }
  const rank = (name: string) => (knownOrder.includes(name) ? knownOrder.indexOf(name) : knownOrder.length)
  found.sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
  const unknown = wanted?.filter((name) => !found.some((set) => set.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`No such set: ${unknown.join(', ')}. There are: ${found.map((set) => set.name).join(', ')}`)
  return found.filter(({ name }) => (wanted === null ? !trainingSets.has(name) : wanted.includes(name))).map((set) => set.load())
}

function loadSet(path: string): EvalSet {
  const memories = readLines(path, 'memories.jsonl').map(toMemory)
  const questions = readLines(path, 'questions.jsonl').map(toQuestion)
  return {
    name: basename(path).replace(/-dev$/, ''),
    memories,
    questions,
    code: basename(resolve(path, '..')).startsWith('code'),
    ordered: memories.some((memory) => memory.session !== null) || questions.some(({ stale }) => stale.length > 0),
  }
}

/** Every second question: tune on `a`, check on `b`. */
export function splitQuestions(set: EvalSet, split: 'a' | 'b' | null): EvalSet {
  if (split === null) return set
  const keep = split === 'a' ? 0 : 1
  return { ...set, questions: set.questions.filter((_, index) => index % 2 === keep) }
}

/** All pools of a set under one owner. */
export function underOneOwner(set: EvalSet): EvalSet {
  const pool = `${set.name}-all`
  return {
    ...set,
    name: `${set.name} (one owner)`,
    memories: set.memories.map((memory) => ({ ...memory, pool })),
    questions: set.questions.map((question) => ({ ...question, pool })),
  }
}

export interface Withheld {
  readonly session?: boolean
  readonly author?: boolean
  readonly title?: boolean
}

/** The same set as a caller would store it who does not know these fields. */
export function withhold(set: EvalSet, fields: Withheld): EvalSet {
  return {
    ...set,
    memories: set.memories.map((memory) => ({
      ...memory,
      session: fields.session ? null : memory.session,
      author: fields.author ? null : memory.author,
      title: fields.title ? null : memory.title,
    })),
  }
}
