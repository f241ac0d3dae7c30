import { parentPort, workerData } from 'node:worker_threads'
import { chunkSource } from './chunk-source.js'
import { isParseSettings, type ParseReply, type ParseRequest } from './parse-messages.js'
import { openOutliner } from './tree-sitter.js'

const port = parentPort
const settings: unknown = workerData
if (port !== null && isParseSettings(settings)) {
  const outliner = openOutliner({ budgetMs: settings.budgetMs })
  port.on('message', async ({ files }: ParseRequest) => {
    const parsed = []
    for (const file of files) parsed.push(await chunkSource(outliner, file))
    const reply: ParseReply = { parsed }
    port.postMessage(reply)
  })
}
