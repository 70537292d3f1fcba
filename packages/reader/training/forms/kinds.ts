import { readFileSync } from 'node:fs'
import type { Split } from '../documents/words.ts'

/** Languages of the columns of the files of kinds; some kinds have only the first five. */
const languages = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt']

/** One field of a kind of form: how it may be asked for, described and labelled. */
export interface FieldWords {
  /** Fields of a section have a heading in common, such as `Landlord` over `Name`. */
  readonly section: SectionWords | null
  readonly type: string
  readonly names: readonly string[]
  readonly description: string | null
  /** Wordings by language. */
  readonly labels: Wordings
}

export interface SectionWords {
  readonly names: readonly string[]
  readonly labels: Wordings
}

export type Wordings = Readonly<Record<string, readonly string[]>>

/** A kind of form: its titles and fields. */
export interface KindWords {
  readonly titles: Wordings
  readonly fields: readonly FieldWords[]
}

const alternatives = (text: string): string[] => text.trim().split('|')

const wordingsOf = (columns: readonly string[]): Wordings =>
  Object.fromEntries(columns.map((column, at) => [languages[at] ?? '', alternatives(column)]))

/**
 * Reads a file of kinds. A block `[kind]` has a line of titles and a line for each field: type, names, description, and its labels by
 * language. Lines after `@names` are fields of a section; `= names` takes fields of the block without a kind, which many kinds have.
 */
function readKinds(file: string): { readonly kinds: Map<string, KindWords>; readonly common: readonly FieldWords[] } {
  const common: FieldWords[] = []
  const kinds = new Map<string, KindWords>()
  for (const block of readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/^\[/m)
    .slice(1)) {
    const [head = '', ...lines] = block.trim().split('\n')
    let titles: Wordings = {}
    let section: SectionWords | null = null
    const fields: FieldWords[] = []
    for (const line of lines) {
      const [asked = '', ...labels] = line.split(';')
      const wordings = wordingsOf(labels)
      if (asked === 'title') titles = wordings
      else if (asked.startsWith('@'))
        section = asked === '@' ? null : { names: alternatives(asked.slice(1)), labels: wordings }
      else if (asked.startsWith('= '))
        fields.push(...common.filter(({ names: [name = ''] }) => asked.split(' ').includes(name)))
      else {
        const [, type = '', names = '', description = null] = /^(.+?) ([\w|]+)(?:: (.*))?$/.exec(asked) ?? []
        fields.push({ section, type, names: alternatives(names), description, labels: wordings })
      }
    }
    if (head === ']') common.push(...fields)
    else kinds.set(head.slice(0, -1), { titles, fields })
  }
  return { kinds, common }
}

const read = { train: readKinds('./kinds.txt'), 'kept-out': readKinds('./kept-out-kinds.txt') }

export const kindsOf = (split: Split): ReadonlyMap<string, KindWords> => read[split].kinds

/** Fields that forms of any kind may print. */
export const commonFields: readonly FieldWords[] = read.train.common
