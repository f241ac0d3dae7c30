import { secretsIn } from '../secrets/scan.js'
import { isMemoryFile, withoutBlocks } from './cleaning.js'

/** Summary of the work in one conversation. */
export interface ConversationCard {
  readonly task: string
  readonly files: readonly string[]
  readonly commits: readonly string[]
  readonly answer: string
}

export const EMPTY_CARD: ConversationCard = { task: '', files: [], commits: [], answer: '' }

const TASK = 240
const ANSWER = 320
const MAX_FILES = 12
const MAX_COMMITS = 5
/** Shorter tasks ("go on") are ignored. */
const MIN_TASK = 12

/** The input of one step of the conversation. */
export interface Step {
  readonly prompt?: string
  readonly answer?: string
  readonly file?: string
  readonly command?: string
}

/** The card after a step; the same value if nothing changed. */
export function updateConversationCard(card: ConversationCard, step: Step): ConversationCard {
  const task = card.task === '' && step.prompt !== undefined ? shortened(step.prompt, TASK) : card.task
  const answer = step.answer === undefined ? card.answer : shortened(step.answer, ANSWER) || card.answer
  const file = step.file === undefined || isMemoryFile(step.file) ? undefined : step.file
  const files = file === undefined || card.files.includes(file) ? card.files : [...card.files, file].slice(-MAX_FILES)
  const commit = step.command === undefined ? undefined : commitIn(step.command)
  const commits = commit === undefined || card.commits.includes(commit) ? card.commits : [...card.commits, commit].slice(-MAX_COMMITS)
  const next = { task: task.length < MIN_TASK ? card.task : task, files, commits, answer }
  return next.task === card.task && next.answer === card.answer && files === card.files && commits === card.commits ? card : next
}

export const isSubstantial = ({ task, files, commits }: ConversationCard): boolean => task !== '' || files.length > 0 || commits.length > 0

/** The card as a text. */
export function cardText({ task, files, commits, answer }: ConversationCard): string {
  return [
    ...(task === '' ? [] : [`Task: ${task}`]),
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}`]),
    ...(commits.length === 0 ? [] : [`Commits: ${commits.join('; ')}`]),
    ...(answer === '' ? [] : [`Last answer: ${answer}`]),
  ].join('\n')
}

/** The text in one line, without lines that contain a secret. */
function shortened(text: string, longest: number): string {
  const plain = withoutBlocks(text)
    .replaceAll(/```[^`]*(?:```|$)/g, ' ')
    .split('\n')
    .filter((line) => secretsIn(line).length === 0)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length > longest ? `${plain.slice(0, plain.lastIndexOf(' ', longest - 1) + 1 || longest).trim()} ...` : plain
}

/** The commit message in a command. */
function commitIn(command: string): string | undefined {
  const message = /\bgit\b[^\n|;&]{0,80}\bcommit\b[^\n]{0,80}?\s-[a-z]*m\s*(?:"([^"\n]{1,200})|'([^'\n]{1,200}))/.exec(command)
  const line = (message?.[1] ?? message?.[2])?.trim()
  return line === undefined || line === '' || line.startsWith('$(') || secretsIn(line).length > 0 ? undefined : line.slice(0, 100)
}
