import { parentPort, workerData } from 'node:worker_threads'
import { packSketch } from '../core/sketch-bytes.js'
import type { Sketcher } from '../ports/code-index.js'
import { chunkByLines, chunkSource } from './chunk-source.js'
import { isParseSettings, type ParseReply, type ParseRequest } from './parse-messages.js'
import { openOutliner } from './tree-sitter.js'

const port = parentPort
const settings: unknown = workerData
if (port !== null && isParseSettings(settings)) {
  const outliner = openOutliner({ budgetMs: settings.budgetMs })
  const sketch = settings.sketcherUrl === undefined ? undefined : await sketcherAt(settings.sketcherUrl)
  port.on('message', async ({ files, byLines }: ParseRequest) => {
    const parsed = []
    for (const file of files) {
      const made = byLines ? chunkByLines(file) : await chunkSource(outliner, file)
      parsed.push(
        sketch === undefined
          ? made
          : { ...made, chunks: made.chunks.map((chunk) => ({ ...chunk, sketch: packSketch(sketch(chunk.embedText)) })) },
      )
    }
    const reply: ParseReply = { parsed }
    port.postMessage(reply)
  })
}

/** Which model sketches is not for a parser to know. Without one the sketches are made later. */
async function sketcherAt(url: string): Promise<((text: string) => Float32Array) | undefined> {
  try {
    const { createSketcher }: { createSketcher(modelId: string): Sketcher } = await import(url)
    const sketcher = createSketcher('')
    return (text) => sketcher.passage(text)
  } catch (failure) {
    if (failure instanceof Error) return undefined
    throw failure
  }
}
