import { readFile, stat } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { tooLarge } from './faults.ts'
import { readLimits } from './limits.ts'
import { mailType } from './mail/looks-like-mail.ts'
import { isOffice } from './office/office.ts'
import { type PageWords, type PageWordsRequest, pageWordsMax } from './page-words.ts'
import { readDocument } from './read-document.ts'
import { sniff } from './sniff.ts'

export default async function pageWords({ page: index, ...source }: PageWordsRequest): Promise<PageWords> {
  const size = 'bytes' in source ? source.bytes.length : (await stat(source.path)).size
  if (size > readLimits.fileBytesMax)
    throw tooLarge(`The file has ${size} bytes; files with at most ${readLimits.fileBytesMax} can be shown.`)
  const bytes = 'bytes' in source ? source.bytes : await readFile(source.path)
  const declared = 'mail'
  const sniffed = await sniff(bytes, declared)
  if (
    !isOffice(sniffed.mediaType) &&
    sniffed.mediaType !== mailType &&
    !/^(application\/pdf$|image\/)/.test(sniffed.mediaType)
  )
    throw new Fault(
      'invalid',
      'undrawable_input',
      `A file of type ${sniffed.mediaType} cannot be shown as words; only emails, office files, books, PDF files and images can`,
    )
  const { mediaType, pageCount, pages } = await readDocument({ bytes, declared, pageIndices: [index] })
  const { width = 1, height = 1, words = [] } = pages[0] ?? {}
  return {
    mediaType,
    pageCount,
    columns: Math.round(width),
    rows: Math.round(height),
    words: words.slice(0, pageWordsMax).map(({ text, box }) => ({ text, box })),
    leftOut: Math.max(0, words.length - pageWordsMax),
  }
}
