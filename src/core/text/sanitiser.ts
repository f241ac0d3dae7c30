/** How recalled text that addresses the model is treated. */
export const SANITISER_MODES = ['warn', 'block', 'off'] as const
export type SanitiserMode = (typeof SANITISER_MODES)[number]

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const INVISIBLE_CHARACTER = /[\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff]|[\u{e0000}-\u{e007f}]/u
const HIDDEN_CHARACTER =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** Forms that only occur in instructions to a model; matched against normalised text. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  [
    'override_instructions',
    /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|system)\b.{0,40}\b(?:instructions?|prompts?|rules?|directions?|messages?|guidelines?)\b/iu,
  ],
  ['new_instructions', /\b(?:new|updated|revised|real)\s+(?:system\s+)?instructions?\s*:/iu],
  ['system_prompt', /\bsystem\s*(?:prompt|message)\s*:/iu],
  ['role_prefix', /(?:^|\n)\s*(?:system|assistant|developer)\s*:/iu],
  ['chat_template', /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>/iu],
  ['instruction_tags', /\[\/?INST\]|<<\/?SYS>>/u],
  ['role_tags', /<\/?(?:system|assistant|instructions?|tool_call|function_calls?)>/iu],
  ['persona', /\b(?:you are now|from now on you|pretend (?:to be|you are)|act as (?:if you|an? (?:unrestricted|jailbroken)))\b/iu],
  ['jailbreak', /\b(?:jailbreak|developer mode|do anything now|DAN mode)\b/iu],
  [
    'reveal_prompt',
    /\b(?:reveal|print|repeat|show|output|leak)\b.{0,40}\b(?:system prompt|hidden prompt|initial instructions|your instructions)\b/iu,
  ],
  [
    'exfiltration',
    /\b(?:send|post|upload|exfiltrate|forward)\b.{0,60}\b(?:api[ _-]?keys?|passwords?|secrets?|credentials?|tokens?)\b.{0,60}\b(?:to|at)\b/iu,
  ],
  [
    'tool_order',
    /\b(?:call|invoke|run|execute)\b.{0,30}\b(?:the )?(?:tool|function|shell|command)\b.{0,60}\b(?:without|silently|immediately)\b/iu,
  ],
  ['prototype', /__proto__|constructor\s*\[\s*['"]?prototype/u],
  ['markdown_beacon', /!\[[^\]]{0,200}\]\(\s*https?:\/\/[^)]{0,500}\?[^)]{0,500}\)/iu],
]

/** Only the beginning of longer texts is checked. */
const MAX_CHECKED_CHARS = 20_000

/** The findings in a text, matched without invisible characters and with look-alikes unified. */
export function findingsIn(text: string): readonly string[] {
  const input = text.slice(0, MAX_CHECKED_CHARS)
  const read = input.normalize('NFKC').replace(HIDDEN_CHARACTER, '')
  return [
    ...(DIRECTIONS.test(input) ? ['bidi_control'] : []),
    ...(INVISIBLE_CHARACTER.test(input) ? ['invisible_characters'] : []),
    ...PATTERNS.filter(([, pattern]) => pattern.test(read)).map(([name]) => name),
  ]
}

interface SanitisedText {
  readonly text: string
  readonly warnings: readonly string[]
}

const BLOCKED_TEXT = '[blocked: text that reads like instructions]'

export function sanitised(text: string, mode: SanitiserMode): SanitisedText {
  const warnings = mode === 'off' ? [] : findingsIn(text)
  return { text: mode === 'block' && warnings.length > 0 ? BLOCKED_TEXT : text, warnings }
}
