import { createHash } from 'node:crypto'
import type { Page, ReadDocument, Word } from './document.ts'
import type { Grey } from './image/grey.ts'
import type { ReadLimits } from './limits.ts'

/** What OCR gave for a page. */
export interface RecognisedPage extends Pick<Page, 'words' | 'turnedDegrees'> {
  readonly lookedAt: readonly string[]
}

/** Pages of an earlier version of a document, to read only pages anew that changed. */
export class KnownPages {
  readonly #byFirst = new Map<string, Page[]>()
  readonly #byPrint = new Map<string, Page>()

  constructor({ pages }: Pick<ReadDocument, 'pages'>) {
    for (const page of pages) {
      const { lookedAt, print } = page
      if (print !== undefined) this.#byPrint.set(print, page)
      const [first] = lookedAt ?? []
      if (first === undefined) continue
      const alike = this.#byFirst.get(first) ?? []
      alike.push(page)
      this.#byFirst.set(first, alike)
    }
  }

  /** The page that is made of the same: it needs neither parsing nor rendering. */
  withPrint(print: string): Page | undefined {
    return this.#byPrint.get(print)
  }

  /**
   * The page for which OCR looked at the same images; `look` gives the hash of image `number`. Only the images before an image decide
   * whether OCR looks at it, so that a page with an equal first image has as many.
   */
  async find(look: (number: number) => Promise<string>): Promise<RecognisedPage | undefined> {
    for (const page of this.#byFirst.get(await look(0)) ?? []) {
      const { lookedAt = [], turnedDegrees } = page
      if (await areEqual(lookedAt, look)) return { words: page.words, turnedDegrees, lookedAt }
    }
    return undefined
  }
}

async function areEqual(hashes: readonly string[], look: (number: number) => Promise<string>): Promise<boolean> {
  for (const [number, hash] of hashes.entries()) if ((await look(number)) !== hash) return false
  return true
}

/**
 * The hash of an image that OCR looks at. It includes everything else that OCR's result depends on: equal hashes mean equal words.
 * `known`: the words of the page's text layer.
 */
export function hashOfLook(
  { width, height, pixels }: Grey,
  { known, ocrPagePixels }: { readonly known: readonly Word[] } & Pick<ReadLimits, 'ocrPagePixels'>,
): string {
  const hash = createHash('sha256').update(JSON.stringify([width, height, ocrPagePixels, known]))
  return hash.update(pixels).digest('base64')
}
