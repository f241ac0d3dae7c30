import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** What the example memories are made of. A sentence is a frame whose places are filled; each filling is used once. */
const frame = z.object({ kind: z.string(), text: z.string() })
const project = z.object({
  name: z.string(),
  address: z.string(),
  parts: z.array(z.string()),
  tools: z.array(z.string()),
  frames: z.array(frame),
})
const phrases = z.object({
  projects: z.array(project),
  personal: z.array(frame),
  habits: z.array(z.string()),
  occasions: z.array(z.string()),
})
export type DemoProject = z.output<typeof project>

/** Memories written one by one: what the tour and the tests look for. */
const written = z.object({
  text: z.string(),
  project: z.string().nullable(),
  kind: z.string(),
  author: z.string().nullable(),
  client: z.string(),
  daysAgo: z.number(),
  /** When it began to be true, where that is another day. */
  trueDaysAgo: z.number().optional(),
  reason: z.string().optional(),
  subject: z.string().optional(),
  predicate: z.string().optional(),
  /** The text of an earlier one that it replaces. */
  replaces: z.string().optional(),
  status: z.literal('candidate').optional(),
  session: z.string().optional(),
  endedDaysAgo: z.number().optional(),
})
export type Written = z.output<typeof written>

const world = z.object({
  conversations: z.array(
    z.object({ id: z.string(), client: z.string(), project: z.string(), hoursAgo: z.number(), prompts: z.array(z.string()) }),
  ),
  entities: z.array(
    z.object({ name: z.string(), type: z.string(), aliases: z.array(z.string()), project: z.string(), description: z.string().nullable() }),
  ),
  relations: z.array(z.tuple([z.string(), z.string(), z.string()])),
})

const read = (name: string): string => readFileSync(new URL(`../../assets/demo/${name}`, import.meta.url), 'utf8')

export const readPhrases = (): z.output<typeof phrases> => phrases.parse(JSON.parse(read('phrases.json')))
export const readWorld = (): z.output<typeof world> => world.parse(JSON.parse(read('world.json')))
export const readWritten = (): readonly Written[] =>
  read('memories.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => written.parse(JSON.parse(line)))
