import { madePdf } from './made.ts'

/** What an electronic invoice says. Amounts are decimals as XML writes them. */
export interface MadeEInvoice {
  readonly number: string
  /** ISO days. */
  readonly issued: string
  readonly due: string
  readonly seller: { readonly name: string; readonly vat: string; readonly street: string; readonly city: string }
  readonly buyer: { readonly name: string; readonly city: string }
  readonly iban: string
  readonly net: string
  readonly tax: string
  readonly gross: string
  readonly rate: string
  readonly lines: readonly {
    readonly name: string
    readonly quantity: string
    readonly unit: string
    readonly price: string
    readonly amount: string
  }[]
}

/** An invoice whose sums add up. */
export const eInvoice: MadeEInvoice = {
  number: 'R-2026/118',
  issued: '2026-03-02',
  due: '2026-04-01',
  seller: { name: 'Möbelhaus & Söhne KG', vat: 'DE811907980', street: 'Hafenweg 3', city: 'Bremen' },
  buyer: { name: 'Northgate Trading Ltd', city: 'Leeds' },
  iban: 'DE75512108001245126199',
  net: '745.50',
  tax: '141.65',
  gross: '887.15',
  rate: '19.00',
  lines: [
    { name: 'Oak table', quantity: '1.0000', unit: 'C62', price: '520.5000', amount: '520.50' },
    { name: 'Chair, black', quantity: '3.0000', unit: 'H87', price: '75.0000', amount: '225.00' },
  ],
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const tag = (name: string, content: string, attributes = ''): string =>
  `<${name}${attributes}>${content.startsWith('<') ? content : escaped(content)}</${name}>`

const un = 'urn:un:unece:uncefact:data:standard:'

/** The invoice in UN/CEFACT's syntax, as Factur-X, ZUGFeRD and XRechnung have it. */
export function madeCii(invoice: MadeEInvoice): string {
  const { seller, buyer } = invoice
  const day = (name: string, iso: string): string =>
    tag(name, tag('udt:DateTimeString', iso.replaceAll('-', ''), ' format="102"'))
  const lines = invoice.lines.map(({ name, quantity, unit, price, amount }, at) =>
    tag(
      'ram:IncludedSupplyChainTradeLineItem',
      tag('ram:AssociatedDocumentLineDocument', tag('ram:LineID', String(at + 1))) +
        tag('ram:SpecifiedTradeProduct', tag('ram:Name', name)) +
        tag('ram:SpecifiedLineTradeAgreement', tag('ram:NetPriceProductTradePrice', tag('ram:ChargeAmount', price))) +
        tag('ram:SpecifiedLineTradeDelivery', tag('ram:BilledQuantity', quantity, ` unitCode="${unit}"`)) +
        tag(
          'ram:SpecifiedLineTradeSettlement',
          tag('ram:ApplicableTradeTax', tag('ram:RateApplicablePercent', invoice.rate)) +
            tag('ram:SpecifiedTradeSettlementLineMonetarySummation', tag('ram:LineTotalAmount', amount)),
        ),
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="${un}CrossIndustryInvoice:100" xmlns:ram="${un}ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${un}UnqualifiedDataType:100">
${tag('rsm:ExchangedDocument', tag('ram:ID', invoice.number) + tag('ram:TypeCode', '380') + day('ram:IssueDateTime', invoice.issued))}
<rsm:SupplyChainTradeTransaction>
${lines.join('\n')}
${tag(
  'ram:ApplicableHeaderTradeAgreement',
  tag(
    'ram:SellerTradeParty',
    tag('ram:Name', seller.name) +
      tag('ram:PostalTradeAddress', tag('ram:LineOne', seller.street) + tag('ram:CityName', seller.city)) +
      tag('ram:SpecifiedTaxRegistration', tag('ram:ID', '60/123/45678', ' schemeID="FC"')) +
      tag('ram:SpecifiedTaxRegistration', tag('ram:ID', seller.vat, ' schemeID="VA"')),
  ) +
    tag(
      'ram:BuyerTradeParty',
      tag('ram:Name', buyer.name) + tag('ram:PostalTradeAddress', tag('ram:CityName', buyer.city)),
    ),
)}
${tag(
  'ram:ApplicableHeaderTradeSettlement',
  tag('ram:InvoiceCurrencyCode', 'EUR') +
    tag(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      tag('ram:TypeCode', '58') + tag('ram:PayeePartyCreditorFinancialAccount', tag('ram:IBANID', invoice.iban)),
    ) +
    tag(
      'ram:ApplicableTradeTax',
      tag('ram:CalculatedAmount', invoice.tax) +
        tag('ram:BasisAmount', invoice.net) +
        tag('ram:CategoryCode', 'S') +
        tag('ram:RateApplicablePercent', invoice.rate),
    ) +
    tag('ram:SpecifiedTradePaymentTerms', day('ram:DueDateDateTime', invoice.due)) +
    tag(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      tag('ram:LineTotalAmount', invoice.net) +
        tag('ram:TaxBasisTotalAmount', invoice.net) +
        tag('ram:TaxTotalAmount', invoice.tax, ' currencyID="EUR"') +
        tag('ram:GrandTotalAmount', invoice.gross) +
        tag('ram:DuePayableAmount', invoice.gross),
    ),
)}
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`
}

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** The invoice, or a credit note, in OASIS' syntax, as XRechnung and Peppol BIS have it. */
export function madeUbl(invoice: MadeEInvoice, root: 'Invoice' | 'CreditNote' = 'Invoice'): string {
  const { seller, buyer } = invoice
  const money = (name: string, amount: string): string => tag(`cbc:${name}`, amount, ' currencyID="EUR"')
  const party = (name: string, city: string, inner: string): string =>
    tag(
      'cac:Party',
      `${tag('cac:PostalAddress', inner + tag('cbc:CityName', city))}${name === seller.name ? tag('cac:PartyTaxScheme', tag('cbc:CompanyID', seller.vat) + tag('cac:TaxScheme', tag('cbc:ID', 'VAT'))) : ''}${tag('cac:PartyLegalEntity', tag('cbc:RegistrationName', name))}`,
    )
  const isCredit = root === 'CreditNote'
  const lines = invoice.lines.map(({ name, quantity, unit, price, amount }, at) =>
    tag(
      `cac:${root}Line`,
      tag('cbc:ID', String(at + 1)) +
        tag(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', quantity, ` unitCode="${unit}"`) +
        money('LineExtensionAmount', amount) +
        tag('cac:Item', tag('cbc:Name', name) + tag('cac:ClassifiedTaxCategory', tag('cbc:Percent', invoice.rate))) +
        tag('cac:Price', money('PriceAmount', price)),
    ),
  )
  const means = (inner: string): string =>
    tag('cac:PaymentMeans', inner + tag('cac:PayeeFinancialAccount', tag('cbc:ID', invoice.iban)))
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment before the root -->
<${root} xmlns="${oasis}${root}-2" xmlns:cac="${oasis}CommonAggregateComponents-2" xmlns:cbc="${oasis}CommonBasicComponents-2">
${tag('cbc:ID', invoice.number)}${tag('cbc:IssueDate', invoice.issued)}${isCredit ? '' : tag('cbc:DueDate', invoice.due)}
${tag(`cbc:${root}TypeCode`, isCredit ? '381' : '380')}${tag('cbc:DocumentCurrencyCode', 'EUR')}
${tag('cac:AccountingSupplierParty', party(seller.name, seller.city, tag('cbc:StreetName', seller.street)))}
${tag('cac:AccountingCustomerParty', party(buyer.name, buyer.city, ''))}
${means(isCredit ? tag('cbc:PaymentDueDate', invoice.due) : '')}
${tag(
  'cac:TaxTotal',
  money('TaxAmount', invoice.tax) +
    tag(
      'cac:TaxSubtotal',
      money('TaxableAmount', invoice.net) +
        money('TaxAmount', invoice.tax) +
        tag('cac:TaxCategory', tag('cbc:ID', 'S') + tag('cbc:Percent', invoice.rate)),
    ),
)}
${tag(
  'cac:LegalMonetaryTotal',
  money('LineExtensionAmount', invoice.net) +
    money('TaxExclusiveAmount', invoice.net) +
    money('TaxInclusiveAmount', invoice.gross) +
    money('PayableAmount', invoice.gross),
)}
${lines.join('\n')}
</${root}>
`
}

/** A PDF of one page with these lines, and with files attached to it. */
export const madeHybridPdf = (
  lines: readonly string[],
  attached: readonly { readonly name: string; readonly text: string }[],
): Promise<Buffer> =>
  madePdf((document) => {
    document.font('Helvetica').fontSize(11)
    for (const [at, line] of lines.entries())
      for (const [column, cell] of line.split('\t').entries()) document.text(cell, 60 + column * 120, 60 + at * 22)
    for (const { name, text } of attached) document.file(Buffer.from(text), { name, type: 'text/xml' })
  })

/** The lines of a page that says what the invoice says; columns are parted by tabs. */
export const pageOfEInvoice = ({ number, issued, due, seller, buyer, lines, ...sums }: MadeEInvoice): string[] => {
  const german = (iso: string): string => iso.split('-').toReversed().join('.')
  const amount = (text: string): string => Number(text).toFixed(2).replace('.', ',')
  return [
    seller.name,
    `${seller.street}, ${seller.city}`,
    '',
    buyer.name,
    buyer.city,
    '',
    `Rechnungsnummer:\t${number}`,
    `Rechnungsdatum:\t${german(issued)}`,
    `Fällig am:\t${german(due)}`,
    '',
    'Bezeichnung\tMenge\tEinzelpreis\tBetrag',
    ...lines.map((line) => [line.name, amount(line.quantity), amount(line.price), amount(line.amount)].join('\t')),
    '',
    `Nettobetrag\t\t\t${amount(sums.net)}`,
    `MwSt 19 %\t\t\t${amount(sums.tax)}`,
    `Gesamtbetrag EUR\t\t\t${amount(sums.gross)}`,
    `IBAN ${sums.iban}`,
  ]
}
