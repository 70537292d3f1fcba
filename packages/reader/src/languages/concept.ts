/** The kind of value of a field; selects the parser. */
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

/** The party that a value belongs to. */
export type Party = 'vendor' | 'customer' | 'recipient'

/** A concept of business documents, with its labels and names. */
export interface Concept {
  readonly id: string
  readonly kind: Kind
  /** Labels as printed and names as in schemas, separated by `|`, that always mean this concept. */
  readonly labels: string
  /** Ambiguous labels, used when nothing better is there. */
  readonly weak?: string
  /** Names that appear only in schemas. */
  readonly names?: string
  readonly party?: Party
  /** Concepts of one family may share a value: a total that is also the amount due. */
  readonly family?: string
  /** True for concepts that appear as columns of item tables. */
  readonly column?: boolean
}
