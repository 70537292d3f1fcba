import type { Word } from '@skillrun/reader/media/document.ts'
import { packDocument, unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import type { ChangeRequest } from './change-reading.ts'

/** Replaces every digit by another; dates stay valid. */
const otherDigit: Readonly<Record<string, string>> = {
  '0': '1',
  '1': '0',
  '2': '1',
  '3': '4',
  '4': '5',
  '5': '6',
  '6': '7',
  '7': '8',
  '8': '9',
  '9': '8',
}

export default function changeReading({ packed, how }: ChangeRequest): Uint8Array {
  const document = unpackDocument(packed)
  const change = (word: Word): Word => ({
    ...word,
    text: word.text.replace(/\d/g, (digit) => otherDigit[digit] ?? digit),
  })
  const pages = document.pages.map((page) => ({ ...page, words: how === 'empty' ? [] : page.words.map(change) }))
  return packDocument({ ...document, pages }).packed
}
