import { layoutDocument, lineText } from '@skillrun/reader/layout/layout.ts'
import { fold, squeeze } from '@skillrun/reader/layout/text.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import type { Hit, Hits } from './search.ts'

const hitsMax = 20

/** See `searchJob`. */
export default function search({ packed, query }: { packed: Uint8Array; query: string }): Hits {
  const wanted = squeeze(fold(query))
  const hits: Hit[] = []
  let count = 0
  for (const { page, lines } of layoutDocument(unpackDocument(packed), 0)) {
    const texts = lines.map(lineText)
    texts.forEach((line, index) => {
      if (!squeeze(fold(line)).includes(wanted)) return
      count += 1
      if (hits.length < hitsMax)
        hits.push({ page: page.index + 1, line, before: texts[index - 1] ?? '', after: texts[index + 1] ?? '' })
    })
  }
  return { count, hits }
}
