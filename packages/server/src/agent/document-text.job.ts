import { layoutPage, lineText } from '@skillrun/reader/layout/layout.ts'
import type { Page, ReadDocument } from '@skillrun/reader/media/document.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { clockTime } from '@skillrun/reader/media/timed/clock-time.ts'
import { dataText } from './data-text.ts'
import type { DocumentText, DocumentTextRequest } from './document-text.ts'

/** See `documentTextJob`. Documents share the space equally; space that one leaves unused goes to the next ones. */
export default function documentText({ documents, charactersMax }: DocumentTextRequest): DocumentText[] {
  let room = charactersMax
  return documents.map(({ input, packed }, index) => {
    const document = unpackDocument(packed)
    const share = Math.floor(room / (documents.length - index))
    const written = writeOut(document, share)
    room -= written.text.length
    const imagePages = document.pages.filter((page) => page.source === 'ocr').map((page) => page.index)
    return { input, mediaType: document.mediaType, pageCount: document.pageCount, ...written, imagePages }
  })
}

/** The shortest beginning of a page that is worth including. */
const cutCharactersMin = 2_000

function writeOut(document: ReadDocument, charactersMax: number): Pick<DocumentText, 'text' | 'left'> {
  const parts: string[] = []
  const left: number[] = []
  let length = 0
  for (const page of document.pages) {
    const text = `${markerOf(page, document)}${pageText(page)}`
    const room = charactersMax - length
    if (text.length > room) left.push(page.index)
    // The first page that does not fit is truncated instead of left out: plain text is a single page.
    const isCut = text.length > room && left.length === 1 && room >= cutCharactersMin
    if (text.length > room && !isCut) continue
    const part = isCut ? `${text.slice(0, Math.max(0, text.lastIndexOf('\n', room)))}\n[this page goes on]` : text
    parts.push(part)
    length += part.length + 1
  }
  return { text: parts.join('\n'), left }
}

function markerOf(page: Page, document: ReadDocument): string {
  if (page.source === 'plain') return ''
  if (page.atSeconds !== undefined) return `[frame at ${clockTime(page.atSeconds)}, text recognised by OCR]\n`
  const how = page.source === 'ocr' ? ', recognised by OCR' : ''
  return `[page ${page.index + 1} of ${document.pageCount}${how}]\n`
}

/** The lines of a page as text that cannot close an `<input>` tag of a prompt. */
function pageText(page: Page): string {
  return dataText(layoutPage(page, 0).lines.map(lineText).join('\n'))
}
