import { looksLikeCode } from '../code/text.js'
import { secretsIn } from '../secrets/scan.js'
import { withoutBlocks } from './cleaning.js'

/** A statement to store: a rule, a decision, a preference or an explicit "remember". */
export interface CapturedStatement {
  readonly text: string
  readonly sort: 'remember' | 'rule' | 'decision' | 'preference'
  /** True if it belongs to the person, not to the project. */
  readonly ofPerson: boolean
}

const MAX_TURN_CHARS = 20_000
const MAX_STATEMENT_CHARS = 400
const MIN_STATEMENT_CHARS = 10
/** Longer turns are pasted documents. */
const MAX_STATEMENTS = 8
const MAX_LINES = 40

/** The explicit statements in a prompt. Prefers missing one over storing an unintended one. */
export function statementsIn(turn: string): readonly CapturedStatement[] {
  const text = withoutBlocks(turn.slice(0, MAX_TURN_CHARS))
  const lines = proseLines(text)
  if (lines.length > MAX_LINES) return []
  const found = lines.flatMap(sentencesOf).flatMap((sentence) => statementOf(sentence) ?? [])
  const distinct = [...new Map(found.map((statement) => [statement.text.toLowerCase(), statement])).values()]
  return distinct.length > MAX_STATEMENTS ? [] : distinct
}

