import { readFileSync } from 'node:fs'

/** The words of letters, delivery notes and payslips in one language. */
export interface Wording {
  readonly page: string
  readonly of: string
  readonly dear: string
  readonly regards: string
  readonly subject: string
  readonly reference: string
  readonly date: string
  readonly continued: string
  readonly sentences: readonly string[]
  readonly deliveryNote: { readonly title: string; readonly number: string; readonly columns: readonly string[] }
  readonly payslip: {
    readonly title: string
    readonly number: string
    readonly rows: readonly string[]
    readonly sum: string
  }
}

/** Reads the block of a language: `name text | text`, and a sentence after each dash. */
function wordingOf(block: string): Wording {
  const lines = block.trim().split('\n').slice(1)
  const all = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const parts = (name: string): readonly string[] => all(name).flatMap((text) => text.split(' | '))
  const one = (name: string, at = 0): string => parts(name)[at] ?? ''
  return {
    page: one('page'),
    of: one('of'),
    dear: one('dear'),
    regards: one('regards'),
    subject: one('subject'),
    reference: one('reference'),
    date: one('date'),
    continued: one('continued'),
    sentences: all('-'),
    deliveryNote: { title: one('deliveryNote'), number: one('deliveryNote', 1), columns: parts('columns') },
    payslip: { title: one('payslip'), number: one('payslip', 1), rows: parts('rows'), sum: one('payslip', 2) },
  }
}

const [english, german, french, ...others] = readFileSync(new URL('./wordings.txt', import.meta.url), 'utf8')
  .split(/^(?=\[)/m)
  .map(wordingOf) as [Wording, Wording, Wording, ...Wording[]]

/** Languages of each half: only English is in both. */
export const wordings: Readonly<Record<'train' | 'kept-out', readonly Wording[]>> = {
  train: [english, german, french],
  'kept-out': [english, ...others],
}
