import type { DocumentReader } from '../ports/document-reader.js'
import type { DocumentReaderOptions } from './documents/document-reader.js'

/** Loaded by the first document: most processes never capture one. */
export function createReaderOnDemand(options: DocumentReaderOptions): DocumentReader {
  let opening: Promise<DocumentReader> | undefined
  const open = (): Promise<DocumentReader> => {
    opening ??= import('./documents/document-reader.js').then(({ createDocumentReader }) => createDocumentReader(options))
    return opening
  }
  return {
    file: async (path, as, readOptions) => (await open()).file(path, as, readOptions),
    conversation: async (title, messages, readOptions) => (await open()).conversation(title, messages, readOptions),
    web: async (url, readOptions) => (await open()).web(url, readOptions),
    folder: async (path) => (await open()).folder(path),
    async close() {
      await (await opening)?.close()
    },
  }
}
