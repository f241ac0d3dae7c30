import type { EvalMemory, EvalQuestion, EvalSet } from './sets.js'

/** Characters of a message of 300 and of 3,000 tokens: a token is about four of them. */
const SHORTEST = 1200
const MAX_CHARS = 12_000
const PIECE = 1200
const POOL = 'long'

/** Position of a turn in the text of its conversation. */
interface Spoken {
  readonly id: string
  readonly start: number
  readonly end: number
}

interface Part {
  readonly start: number
  readonly end: number
}

/**
 * Messages of 300 to 3,000 tokens, made by joining the turns of conversations; the evidence of a question is the message
 * that holds its turn. Once stored whole, once in pieces of 1,200 characters, each conversation one session.
 */
export function longTextSets(conversations: EvalSet): readonly EvalSet[] {
  const whole: EvalMemory[] = []
  const pieces: EvalMemory[] = []
  const wholeOf = new Map<string, string>()
  const pieceOf = new Map<string, string>()
  const random = seeded(7)
  for (const pool of new Set(conversations.memories.map((memory) => memory.pool))) {
    const { text, turns } = transcript(conversations.memories.filter((memory) => memory.pool === pool))
    const messages = joined(turns, random)
    const cut = messages.flatMap((message) => cutUp(text, message))
    whole.push(...messages.map((part, at) => memoryOf(pool, `message ${at}`, text, part)))
    pieces.push(...cut.map((part, at) => memoryOf(pool, `piece ${at}`, text, part)))
    for (const turn of turns) {
      wholeOf.set(turn.id, `${pool} message ${holding(messages, turn)}`)
      pieceOf.set(turn.id, `${pool} piece ${holding(cut, turn)}`)
    }
  }
  return [
    { ...conversations, name: 'long-whole', memories: whole, questions: asked(conversations, wholeOf) },
    { ...conversations, name: 'long-pieces', memories: pieces, questions: asked(conversations, pieceOf) },
  ]
}

function transcript(turns: readonly EvalMemory[]): { readonly text: string; readonly turns: readonly Spoken[] } {
  let text = ''
  const spoken = turns.map((turn) => {
    const start = text.length
    text += `${turn.author ?? 'Someone'}: ${turn.content}\n`
    return { id: turn.id, start, end: text.length - 1 }
  })
  return { text, turns: spoken }
}

/** Turn after turn until a length is reached that is as often short as long. */
function joined(turns: readonly Spoken[], random: () => number): readonly Part[] {
  const messages: Part[] = []
  let wanted = 0
  for (const { start, end } of turns) {
    const last = messages.at(-1)
    if (last !== undefined && end - last.start <= wanted) messages[messages.length - 1] = { start: last.start, end }
    else {
      messages.push({ start, end })
      wanted = SHORTEST * (MAX_CHARS / SHORTEST) ** random()
    }
  }
  return messages
}

/** Cut at the last space before the limit. */
function cutUp(text: string, { start, end }: Part): readonly Part[] {
  const parts: Part[] = []
  for (let at = start; at < end; ) {
    const space = end - at <= PIECE ? end : text.lastIndexOf(' ', at + PIECE)
    const until = space <= at ? Math.min(end, at + PIECE) : space
    parts.push({ start: at, end: until })
    at = until
  }
  return parts
}

/** The part that holds most of a turn. */
function holding(parts: readonly Part[], turn: Part): number {
  const shared = (part: Part): number => Math.min(part.end, turn.end) - Math.max(part.start, turn.start)
  return parts.reduce((best, part, at) => (shared(part) > shared(parts[best] ?? part) ? at : best), 0)
}

const memoryOf = (session: string, name: string, text: string, { start, end }: Part): EvalMemory => ({
  id: `${session} ${name}`,
  pool: POOL,
  content: text.slice(start, end).trim(),
  session,
  author: null,
  title: null,
  date: null,
  sessionNo: 0,
})

const asked = (conversations: EvalSet, memoryOfTurn: ReadonlyMap<string, string>): readonly EvalQuestion[] =>
  conversations.questions.map((question) => ({
    ...question,
    pool: POOL,
    gold: [...new Set(question.gold.flatMap((turn) => memoryOfTurn.get(turn) ?? []))],
  }))

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x7fffffff
  }
}
