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
  /** The probability that a document starts there; 1 for the first. */
  readonly startsAt: number
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

function seenIn(layouts: readonly PageLayout[]): SeenPages {
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
export const turnsOf = (document: ReadDocument): PageTurn[] =>
  rememberingTexts(() => turnsIn(seenIn(layoutDocument(document, 0))))

/** Splits a file into its documents: see `splitPages`. */
export const splitDocument = (document: ReadDocument, kinds: readonly string[] = []): DocumentPart[] =>
  rememberingTexts(() => splitPages(layoutDocument(document, 0), kinds))

/**
 * Splits the pages of a file into documents by page numbers, letterheads, titles, identifiers, totals, blank pages and changes of layout.
 * `kinds` are names of kinds in the words of the caller; without them, the usual ones are distinguished. Pages without text are no documents.
 */
export function splitPages(pages: readonly PageLayout[], kinds: readonly string[] = []): DocumentPart[] {
  const seen = seenIn(pages)
  const { layouts, labels, signs } = seen
  const findKind = kindFinder(kinds)
  const firstWritten = signs.findIndex(({ isBlank }) => !isBlank)
  if (firstWritten < 0) return []
  const parts: { first: number; last: number; confidence: number; startsAt: number }[] = [
    { first: firstWritten, last: firstWritten, confidence: 1, startsAt: 1 },
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
      parts.push({ first: turn.to, last: turn.to, confidence: probability, startsAt: probability })
    }
  }
  return parts.map((part) => {
    const { first, last } = part
    return { ...part, kind: findKind(layouts.slice(first, last + 1), signs.slice(first, last + 1), labels) }
  })
}
