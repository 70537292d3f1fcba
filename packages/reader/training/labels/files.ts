import { readFileSync } from 'node:fs'

/** The files of labels, without `.txt`. In this order: another one gives other vectors. */
export const labelFiles = 'parties dates-and-numbers bills measures sectors wordings places amounts'.split(' ')

/** A thing that a field may ask for: what its value is, the names of such fields, and the labels that documents print before it. */
export interface Thing {
  readonly kind: string
  readonly names: readonly string[]
  readonly labels: readonly string[]
}

/** The things of all files. */
export const readThings = (): Thing[] =>
  labelFiles.flatMap((name) =>
    parts(readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8'), '\n').map((line) => {
      const [head = '', ...labels] = line.split('|')
      const [kind = '', names = ''] = head.split(': ')
      return { kind, names: parts(names, ','), labels: labels.flatMap((part) => parts(part, ';')) }
    }),
  )

/** The parts of a text between marks, without those that are empty. */
export const parts = (text: string, mark: string): string[] =>
  text
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== '')
