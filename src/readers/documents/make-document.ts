import {
  type CapturedChunk,
  type CapturedText,
  captureMessages,
  capturePages,
  captureText,
  checkSegments,
} from '../../core/evidence/capture.js'
import type { DocumentRequest, MadeDocument } from './document-messages.js'
import { plainHtml } from './plain-html.js'

/** Converts what was read to captured text. The input may be hostile. */
export async function makeDocument(request: DocumentRequest, onPage: (page: number) => void): Promise<MadeDocument> {
  const { form, text = '', title, maskSecrets } = request
  if (form === 'pdf') return makePdf(request, onPage)
  if (form === 'conversation') return { captured: captureConversation(request, onPage), title, contentType: 'structured', stub: null }
  if (form === 'markdown' || form === 'text') {
    return { captured: captureText(text, form, { maskSecrets, title }), title, contentType: form, stub: null }
  }
  const page = form === 'html' ? (await import('./html-markdown.js')).htmlToMarkdown(text) : plainHtml(text)
  const own = page.title === '' ? title : page.title
  const contentType = form === 'html' ? 'markdown' : 'text'
  return { captured: captureText(page.text, contentType, { maskSecrets, title: own }), title: own, contentType, stub: null }
}

function captureConversation({ messages = [], title, maskSecrets }: DocumentRequest, onMessage: (message: number) => void): CapturedText {
  const chunks: CapturedChunk[] = []
  let charCount = 0
  let masked: readonly string[] = []
  let message = 0
  for (const part of captureMessages(messages, { maskSecrets, title })) {
    checkSegments(chunks.length + part.chunks.length)
    for (const chunk of part.chunks) chunks.push(chunk)
    charCount += part.charCount
    masked = part.masked
    onMessage(++message)
  }
  return { chunks, charCount, masked }
}

async function makePdf(
  { bytes = new Uint8Array(), title, maskSecrets }: DocumentRequest,
  onPage: (page: number) => void,
): Promise<MadeDocument> {
  const { readPdf } = await import('./pdf-pages.js')
  const read = await readPdf(bytes, onPage)
  const own = read.title === '' ? title : read.title
  const pages = read.stub === null ? read.pages : []
  return { captured: capturePages(pages, { maskSecrets, title: own }), title: own, contentType: 'pdf', stub: read.stub }
}
