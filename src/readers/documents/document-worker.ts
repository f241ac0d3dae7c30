import { parentPort } from 'node:worker_threads'
import { MemoryError } from '../../errors.js'
import type { DocumentReply, DocumentRequest, MadeDocument } from './document-messages.js'
import { makeDocument } from './make-document.js'

const AT_ONCE = 200

const port = parentPort
if (port !== null) {
  const send = (reply: DocumentReply): void => port.postMessage(reply)
  let sent = 0
  let made: MadeDocument | undefined
  /** Each batch is requested, so that they do not arrive in one turn. */
  const sendNext = (): void => {
    if (made === undefined) return
    const batch = made.captured.chunks.slice(sent, sent + AT_ONCE)
    sent += AT_ONCE
    if (batch.length > 0) send({ chunks: batch })
    else {
      send({ made: { ...made, captured: { ...made.captured, chunks: [] } } })
      made = undefined
    }
  }
  port.on('message', (request: DocumentRequest | 'next') => {
    if (request === 'next') return sendNext()
    makeDocument(request, (page) => send({ page })).then(
      (done) => {
        made = done
        sent = 0
        sendNext()
      },
      (failure: unknown) =>
        send({
          failure: failure instanceof Error ? failure.message : String(failure),
          tooLarge: failure instanceof MemoryError && failure.code === 'too_large',
        }),
    )
  })
}