/** Removes code, quotes, program output and tables. */
function proseLines(text: string): readonly string[] {
  let fenced = false
  return text.split('\n').flatMap((raw) => {
    const line = raw.trim()
    if (/^(?:```|~~~)/.test(line)) {
      fenced = !fenced
      return []
    }
    if (
      fenced ||
      line === '' ||
      /^(?:[>|$%#@]|\+\+\+|---|\d{4}-\d\d|\[\d|at\s+\S+\s*\()/.test(line) ||
      /^[\w.]*(?:Error|Exception|Warning|FAIL|WARN)\b/.test(line)
    )
      return []
    return [line.replace(/^(?:[-*•]|\d+[.)])\s+/, '')]
  })
}

const sentencesOf = (line: string): readonly string[] =>
  line
    .split(/(?<=[.!?;])\s+(?=["'(]?[\p{Lu}\p{N}]|(?:also|and|but|so|please|always|never|remember|from now on)\b)/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= MIN_STATEMENT_CHARS && sentence.length <= MAX_STATEMENT_CHARS)

/** Questions, assumptions, reports about others, and temporary statements. */
const QUESTION =
  /\?["')]*$|^(?:can|could|would|should|shall|do|does|did|is|are|was|were|has|have|had|will|why|what|how|who|which|any idea|wondering)\b(?! not\b)|^(?:when|where) (?:do|does|did|is|are|was|were|should|will|can|could|would)\b/i
/** Verbs of immediate tasks; the rest of the sentence belongs to the task. */
const TASK =
  /^(?:please\s+)?(?:add|find|draft|explain|translate|create|implement|fix|search|show|summari[sz]e|compare|look|read|check|rename|change|delete|remove|set|open|commit|make (?:it|the|a|sure)|write an?|write the|list|print|give|tell|help|grep|move|update|review|describe|generate|build|test|try)\b/i
const SUPPOSITION =
  /\b(?:maybe|perhaps|might|could|not sure|unsure|i wonder|what if|if we (?:decided|agreed|chose)|should we|whether|probably|i guess|i think we should|thinking (?:of|about)|considering)\b/i
const MOMENTARY_REQUEST =
  /\b(?:for now|this time|just this once|right here|in this (?:function|file|line|test|method|case|pr|commit|branch|snippet|loop|class|query|component)|on this line|for this (?:one|task|pr|commit|test|change|function|file|branch)|temporarily|in line \d+|line \d+|until (?:then|tomorrow|we|i|it)|today|tonight)\b/i
const RECOLLECTION =
  /\b(?:do you remember|don'?t remember|can'?t remember|cannot remember|couldn'?t remember|i remember|remember when|if i remember|as far as i remember|remembered|remembers|you remember|trying to remember|hard to remember|remember me\b.*\b(?:checkbox|cookie|token|button|feature|option|me))\b/i
const UNDECIDED_STATEMENT =
  /\b(?:haven'?t|have not|hasn'?t|not yet|never|nobody|didn'?t|don'?t|not|isn'?t|wasn'?t)\s+(?:\w+\s+)?(?:decided|agreed|settled|chosen)\b/i
const NARRATED_STATEMENT =
  /\b(?:it|he|she|they|this|that|which|there|the \w+(?: \w+)?|[a-z_]+\(\))\s+(?:\w+\s+)?(?:always|never)\b|\b(?:as always|almost always|nearly always|always been|never been|never mind|nevermind|never ever seen|never saw|never seen|never heard|never worked|never got|never had|always has|always have been|always wanted|always thought|always wondered|never knew|always happens|never happens|always fails)\b/i

const REQUEST_TO_REMEMBER =
  /^(?:(?:please|pls|ok|okay|also|and|so|hey|note to self|one (?:more )?thing|fyi|btw)[,:]?\s+)*(?:remember|keep in mind|bear in mind|don'?t forget|do not forget|make a note|take note|note|for the record|for future reference|memori[sz]e|save this|store this|note for later|for later)\s*(?:this\b)?\s*(?:[:,–—-]|\bthat\b|\bto\b|\bof\b)*\s+(\S.*)$/i
const FROM_NOW =
  /^(?:(?:please|ok|okay|also|and|so)[,:]?\s+)*(?:from now on|going forward|from here on|in (?:the )?future(?=,)|as a rule|by convention|as a convention|rule of thumb|house rule|new rule|our convention|our rule|the rule|the convention|hard rule|ground rule|standing instruction)\b/i
/** A condition may precede the statement. */
const SENTENCE_START = String.raw`^(?:(?:please|pls|ok|okay|also|and|but|so|yes|no|right|again|important|reminder)[,:!]?\s+)*(?:(?:in|for|when|whenever|with|on|before|after|under|if|inside|during|at)\b[^.?!]{2,80}?,\s+)?(?:please\s+)?`
const RULE = new RegExp(
  String.raw`${SENTENCE_START}(?:always|never|do not ever|don'?t ever)\s+(?!mind\b|again will\b|been\b|had\b|was\b|the\b)\p{L}+`,
  'iu',
)
const RULE_OF =
  /\b(?:we|you|everyone|everybody|all of us|developers|agents|engineers|contributors|code|tests|commits|prs|pull requests|migrations|secrets|services|components|modules|handlers|endpoints)\s+(?:should|must|shall|need to|have to|are to|can)?\s*(?:always|never)\s+(?!been\b|had\b|saw\b|seen\b|got\b|did\b|knew\b|found\b|heard\b|worked\b|finished\b|happened\b|came\b|used to\b|thought\b|wanted\b|told\b|said\b|gave\b|\p{L}+ed\b|add too\b)\p{L}+/iu
const OBLIGATION =
  /\b(?:we|you|all|every|each|commits?|tests?|prs?|pull requests?|branches|migrations?|releases?|code|services?|endpoints?|functions?|components?|errors?|dates?|ids?|names?|files?|logs?|changes)\b[^.?!]{0,60}\b(?:must(?: not| never)?|are not allowed to|may not|is forbidden|are forbidden|is banned|are banned|is off limits)\b/i
const STATED_DECISION =
  /\b(?:we|the team|our team|i)(?:'ve| have|'re| are)?\s+(?:now |finally |all |both )?(?:decided|agreed|settled on|chosen|opted|standardi[sz]ed on|going with|sticking with|moving to|switching to|migrating to|adopting|dropping|deprecating)\b|^(?:the )?(?:final )?decision(?: is\b|:| was\b)|^decided[:,]?\s|^agreed:\s|\b(?:it'?s|it is|that'?s) (?:decided|settled|agreed)\b|\bwe(?:'ll| will) (?:use|go with|stick with|keep|adopt|standardi[sz]e on|ship|deploy)\b|^let'?s (?:go with|stick with|settle on|standardi[sz]e on|agree (?:on|that|to))\b|\bwe (?:went|go) with\b/i
const CORRECTION = new RegExp(
  String.raw`${SENTENCE_START}(?:(?:we|you) (?:should )?)?(?:use|prefer|write|call it|say|name (?:it|them)|store|import|run|spell)\s+\S.*?(?:,?\s+(?:not|instead of|rather than|and not|over|never)\s+\S+)`,
  'iu',
)
const NOT_BUT = new RegExp(
  String.raw`${SENTENCE_START}(?:don'?t|do not|stop|avoid|quit)\s+(?:us(?:e|ing)|writ(?:e|ing)|call(?:ing)?|import(?:ing)?|add(?:ing)?|mock(?:ing)?|commit(?:ting)?|run(?:ning)?|put(?:ting)?)\b[^.?!]*[,;:]\s*(?:but\s+)?(?:use|write|prefer|call|import|run|put|instead)\b`,
  'iu',
)
const PREFERENCE =
  /\bi(?:'d| would)? (?:really |strongly |generally |usually |much )?(?:prefer|rather (?:you|have|not)|like (?:it when|my|to have|short|long|small|plain|concise)|hate (?:it when)?|don'?t (?:like|want you to)|dislike|want you to always|want all|can'?t stand|favou?r)\b|^(?:please )?(?:call me|my name is (?!not\b|missing\b|wrong\b)|my pronouns|i go by)\b|\bmy (?:preferred|favou?rite|usual|default) \w+|^(?:please )?(?:answer|reply|respond|talk|write) (?:to me |me )?(?:always )?in (?:english|german|french|spanish|[a-z]+ish|plain text|markdown)\b|\bi (?:work|live|am based) (?:in|from|on|at)\b|\bmy (?:time ?zone|editor|shell|keyboard|terminal|os|laptop|machine) is\b|\bi(?:'m| am) (?:a|an|the) [^.?!]{3,60}(?:developer|engineer|designer|scientist|writer|manager|student|analyst|lead|maintainer|person)\b/i
const WE_USE =
  /^(?:fyi,?\s+|btw,?\s+|note:?\s+)?we (?:use|deploy|run|host|keep|store|name|follow|target|support|write|require|ship|release|build|test|format|version|track|document)\s+(?!to\b|it\b|this\b|that\b|them\b|case\b)\S.*\b(?:for|with|in|on|to|as|at|from|under|via|through|by|every|per)\b/i

/** The statement in a sentence, if any. */
function statementOf(sentence: string): CapturedStatement | undefined {
  const kept = REQUEST_TO_REMEMBER.exec(sentence)?.[1]
  if (RECOLLECTION.test(sentence) || UNDECIDED_STATEMENT.test(sentence) || looksLikeCode(sentence) || secretsIn(sentence).length > 0)
    return undefined
  if (kept !== undefined && !sentence.endsWith('?') && kept.length >= MIN_STATEMENT_CHARS)
    return { text: asSentence(kept), sort: 'remember', ofPerson: isOfPerson(kept) }
  if (QUESTION.test(sentence) || TASK.test(sentence) || SUPPOSITION.test(sentence) || MOMENTARY_REQUEST.test(sentence)) return undefined
  const sort = sortOf(sentence)
  return sort === undefined ? undefined : { text: asSentence(sentence), sort, ofPerson: sort === 'preference' || isOfPerson(sentence) }
}

function sortOf(sentence: string): CapturedStatement['sort'] | undefined {
  if (STATED_DECISION.test(sentence)) return 'decision'
  if (PREFERENCE.test(sentence)) return 'preference'
  if (FROM_NOW.test(sentence)) return 'rule'
  if (NARRATED_STATEMENT.test(sentence)) return undefined
  if (RULE.test(sentence) || RULE_OF.test(sentence) || OBLIGATION.test(sentence)) return 'rule'
  if (CORRECTION.test(sentence) || NOT_BUT.test(sentence)) return 'rule'
  return WE_USE.test(sentence) ? 'decision' : undefined
}

/** True for statements about oneself. */
const isOfPerson = (text: string): boolean =>
  /\b(?:i|me|my|mine|myself|i'm|i'd|i've)\b/i.test(text) &&
  !/\b(?:we|our|us|the team|this (?:repo|repository|project|codebase))\b/i.test(text)

/** Removes a polite prefix. */
function asSentence(text: string): string {
  const plain = text.replace(/^(?:(?:please|pls|ok|okay|also|and|but|so|yes|no|right|again|hey|btw|fyi)[,:!]?\s+)+/i, '').trim()
  return plain === '' ? text : `${plain[0]?.toUpperCase() ?? ''}${plain.slice(1)}`
}
