import { parentPort } from 'node:worker_threads'
import type { DocumentReply, DocumentRequest } from './document-messages.js'
import { makeDocument } from './make-document.js'

const AT_ONCE = 500

const port = parentPort
port?.on('message', (request: DocumentRequest) => {
  const send = (reply: DocumentReply): void => port.postMessage(reply)
  makeDocument(request, (page) => send({ page })).then(
    (made) => {
      const { chunks } = made.captured
      for (let at = 0; at < chunks.length; at += AT_ONCE) send({ chunks: chunks.slice(at, at + AT_ONCE) })
      send({ made: { ...made, captured: { ...made.captured, chunks: [] } } })
    },
    (failure: unknown) => send({ failure: failure instanceof Error ? failure.message : String(failure) }),
  )
})
