import { type DefaultPrefixes, elementsAt, type PlacedElement, valuesAt } from './element-path.ts'
import type { InvoiceData, InvoiceGroup, InvoiceValue } from './invoice-data.ts'
import { invoicePrefixes } from './looks-like-invoice.ts'
import { groupPaths, invoiceTerms } from './terms.ts'
import { parseXml, type XmlElement } from './xml.ts'

interface Syntax {
  readonly name: 'CII' | 'UBL'
  readonly key: 'cii' | 'ubl'
  readonly values: DefaultPrefixes
  readonly groups: DefaultPrefixes
  readonly currency: string
}

const cii: Syntax = {
  name: 'CII',
  key: 'cii',
  values: { inner: 'ram', last: 'ram' },
  groups: { inner: 'ram', last: 'ram' },
  currency: 'rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/InvoiceCurrencyCode',
}
const ubl: Syntax = {
  name: 'UBL',
  key: 'ubl',
  values: { inner: 'cac', last: 'cbc' },
  groups: { inner: 'cac', last: 'cac' },
  currency: 'DocumentCurrencyCode',
}

const syntaxes: ReadonlyMap<string, Syntax> = new Map([
  ['rsm:CrossIndustryInvoice', cii],
  ['ubl:Invoice', ubl],
  ['cn:CreditNote', ubl],
])

/** An electronic invoice: its elements, and its business terms of EN 16931. */
export interface ReadInvoice {
  readonly root: XmlElement
  readonly data: InvoiceData
}

/** Reads an electronic invoice in CII or UBL; undefined for other XML. `file`: its name within its PDF. Throws the Faults of `parseXml`. */
export function readInvoice(xml: string, file?: string): ReadInvoice | undefined {
  const root = parseXml(xml, invoicePrefixes)
  const syntax = syntaxes.get(root.name)
  if (syntax === undefined) return undefined
  const at: PlacedElement = { element: root, path: `/${root.name}` }
  const bare = { prefixes: syntax.values, currency: '' }
  const currency = valuesAt(at, syntax.currency, bare)[0]?.text ?? ''
  const instances = new Map(
    Object.entries(groupPaths).map(([group, paths]) => {
      const scope = { prefixes: syntax.groups, currency }
      return [group as InvoiceGroup, paths[syntax.key].split(' | ').flatMap((path) => elementsAt(at, path, scope))]
    }),
  )
  const values = invoiceTerms.flatMap((term): InvoiceValue[] => {
    const places = term.group === undefined ? [at] : (instances.get(term.group) ?? [])
    return places.flatMap((place, index) =>
      valuesAt(place, term[syntax.key], { prefixes: syntax.values, currency }).map(({ element, text, path }) => ({
        term: term.id,
        text,
        element: path,
        ...(term.group !== undefined && { at: index }),
        // An attribute comes before the text of its element.
        ...(file === undefined && !path.includes('@') && { span: element.span }),
      })),
    )
  })
  return { root, data: { syntax: syntax.name, ...(file !== undefined && { file }), values } }
}
