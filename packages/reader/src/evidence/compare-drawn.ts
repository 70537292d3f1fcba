import type { Box, ReadDocument } from '../media/document.ts'
import type { EvidenceMap } from './evidence.ts'
import type { Warning } from './warnings.ts'
import { inputWarnings } from './warnings.ts'

/** A quotation of an answer that stands on a page whose text layer may differ from what is drawn. */
export interface Quotation {
  readonly input: string
  readonly page: number
  readonly box: Box
  readonly text: string
}

/** A quotation, and what the page as drawn says in its place. */
export interface Difference extends Quotation {
  readonly drawn: string
}

/** The most quotations of an answer that are compared; of more, evenly spaced ones are. */
const quotationsMax = 60
/** The most times that an answer is compared, as other values may take the places of those left out. */
export const comparisonsMax = 3

/** The quotations of an answer to compare with the drawn pages, without those that were compared before. */
export function quotationsToCompare(
  evidence: EvidenceMap,
  isDoubted: (input: string, page: number) => boolean,
  before: readonly Quotation[],
): Quotation[] {
  const known = new Set(before.map(keyOf))
  const found: Quotation[] = []
  for (const { input, page, bbox, quote, element } of Object.values(evidence)) {
    if (input === undefined || page === undefined || !bbox || !quote || element !== undefined) continue
    if (!isDoubted(input, page)) continue
    const quotation = { input, page, box: bbox, text: quote }
    if (known.has(keyOf(quotation))) continue
    known.add(keyOf(quotation))
    found.push(quotation)
  }
  const step = Math.ceil(found.length / quotationsMax)
  return found.filter((_, at) => at % step === 0)
}

const keyOf = ({ input, page, box }: Quotation): string => JSON.stringify([input, page, box])

/** A document without the words in the places where the drawing says something else. */
export function withoutDiffering(
  input: string,
  document: ReadDocument,
  differences: readonly Difference[],
): ReadDocument {
  const own = differences.filter((one) => one.input === input)
  if (own.length === 0) return document
  const pages = document.pages.map((page) => {
    const boxes = own.filter((one) => one.page === page.index).map(({ box }) => box)
    return boxes.length === 0 ? page : { ...page, words: page.words.filter(({ box }) => !boxes.some(isIn(box))) }
  })
  return { ...document, pages }
}

const isIn =
  ([left, top, width, height]: Box) =>
  ([x, y, w, h]: Box): boolean => {
    const [middleX, middleY] = [left + width / 2, top + height / 2]
    return middleX >= x && middleX <= x + w && middleY >= y && middleY <= y + h
  }

/** The most differences of an input that its warning names. */
const namedMax = 5

/** One warning for each input whose text differs from what is drawn, with both readings. */
export function differenceWarnings(differences: readonly Difference[]): Warning[] {
  return [...new Set(differences.map(({ input }) => input))].flatMap((input) => {
    const own = differences.filter((one) => one.input === input)
    const named = own
      .slice(0, namedMax)
      .map(
        ({ page, text, drawn }) => `page ${page + 1} says ${JSON.stringify(text)} and shows ${JSON.stringify(drawn)}`,
      )
    const more = own.length > namedMax ? `; and ${own.length - namedMax} more` : ''
    const message = `The text layer differs from what the pages show and was not used there: ${named.join('; ')}${more}`
    return inputWarnings(input, [{ code: 'text_differs_from_page', message }])
  })
}
