import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readDocument } from '../../src/media/read-document.ts'
import {
  browserPath,
  isSame,
  listSets,
  measuringSets,
  openPrinter,
  type PrintedPage,
  type Printer,
  printedPages,
  schemaOf,
} from '../printed/pages.ts'
import { kept } from './kept.ts'
import type { LabelledDocument } from './labelled.ts'
import { shareOf } from './questions.ts'

/** Each page is of another kind; they are left out of training in so many groups. */
const groups = 6

/** The set of a page that trains. */
export const printedSetOf = ({ set, name }: PrintedPage): string =>
  listSets.has(set) ? set : `printed-${1 + Math.floor(shareOf(name) * groups)}`

interface PrintedOptions {
  /** A folder that keeps what was read. */
  readonly cache: string | undefined
  /** Which pages are wanted, by name. */
  readonly takes: (name: string) => boolean
  /** Whether the pages with long lists are wanted too. */
  readonly withLists?: boolean
}

/** Pages that a browser prints, without those that only measure. Without a browser the ones that the cache lacks are left out. */
export async function* printedDocuments({
  cache,
  takes,
  withLists = false,
}: PrintedOptions): AsyncGenerator<LabelledDocument> {
  let printer: Promise<Printer> | undefined
  const documentOf = async (page: PrintedPage, id: string) =>
    await kept(cache, id, async () => {
      if (!existsSync(browserPath)) return null
      printer ??= openPrinter()
      return await readDocument({ bytes: await (await printer).print(page) })
    })
  try {
    for (const page of await printedPages()) {
      if (measuringSets.has(page.set) || (listSets.has(page.set) && !withLists) || !takes(page.name)) continue
      const hash = createHash('sha256').update(page.html).digest('hex').slice(0, 16)
      const document = await documentOf(page, `printed-${page.name}-${hash}`)
      if (document === null) {
        console.error(`left out: ${page.name}.html, for there is no browser at ${browserPath} (CHROMIUM_PATH)`)
        continue
      }
      const set = printedSetOf(page)
      const [schema, { name: id, truth }] = [schemaOf(page), page]
      yield { set, id, document, schema, truth, accepts: {}, recognised: false, isRight: isSame }
    }
  } finally {
    await (await printer)?.close()
  }
}
