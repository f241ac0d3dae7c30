import { parentPort, workerData } from 'node:worker_threads'
import { packRough } from '../core/encoding/rough-bytes.js'
import type { RoughEmbedder } from '../ports/code-index.js'
import { chunkByLines, chunkSource } from './chunk-source.js'
import { isParseSettings, type ParseReply, type ParseRequest } from './parse-messages.js'
import { openOutliner } from './tree-sitter.js'

const port = parentPort
const settings: unknown = workerData
if (port !== null && isParseSettings(settings)) {
  const outliner = openOutliner({ budgetMs: settings.budgetMs })
  const rough = settings.roughUrl === undefined ? undefined : await roughEmbedderAt(settings.roughUrl)
  port.on('message', async ({ files, byLines }: ParseRequest) => {
    const parsed = []
    for (const file of files) {
      const made = byLines ? chunkByLines(file) : await chunkSource(outliner, file)
      parsed.push(
        rough === undefined
          ? made
          : { ...made, chunks: made.chunks.map((chunk) => ({ ...chunk, rough: packRough(rough(chunk.embedText)) })) },
      )
    }
    const reply: ParseReply = { parsed }
    port.postMessage(reply)
  })
}

/** The module is passed by URL, so that the parser does not depend on the model. Without it, rough vectors are computed later. */
async function roughEmbedderAt(url: string): Promise<((text: string) => Float32Array) | undefined> {
  try {
    const { createRoughEmbedder }: { createRoughEmbedder(modelId: string): RoughEmbedder } = await import(url)
    const roughEmbedder = createRoughEmbedder('')
    return (text) => roughEmbedder.passage(text)
  } catch (failure) {
    if (failure instanceof Error) return undefined
    throw failure
  }
}
