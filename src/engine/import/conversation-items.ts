import { type ConversationCard, cardText, EMPTY_CARD, isSubstantial, updateConversationCard } from '../../core/hooks/card.js'
import { withoutBlocks } from '../../core/hooks/cleaning.js'
import { statementsIn } from '../../core/hooks/statements.js'
import type { ConversationRecord, ConversationTurn, FactRecord, PassageRecord, SourceRecord } from '../../ports/importer.js'
import type { Environment } from '../environment.js'
import { CAPTURED_KINDS, isStoredAlready } from '../hooks/capture.js'
import { CARD_KIND, cardOf } from '../hooks/card.js'
import { sessionOf } from '../hooks/hook-event.js'

const MAX_TURN_CHARS = 20_000

/** What is stored of a conversation by default: what its capture would have stored. */
export async function captureConversation(
  env: Environment,
  conversation: ConversationRecord,
  owners: { readonly person: string; readonly project: string },
): Promise<readonly FactRecord[]> {
  const { key, client, from, folder, turns } = conversation
  const session = sessionOf(key)
  const provenance = { client, conversation: key, ...(folder === undefined ? {} : { folder }) }
  const found = new Map<string, FactRecord>()
  for (const turn of turns) {
    if (turn.author !== 'user') continue
    for (const { text, sort, ofPerson } of statementsIn(turn.text)) {
      const owner = ofPerson ? owners.person : owners.project
      const statement: FactRecord = {
        // The same statement of another conversation has the same key.
        ...{ kind: 'fact', key: `statement\0${text.toLowerCase()}`, text, owner, from, session, author: 'user', status: 'candidate' },
        ...{ memoryType: CAPTURED_KINDS[sort], createdAt: turn.at ?? conversation.startedAt, metadata: { captured: sort, ...provenance } },
      }
      if (!found.has(statement.key) && !(await isStoredAlready(env, { text, owner, kind: CAPTURED_KINDS[sort], author: 'user' })))
        found.set(statement.key, statement)
    }
  }
  const card = cardFrom(conversation)
  if (!isSubstantial(card) || (await cardOf(env, owners.project, session)) !== undefined) return [...found.values()]
  return [
    ...found.values(),
    {
      ...{ kind: 'fact', key: `card\0${key}`, text: cardText(card), owner: owners.project, from, session, memoryType: 'episodic' },
      ...{ title: conversation.title, createdAt: turns.at(-1)?.at ?? conversation.startedAt },
      metadata: {
        ...{ captured: CARD_KIND, ...provenance },
        card: { task: card.task, files: [...card.files], commits: [...card.commits], answer: card.answer },
      },
    },
  ]
}

function cardFrom({ turns, files = [], commands = [], folder }: ConversationRecord): ConversationCard {
  let card = EMPTY_CARD
  for (const turn of turns) {
    // The task is the first prompt; only the last answer is kept.
    if (turn.author === 'user' && card.task === '') card = updateConversationCard(card, { prompt: turn.text })
  }
  const answer = turns.findLast(({ author }) => author === 'assistant')
  if (answer !== undefined) card = updateConversationCard(card, { answer: answer.text })
  for (const file of files) card = updateConversationCard(card, { file: withoutFolder(file, folder) })
  for (const command of commands) card = updateConversationCard(card, { command })
  return card
}

const withoutFolder = (file: string, folder: string | undefined): string =>
  folder !== undefined && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file

/** The turns of a conversation as a document that facts and answers can cite. */
export function toTranscript({ key, client, from, title, folder, startedAt, turns }: ConversationRecord): SourceRecord {
  return {
    ...{
      kind: 'source',
      key: `conversation\0${key}`,
      sourceKind: 'conversation',
      title: title ?? `${client} ${key}`,
      from,
      createdAt: startedAt,
    },
    ...{ passages: turns.flatMap(toPassages), metadata: { client, conversation: key, ...(folder === undefined ? {} : { folder }) } },
  }
}

function toPassages({ author, text, at }: ConversationTurn, turn: number): readonly PassageRecord[] {
  const plain = withoutBlocks(text).trim()
  const passages: PassageRecord[] = []
  for (let start = 0; start < plain.length; start += MAX_TURN_CHARS)
    passages.push({
      text: `${author}: ${plain.slice(start, start + MAX_TURN_CHARS)}`,
      name: author,
      locator: { turn, ...(at === undefined ? {} : { at }) },
    })
  return passages
}
