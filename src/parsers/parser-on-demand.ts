import type { CodeParser } from '../ports/code-parser.js'

/** Short, because threads keep their memory until they end, and the embedding model loads after indexing. */
const IDLE_MS = 5_000

/** A parser whose grammars and threads are loaded by the first file. */
export function createParserOnDemand(roughUrl: string): CodeParser {
  let opening: Promise<CodeParser> | undefined
  const open = (): Promise<CodeParser> => {
    opening ??= import('./code-parser.js').then(({ openCodeParser }) => openCodeParser({ roughUrl, idleMs: IDLE_MS }))
    return opening
  }
  return {
    parse: async (files, options) => (await open()).parse(files, options),
    async close() {
      await (await opening)?.close()
    },
  }
}
