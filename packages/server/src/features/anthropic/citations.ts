import type { JsonObject } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { passageOf } from '../../agent/citations/cite-text.ts'
import { sentencesOf } from '../../agent/citations/sentences.ts'
import type { CitedDocument } from './read-request.ts'

/** A citation, and the passage of the reply that it supports; `passage` is absent for a value of an answer in JSON. */
interface Cited {
  readonly passage: { readonly start: number; readonly end: number } | undefined
  readonly citation: JsonObject
}

interface TextBlock {
  readonly type: 'text'
  readonly text: string
  readonly citations: readonly JsonObject[] | null
  readonly [key: string]: unknown
}

/** The citations of an answer: what evidence found in the documents that are to be cited, and nothing else. */
export function citationsOf(evidence: EvidenceMap, documents: readonly CitedDocument[]): readonly Cited[] {
  return Object.entries(evidence).flatMap(([key, one]) => {
    const citation = citationOf(one, documents)
    return citation ? [{ passage: passageOf(key), citation }] : []
  })
}

function citationOf(
  { status, input, page, span, quote }: Evidence,
  documents: readonly CitedDocument[],
): JsonObject | undefined {
  const document = documents.find((one) => input === one.input || input?.startsWith(`${one.input}/`))
  if (!document || quote === undefined || (status !== 'verified' && status !== 'normalised')) return undefined
  const of = {
    cited_text: quote,
    document_index: document.index,
    document_title: document.title,
    file_id: document.fileId,
  }
  if (span) return { type: 'char_location', ...of, start_char_index: span[0], end_char_index: span[1] }
  if (page === undefined) return undefined
  // Pages count from 1, and the end is the page after.
  return { type: 'page_location', ...of, start_page_number: page + 1, end_page_number: page + 2 }
}

/**
 * A text as blocks: a sentence with citations is a block of its own, the others between are joined. An answer in JSON stays one block
 * with the citations of all its values.
 */
export function textBlocks(text: string, cited: readonly Cited[]): TextBlock[] {
  const ofValues = cited.flatMap(({ passage, citation }) => (passage ? [] : [citation]))
  if (ofValues.length > 0 || cited.length === 0) return [blockOf(text, ofValues)]
  const blocks: { text: string; citations: JsonObject[] }[] = []
  for (const { start, text: sentence } of sentencesOf(text)) {
    const isIn = ({ passage }: Cited) => passage && passage.start >= start && passage.start < start + sentence.length
    const citations = cited.filter(isIn).map(({ citation }) => citation)
    const last = blocks.at(-1)
    if (last && last.citations.length === 0 && citations.length === 0) last.text += sentence
    else blocks.push({ text: sentence, citations })
  }
  return blocks.map((block) => blockOf(block.text, block.citations))
}

const blockOf = (text: string, citations: readonly JsonObject[]): TextBlock => ({
  type: 'text',
  text,
  citations: citations.length === 0 ? null : distinct(citations),
})

const distinct = (citations: readonly JsonObject[]): JsonObject[] => [
  ...new Map(citations.map((one) => [JSON.stringify(one), one])).values(),
]
