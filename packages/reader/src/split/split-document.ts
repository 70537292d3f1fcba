import { findLabels, type LabelIndex } from '../labels/labels.ts'
import { knownBook } from '../languages/request-book.ts'
import { layoutDocument, type PageLayout } from '../layout/layout.ts'
import { rememberingTexts } from '../layout/remembered.ts'
import type { ReadDocument } from '../media/document.ts'
import { boundaryProbability, type PagePair } from './boundary.ts'
import { type KindFound, kindFinder } from './document-kind.ts'
import { type PageSigns, pageSigns } from './page-signs.ts'

/** One of several documents in a file. */
export interface DocumentPart {
  /** Positions in `pages` of the document. Blank pages around it are left out. */
  readonly first: number
  readonly last: number
  /** How sure it is that the document starts and ends there, and not in between. */
  readonly confidence: number
  /** Null where none of the kinds fits. */
  readonly kind: KindFound | null
}

/** A turn from one page with text to the next: positions of both, and what is seen. */
export interface PageTurn extends PagePair {
  readonly from: number
  readonly to: number
}

const boundaryMin = 0.5

/** The pages of a file with what is needed to tell its documents apart. */
interface SeenPages {
  readonly layouts: readonly PageLayout[]
  readonly labels: LabelIndex
  readonly signs: readonly PageSigns[]
}

function seenIn(document: ReadDocument): SeenPages {
  const layouts = layoutDocument(document, 0)
  const labels = findLabels(layouts, knownBook())
  return { layouts, labels, signs: layouts.map((layout) => pageSigns(layout, labels)) }
}

function turnsIn({ signs }: SeenPages): PageTurn[] {
  const written = signs.flatMap((sign, at) => (sign.isBlank ? [] : [{ sign, at }]))
  return written.slice(1).flatMap((after, index) => {
    const before = written[index]
    if (before === undefined) return []
    return [
      {
        from: before.at,
        to: after.at,
        before: before.sign,
        after: after.sign,
        isBlankBetween: after.at > before.at + 1,
      },
    ]
  })
}

/** The turns between the pages of a document that are not blank. */
export const turnsOf = (document: ReadDocument): PageTurn[] => rememberingTexts(() => turnsIn(seenIn(document)))

/**
 * Splits a file into its documents by page numbers, letterheads, titles, identifiers, totals, blank pages and changes of layout. `kinds` are
 * names of kinds in the words of the caller; without them, the usual ones are distinguished. A file without text has no documents.
 */
export function splitDocument(document: ReadDocument, kinds: readonly string[] = []): DocumentPart[] {
  return rememberingTexts(() => {
    const seen = seenIn(document)
    const { layouts, labels, signs } = seen
    const findKind = kindFinder(kinds)
    const firstWritten = signs.findIndex(({ isBlank }) => !isBlank)
    if (firstWritten < 0) return []
    const parts: { first: number; last: number; confidence: number }[] = [
      { first: firstWritten, last: firstWritten, confidence: 1 },
    ]
    for (const turn of turnsIn(seen)) {
      const probability = boundaryProbability(turn)
      const open = parts.at(-1)
      if (open === undefined) break
      if (probability < boundaryMin) {
        open.last = turn.to
        open.confidence *= 1 - probability
      } else {
        open.confidence *= probability
        parts.push({ first: turn.to, last: turn.to, confidence: probability })
      }
    }
    return parts.map(({ first, last, confidence }) => {
      const kind = findKind(layouts.slice(first, last + 1), signs.slice(first, last + 1), labels)
      return { first, last, confidence, kind }
    })
  })
}
