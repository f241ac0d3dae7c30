import type { CodeParser } from '../ports/code-parser.js'

/** A parser whose grammars and threads are loaded by the first file. */
export function createParserOnDemand(sketcherUrl: string): CodeParser {
  let opening: Promise<CodeParser> | undefined
  const open = (): Promise<CodeParser> => {
    opening ??= import('./code-parser.js').then(({ openCodeParser }) => openCodeParser({ sketcherUrl }))
    return opening
  }
  return {
    parse: async (files, options) => (await open()).parse(files, options),
    async close() {
      await (await opening)?.close()
    },
  }
}
