import { parentPort } from 'node:worker_threads'
import type { DocumentReply, DocumentRequest } from './document-messages.js'
import { makeDocument } from './make-document.js'

const port = parentPort
port?.on('message', (request: DocumentRequest) => {
  const send = (reply: DocumentReply): void => port.postMessage(reply)
  makeDocument(request, (page) => send({ page })).then(
    (made) => send({ made }),
    (failure: unknown) => send({ failure: failure instanceof Error ? failure.message : String(failure) }),
  )
})
