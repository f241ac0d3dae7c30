import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Message, Wire } from './wire.js'

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
})
const turn = z.object({ request: message, response: z.unknown().optional() })
const header = z.object({ about: z.string(), server: z.array(z.string()) })

export interface Transcript {
  readonly about: string
  /** Flags of the server. */
  readonly server: readonly string[]
  readonly turns: readonly { readonly request: Message; readonly response?: unknown }[]
}

export function readTranscript(path: string): Transcript {
  const [first = '', ...rest] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return { ...header.parse(JSON.parse(first)), turns: rest.map((line) => turn.parse(JSON.parse(line))) }
}

export function writeTranscript(path: string, { about, server, turns }: Transcript): void {
  writeFileSync(path, `${[{ about, server }, ...turns].map((line) => JSON.stringify(line)).join('\n')}\n`)
}

/** Tools covered by another transcript; their place in a listing is not checked here. */
const CODE_TOOLS = new Set(['index_project', 'search_code', 'get_index_status', 'list_projects', 'delete_project'])

/**
 * Plays the requests of a transcript and answers it with what came back. Ids become `<id:1>`, `<id:2>` in the order they first
 * appear and may be used so in later requests; times since the start become `<time:1>` and on, those without fractions `<second>`; scores other than 0 `<score>`;
 * a copy next to the store `<copy>`.
 */
export async function replay(wire: Wire, transcript: Transcript): Promise<Transcript['turns']> {
  const names = createNames(Date.now() - 1000)
  const turns: { request: Message; response?: unknown }[] = []
  for (const { request } of transcript.turns) {
    const requested = message.parse(JSON.parse(names.insert(JSON.stringify(request))))
    const answer = await wire.send(requested)
    turns.push(
      answer === undefined ? { request } : { request, response: JSON.parse(names.abstract(JSON.stringify(withoutCatalogue(answer)))) },
    )
  }
  return turns
}

interface Names {
  insert(json: string): string
  abstract(json: string): string
}

function createNames(since: number): Names {
  const ids: string[] = []
  const times: string[] = []
  const isRecent = (time: string): boolean => Date.parse(time) >= since && Date.parse(time) < since + 3_600_000
  const numberIn = (list: string[], value: string): number => {
    if (!list.includes(value)) list.push(value)
    return list.indexOf(value) + 1
  }
  return {
    insert: (json) => json.replaceAll(/<id:(\d+)>/gu, (name, n: string) => ids[Number(n) - 1] ?? name),
    abstract: (json) =>
      json
        .replaceAll(/(?<![a-z0-9])[a-z0-9]{20}(?![a-z0-9])/gu, (id) => `<id:${numberIn(ids, id)}>`)
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z/gu, (time) => (isRecent(time) ? `<time:${numberIn(times, time)}>` : time))
        // Two times may be in the same second or not, so these have no numbers.
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gu, (time) => (isRecent(time.replace('Z', '.999Z')) ? '<second>' : time))
        .replaceAll(/(\\?")((?:vector_|bm25_|ppr_)?score|confidence|relevance)(\\?"):-?\d+\.\d+(?:e-\d+)?/gu, '$1$2$3:$1<score>$3')
        .replaceAll(/[^"\\ ]*\/mneme\.db\.[^"\\ ]*\.bak/gu, '<copy>')
        .replaceAll(/(\\?"version\\?":\\?")\d+\.\d+\.\d+/gu, '$1<version>'),
  }
}

const listing = z.object({ result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }) })
const greeting = z.object({ result: z.looseObject({ instructions: z.string() }) })

/** Listings and instructions are pinned elsewhere, so they are removed here. */
function withoutCatalogue(answer: unknown): unknown {
  const listed = listing.safeParse(answer)
  if (listed.success) {
    const tools = listed.data.result.tools.map((tool) => tool.name).filter((name) => !CODE_TOOLS.has(name))
    return { ...z.looseObject({}).parse(answer), result: { ...listed.data.result, tools } }
  }
  const hello = greeting.safeParse(answer)
  return hello.success ? { ...z.looseObject({}).parse(answer), result: { ...hello.data.result, instructions: '<instructions>' } } : answer
}
