/** The groups of EN 16931 that may occur several times. */
export type InvoiceGroup = 'BG-1' | 'BG-3' | 'BG-16' | 'BG-20' | 'BG-21' | 'BG-23' | 'BG-24' | 'BG-25'

/** A business term of an invoice with its value as in the XML. */
export interface InvoiceValue {
  /** The business term of EN 16931, such as `BT-1`. */
  readonly term: string
  readonly text: string
  /** XPath of the element or attribute, with the prefixes of `invoicePrefixes`. */
  readonly element: string
  /** The index of the group occurrence that it belongs to, from 0; absent for terms that occur once. */
  readonly at?: number
  /** Characters `[start, end)` of the XML; absent for an XML file within another file. */
  readonly span?: readonly [start: number, end: number]
}

/** The data of an electronic invoice in the model of EN 16931. */
export interface InvoiceData {
  readonly syntax: 'CII' | 'UBL'
  /** Name of the attached file in the PDF; absent if the document itself is the XML. */
  readonly file?: string
  readonly values: readonly InvoiceValue[]
}
