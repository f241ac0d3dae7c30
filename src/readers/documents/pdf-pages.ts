import { inflatesBeyond, MAX_INFLATED_BYTES } from './pdf-inflated-size.js'

interface ReadPdf {
  readonly title: string
  readonly pages: readonly string[]
  /** Why there is no text. */
  readonly stub: string | null
}

const stubOf = (stub: string): ReadPdf => ({ title: '', pages: [], stub })

/** The text of a PDF, page by page. An unreadable one is captured without text. */
export async function readPdf(bytes: Uint8Array, onPage: (page: number) => void): Promise<ReadPdf> {
  if (await inflatesBeyond(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
    return stubOf(`its streams hold more than ${MAX_INFLATED_BYTES / 2 ** 20} MB`)
  const { getDocumentProxy } = await import('unpdf')
  let document: Awaited<ReturnType<typeof getDocumentProxy>>
  try {
    document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
    return stubOf(failure.name === 'PasswordException' ? 'the PDF is encrypted' : `the PDF cannot be read (${failure.message})`)
  }
  try {
    const pages: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      pages.push(await pageText(document, number))
      onPage(number)
    }
    const isEmpty = pages.every((text) => text.trim() === '')
    return isEmpty ? stubOf('the PDF has no text; its pages are pictures') : { title: await titleOf(document), pages, stub: null }
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
    return stubOf(`the PDF cannot be read (${failure.message})`)
  } finally {
    await document.cleanup().catch(() => undefined)
  }
}

interface Pages {
  getPage(number: number): Promise<{ getTextContent(): Promise<{ readonly items: readonly object[] }>; cleanup(): boolean }>
}

async function pageText(document: Pages, number: number): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  let text = ''
  for (const item of items) {
    if ('str' in item && typeof item.str === 'string') text += item.str
    if ('hasEOL' in item && item.hasEOL === true) text += '\n'
  }
  page.cleanup()
  return text
}

async function titleOf(document: { getMetadata(): Promise<{ readonly info: object }> }): Promise<string> {
  const { info } = await document.getMetadata()
  return 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
}
