import { openOutliner } from '../../src/parsers/tree-sitter.js'

/** An outline in one line per definition or reference. */
export const openReadings = () => {
  const outliner = openOutliner()
  return {
    outliner,
    /** `kind scope.name start-end` for each definition. */
    async definitionsOf(language: string, text: string): Promise<string[]> {
      const { definitions } = await outliner.outline(language, text)
      return definitions.map((def) => `${def.kind} ${[...def.scope, def.name].join('.')} ${def.startLine}-${def.endLine}`)
    },
    /** `kind receiver > name as local from module`, without what is absent. */
    async referencesOf(language: string, text: string): Promise<string[]> {
      const { references } = await outliner.outline(language, text)
      return references.map(({ kind, name, module, on, as }) => {
        const bound = as === undefined || as === name ? '' : ` as ${as}`
        return `${kind} ${on === undefined ? '' : `${on} > `}${name}${bound}${module === null ? '' : ` from ${module}`}`
      })
    },
  }
}
