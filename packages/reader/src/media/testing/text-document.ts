import type { Page, ReadDocument } from '../document.ts'
import { gridPage } from '../text/grid.ts'
import { wordsOfText } from '../text/plain.ts'

/** A document of one page with a text, as if it had been read from such a source. */
export const textDocument = (text: string, source: Page['source'] = 'plain'): ReadDocument => ({
  mediaType: source === 'plain' ? 'text/plain' : 'application/pdf',
  pageCount: 1,
  pages: [{ ...gridPage(wordsOfText(text)), source }],
})
