import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ImportSources } from '../ports/importer.js'

/** Formats are loaded by the first import, so other commands start without them. */
export function createImportSourcesOnDemand(dataDir: string): ImportSources {
  const load = async (): Promise<ImportSources> => {
    const [{ createImportSources }, { openForeignFile }] = await Promise.all([
      import('../importers/import-sources.js'),
      import('../backends/sqlite/foreign-file.js'),
    ])
    const machine = { home: homedir(), platform: process.platform, variables: process.env }
    return createImportSources(openForeignFile, machine, join(dataDir, 'imports'))
  }
  let loaded: Promise<ImportSources> | undefined
  const sources = (): Promise<ImportSources> => {
    loaded ??= load()
    return loaded
  }
  return {
    formats: async () => (await sources()).formats(),
    open: async (path, format) => (await sources()).open(path, format),
    discover: async (folder, now) => (await sources()).discover(folder, now),
    saveReport: async (run, report) => (await sources()).saveReport(run, report),
    markdownFolder: async (path) => (await sources()).markdownFolder(path),
  }
}
