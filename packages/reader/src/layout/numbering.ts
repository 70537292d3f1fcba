import type { Cell, PageLayout } from './layout.ts'

/** The number of a field of a form in front of its label: `4. Flag State`, `1.2 IMO number`, `12a) Name`, `7 CONSIGNEE`; not `3 nights`. */
const numberPattern = /^\(?(\d{1,2}(?:\.\d{1,2}){0,2})\p{Ll}?(?:[.):]\s+(?=[\p{L}(])|\s+(?=\p{Lu}))/u

/** So many numbers that follow one another are a numbering; fewer may be amounts or dates. */
const numbersMin = 4

const numberings = new WeakMap<PageLayout, ReadonlyMap<Cell, number>>()

/** The length of the number, with the space behind it, that a cell begins with where the texts of its page are numbered; else 0. */
export function numberingOf(cell: Cell): number {
  const { page } = cell.line
  let known = numberings.get(page)
  if (known === undefined) {
    known = findNumbering(page)
    numberings.set(page, known)
  }
  return known.get(cell) ?? 0
}

function findNumbering(page: PageLayout): ReadonlyMap<Cell, number> {
  const numbered = page.lines.flatMap(({ cells }) =>
    cells.flatMap((cell) => {
      const [whole, number] = numberPattern.exec(cell.text) ?? []
      return whole === undefined || number === undefined ? [] : [{ cell, length: whole.length, number }]
    }),
  )
  const numbers = [...new Set(numbered.map(({ number }) => number))].map(partsOf).sort(inOrder)
  const taken = new Set<string>()
  let run: (readonly number[])[] = []
  for (const [at, number] of numbers.entries()) {
    const before = numbers[at - 1]
    if (before !== undefined && !follows(before, number)) run = []
    run.push(number)
    if (run.length >= numbersMin) for (const each of run) taken.add(each.join('.'))
  }
  return new Map(
    numbered.filter(({ number }) => taken.has(partsOf(number).join('.'))).map(({ cell, length }) => [cell, length]),
  )
}

const partsOf = (number: string): readonly number[] => number.split('.').map(Number)

function inOrder(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((part, index) => part !== right[index])
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? 0)
}

/** True for 3 after 2 and after 2.4, 2.1 after 2, and 2.4 after 2.3. */
function follows(before: readonly number[], number: readonly number[]): boolean {
  const last = number.length - 1
  const isSameSection = number.slice(0, last).every((part, index) => part === before[index])
  return isSameSection && (number[last] ?? 0) === (before[last] ?? 0) + 1
}
