import { words } from './text.js'

/** Words that address the agent that will read the memory. */
const OVERRULING_VERBS: ReadonlySet<string> = new Set(['ignore', 'disregard', 'forget', 'override', 'overrule', 'bypass'])
const RULES: ReadonlySet<string> = new Set([
  'instruction',
  'instructions',
  'rule',
  'rules',
  'prompt',
  'prompts',
  'guideline',
  'guidelines',
  'restrictions',
])
const MAX_WORDS_BETWEEN = 6
const PHRASES = [
  'you are now',
  'new instructions',
  'system prompt',
  'do not tell the user',
  'don t tell the user',
  'without telling the user',
  'without asking the user',
  'do not mention this to',
  'from now on you',
]
/** Role marks of chat formats. White space within a line only: otherwise blank lines would be tried from each of them. */
const ROLE =
  /<\|?\/?(?:im_start|im_end|system|assistant|tool_call|instructions?)\b|\[\/?INST\]|^[ \t]{0,20}(?:system|assistant)[ \t]{0,20}:/imu

/** True if a text addresses the agent that reads it. A warning only: text that evades the patterns is still marked as data. */
export function containsInstructions(text: string): boolean {
  if (ROLE.test(text)) return true
  const tokens = words(text)
  if (
    tokens.some((word, i) => OVERRULING_VERBS.has(word) && tokens.slice(i + 1, i + 1 + MAX_WORDS_BETWEEN).some((next) => RULES.has(next)))
  )
    return true
  const plain = ` ${tokens.join(' ')} `
  return PHRASES.some((phrase) => plain.includes(` ${phrase} `))
}
