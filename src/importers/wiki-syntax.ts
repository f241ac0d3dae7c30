/** `- [category] text (context)`, as basic-memory writes observations. */
interface Observation {
  readonly category: string
  readonly text: string
  readonly context: string | undefined
}

/** `- type [[Target]] (context)`. */
interface WikiRelation {
  readonly type: string
  readonly target: string
}

const OBSERVATION = /^\[([^[\]()]{1,80})\]\s+(\S.*)$/s
/** Check boxes and time codes look alike. */
const NO_CATEGORY = /^(?:[^\p{L}\p{N}]?|[xX]|[\d:\s.-]+)$/u
const RELATION = /^(?:([^\s"'`[\]]{1,80})|"([^"\n]{1,80})"|'([^'\n]{1,80})')\s+\[\[([^[\]\n]{1,300})\]\]\s*(?:\([^()]*\))?$/
const LINK = /!?\[\[([^[\]\n]{1,300})\]\]/g
const TAG = /(?:^|\s)#([\p{L}_][\p{L}\p{N}_/-]{0,80})/gu

export function observationIn(item: string): Observation | undefined {
  const found = OBSERVATION.exec(item)
  const category = found?.[1]?.trim()
  const said = found?.[2]?.trim()
  if (category === undefined || said === undefined || NO_CATEGORY.test(category)) return undefined
  const context = /\s\(([^()]{1,400})\)$/.exec(said)
  return { category, text: context === null ? said : said.slice(0, context.index).trim(), context: context?.[1] }
}

export function relationIn(item: string): WikiRelation | undefined {
  const found = RELATION.exec(item)
  const type = found?.[1] ?? found?.[2] ?? found?.[3]
  const target = found?.[4] === undefined ? undefined : targetOf(found[4])
  return type === undefined || target === undefined ? undefined : { type, target }
}

/** What is linked to, without headings, blocks, display names and the prefix of a project. */
export function targetOf(link: string): string | undefined {
  const target = link.split('|')[0]?.split('#')[0]?.split('::').at(-1)?.trim().replace(/\.md$/i, '')
  return target === undefined || target === '' ? undefined : target
}

/** Files that an `![[embed]]` shows: attachments, not notes. */
const ATTACHMENT =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|heic|pdf|mp[34]|m4a|wav|ogg|flac|webm|mov|mkv|zip|docx?|xlsx?|pptx?|csv|canvas|excalidraw)$/i

export const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(LINK)].flatMap(([embed, link]) => {
    const target = targetOf(link ?? '')
    return target === undefined || (embed.startsWith('!') && ATTACHMENT.test(target)) ? [] : target
  })

export const tagsIn = (text: string): readonly string[] => [...text.matchAll(TAG)].flatMap(([, tag]) => tag ?? [])
