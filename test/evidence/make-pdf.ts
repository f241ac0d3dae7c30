import { writeFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'

type Options = NonNullable<ConstructorParameters<typeof PDFDocument>[0]>

/** A PDF of these pages; an empty one is a picture. */
export async function makePdf(path: string, pages: readonly string[], options: Options = {}): Promise<void> {
  const document = new PDFDocument({ autoFirstPage: false, ...options })
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (const text of pages) {
    document.addPage()
    if (text === '') document.rect(50, 50, 100, 100).fill('red')
    else document.text(text)
  }
  document.end()
  await ended
  writeFileSync(path, Buffer.concat(chunks))
}
