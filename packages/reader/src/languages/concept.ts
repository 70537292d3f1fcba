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
