export type SkipReason =
  | 'too_long'
  | 'format_marker'
  | 'path_fragment'
  | 'document_artifact'
  | 'temporary_task'
  | 'action_phrase'
  | 'generic_term'
  | 'weak_term'

const MAX_TERM_CHARS = 80
const MAX_WORDS = 6

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Without words that are as often nouns as verbs. */
const IMPERATIVES = words(
  `add adjust allow apply avoid call check choose clean click close configure copy create define delete deploy disable
  do download drop edit enable ensure execute expand explain fetch fix follow generate get give implement improve include
  inspect install keep launch let load look make merge migrate move open override pass prefer prevent print publish pull push put read
  rebuild refactor reload remove rename replace reset restart return rewrite run save see select send set show
  skip start stop switch try turn understand uninstall unset update upgrade upload use validate verify wait write`,
)

/** Words of user interfaces, which are artifacts on their own. */
const INTERFACE_WORDS = words(
  `apply back button cancel checkbox close confirm dialog dropdown icon menu next ok panel popup previous sidebar submit tab toolbar tooltip`,
)

const GENERIC_WORDS = words(
  `api app application background basics build change changes class client code commands config configuration content data database default
  defaults definition dependencies description design details development documentation documents environment error errors example examples
  features field fields file files folder format function functions general goal goals help history idea information input installation
  interface introduction item items key keys limitation limitations list log main message method methods model module motivation name names
  note notes number object objects option options other output overview package parameter parameters platform problem process product
  project properties purpose quickstart reason reference references request requirement requirements response result results section server
  service settings setup solution source status step steps structure summary support system systems table test testing tests text thing
  things time tool tools type types usage user users value values version`,
)

const ARTIFACT =
  /^(?:table of contents|contents|index|appendix.*|page \d+.*|figure \d+.*|chapter \d+.*|change ?log.*|release notes.*|unreleased|what'?s new.*|version \d.*|v?\d+(?:\.\d+)+.*|licen[cs]e.*|acknowledge?ments?|bibliography|see also|further reading|footnotes?|(?:current |open |my )?to-?dos?(?: list)?|known issues|bug ?fixes|(?:new |other )?features|breaking changes?|(?:performance )?improvements|enhancements|deprecations|(?:added|changed|fixed|removed|deprecated|security|updated|miscellaneous|chores?|highlights)|migration guide|upgrade guide|full changelog|new contributors|目录|附录|更新日志)$/i
const TEMPORARY_WORDS = /\b(?:wip|tmp|temp|draft|hotfix|follow-?ups?|next steps?|this (?:week|sprint|session)|action items?|tbd)\b/i
const SHORTCUT = /\b(?:ctrl|cmd|alt|shift|option|meta|super)\s?[+-]\s?\S|[⌘⌥⇧⌃]|^(?:f\d{1,2}|esc|enter|tab)$/i
const FORMAT = /^[^\p{L}\p{N}]+$|^<[^>]*>?|^\.{1,3}\w{1,8}$|[{}<>]|\.\.\.|…|^\$|^#|^%|^&|^\*|^--?\w|=|^["']|["']$|;$/u
const FILE_NAME = /(?:^|[\\/])[^\s\\/]+\.[a-z][a-z0-9]{0,5}$/i

/** Why a term is rejected as a candidate, or null. */
export function skipReason(title: string): SkipReason | null {
  const parts = title.split(/\s+/)
  const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(title)
  if (title.length > MAX_TERM_CHARS || parts.length > MAX_WORDS) return 'too_long'
  if (SHORTCUT.test(title)) return 'document_artifact'
  if (/[\\/]/.test(title) || FILE_NAME.test(title)) return 'path_fragment'
  if (FORMAT.test(title)) return 'format_marker'
  if (ARTIFACT.test(title) || (parts.length === 1 && INTERFACE_WORDS.has(title.toLowerCase()))) return 'document_artifact'
  if (TEMPORARY_WORDS.test(title)) return 'temporary_task'
  if (parts.length > 1 && IMPERATIVES.has((parts[0] ?? '').toLowerCase())) return 'action_phrase'
  if (parts.every((part) => GENERIC_WORDS.has(part.toLowerCase()))) return 'generic_term'
  return parts.length === 1 && !isCjk ? 'weak_term' : null
}
