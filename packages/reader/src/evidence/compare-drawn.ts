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

/** The most quotations that are compared at once; of more, evenly spaced ones are compared first. */
const quotationsMax = 60
/** The most times that quotations are compared: other values take the places of those left out. */
const comparisonsMax = 3

/** How to answer, and how to look at the pages. */
interface Comparing<Answered> {
  /** Whether the text layer of a page may differ from what is drawn. */
  readonly isDoubted: (input: string, page: number) => boolean
  /** The answer without the words in these places. */
  readonly answerWithout: (differences: readonly Difference[]) => Promise<Answered>
  /** Those of the quotations in whose places something else is drawn. */
  readonly findDifferences: (quotations: readonly Quotation[]) => Promise<readonly Difference[]>
}

/** An answer without values that a page shows otherwise than its text layer says. */
export async function compareWithDrawing<Answered extends { readonly evidence: EvidenceMap }>({
  isDoubted,
  answerWithout,
  findDifferences,
}: Comparing<Answered>): Promise<{
  readonly answered: Answered
  readonly differences: readonly Difference[]
  /** How many quotations on such pages were left unchecked, because there are too many. */
  readonly unchecked: number
}> {
  let answered = await answerWithout([])
  const differences: Difference[] = []
  const compared = new Set<string>()
  const left = () => quotationsIn(answered.evidence, isDoubted).filter((one) => !compared.has(keyOf(one)))
  for (let round = 0; round < comparisonsMax; round += 1) {
    const now = evenlySpaced(left())
    if (now.length === 0) break
    for (const one of now) compared.add(keyOf(one))
    const found = await findDifferences(now)
    if (found.length === 0) continue
    differences.push(...found)
    answered = await answerWithout(differences)
  }
  return { answered, differences, unchecked: left().length }
}

/** The quotations of an answer on pages whose text layer may differ from what is drawn, each place once. */
function quotationsIn(
  evidence: EvidenceMap,
  isDoubted: (input: string, page: number) => boolean,
): readonly Quotation[] {
  const found = new Map<string, Quotation>()
  for (const { input, page, bbox, quote, element } of Object.values(evidence)) {
    if (input === undefined || page === undefined || !bbox || !quote || element !== undefined) continue
    if (!isDoubted(input, page)) continue
    const quotation = { input, page, box: bbox, text: quote }
    found.set(keyOf(quotation), quotation)
  }
  return [...found.values()]
}

function evenlySpaced(all: readonly Quotation[]): readonly Quotation[] {
  if (all.length <= quotationsMax) return all
  const partOf = (at: number): number => Math.floor((at * quotationsMax) / all.length)
  return all.filter((_, at) => partOf(at) !== partOf(at - 1))
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
        ({ page, text, drawn }) =>
          `page ${page + 1} has the text ${JSON.stringify(text)} and shows ${JSON.stringify(drawn)}`,
      )
    const more = own.length > namedMax ? `; and ${own.length - namedMax} more` : ''
    const message = `The text layer differs from what the pages show and was not used there: ${named.join('; ')}${more}`
    return inputWarnings(input, [{ code: 'text_differs_from_page', message }])
  })
}

/** The warning that some values were not compared with the pages; none if all were. */
export const uncheckedWarnings = (unchecked: number): Warning[] =>
  unchecked === 0
    ? []
    : [
        {
          code: 'text_not_compared',
          path: '',
          message: `The text layer of scanned pages gave more values than are compared with what the pages show: ${unchecked} were not`,
        },
      ]
