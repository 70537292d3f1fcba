import { amountConcepts } from './concepts-amounts.ts'
import { partyConcepts } from './concepts-parties.ts'
import { referenceConcepts } from './concepts-references.ts'

/** What sort of value a field holds; decides the parser. */
export type Kind =
  | 'text'
  | 'name'
  | 'address'
  | 'id'
  | 'date'
  | 'datetime'
  | 'time'
  | 'money'
  | 'number'
  | 'integer'
  | 'percent'
  | 'boolean'
  | 'enum'
  | 'currency'
  | 'email'
  | 'phone'
  | 'url'
  | 'iban'
  | 'vat'

/** Who a value belongs to. */
export type Party = 'vendor' | 'customer' | 'recipient'

/** Something that business documents say, with the words that they say it in. */
export interface Concept {
  readonly id: string
  readonly kind: Kind
  /** Labels as printed and names as schemas give them, parted by `|`, that mean this and nothing else. */
  readonly labels: string
  /** Labels that may mean it: used when nothing better stands there. */
  readonly weak?: string
  /** Names that only schemas use. */
  readonly names?: string
  readonly party?: Party
  /** Concepts of one family may share a value: a total that is also the amount due. */
  readonly family?: string
  /** True for what stands in the columns of a table of items. */
  readonly column?: boolean
}

/** Every concept that the engine knows, in English, German, French, Spanish, Italian, Dutch and Portuguese. */
export const concepts: readonly Concept[] = [...referenceConcepts, ...partyConcepts, ...amountConcepts]

const byId = new Map(concepts.map((concept) => [concept.id, concept]))

/** The concept of an id, if there is one. */
export const findConcept = (id: string): Concept | undefined => byId.get(id)

/** The phrases of a list of labels. */
export const phrasesOf = (list: string | undefined): string[] =>
  list === undefined ? [] : list.split('|').map((phrase) => phrase.trim())
