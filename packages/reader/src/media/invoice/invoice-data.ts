/** The groups of EN 16931 that an invoice may have several of. */
export type InvoiceGroup = 'BG-1' | 'BG-3' | 'BG-16' | 'BG-20' | 'BG-21' | 'BG-23' | 'BG-24' | 'BG-25'

/** One business term of an invoice with its value as it is written in the XML. */
export interface InvoiceValue {
  /** The business term of EN 16931, such as `BT-1`. */
  readonly term: string
  readonly text: string
  /** XPath of the element or attribute, with the prefixes of `invoicePrefixes`. */
  readonly element: string
  /** Which occurrence of the group of its term it belongs to, from 0; absent for what an invoice has once. */
  readonly at?: number
  /** Characters `[start, end)` of the XML; absent for an XML file within another file. */
  readonly span?: readonly [start: number, end: number]
}

/** The exact data of an electronic invoice in the model of EN 16931. */
export interface InvoiceData {
  readonly syntax: 'CII' | 'UBL'
  /** Name of the file within a PDF that it was read from; absent where the document itself is the XML. */
  readonly file?: string
  readonly values: readonly InvoiceValue[]
}
