import { describe, expect, test } from 'vitest'
import {
  eInvoice,
  type MadeEInvoice,
  madeCii,
  madeHybridPdf,
  madeUbl,
  pageOfEInvoice,
} from '../packages/reader/src/media/testing/made-e-invoice.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const day = { type: ['string', 'null'], format: 'date' }
const object = (properties: object) => ({ type: 'object', properties })
const list = (properties: object) => ({ type: 'array', items: object(properties) })

const english = object({
  invoice_no: text,
  issued_on: day,
  due_date: day,
  currency: text,
  supplier: object({ name: text, vat_id: text, city: text }),
  bill_to: text,
  payment: object({ iban: text }),
  totals: object({ net: number, vat: number, gross: number, due: number }),
  items: list({ description: text, qty: number, unit: text, unit_price: number, total: number }),
  vat_breakdown: list({ rate: number, taxable_amount: number, tax_amount: number }),
})

const expected = ({ lines, ...invoice }: MadeEInvoice) => ({
  invoice_no: invoice.number,
  issued_on: invoice.issued,
  due_date: invoice.due,
  currency: 'EUR',
  supplier: { name: invoice.seller.name, vat_id: invoice.seller.vat, city: invoice.seller.city },
  bill_to: invoice.buyer.name,
  payment: { iban: invoice.iban },
  totals: {
    net: Number(invoice.net),
    vat: Number(invoice.tax),
    gross: Number(invoice.gross),
    due: Number(invoice.gross),
  },
  items: lines.map(({ name, quantity, unit, price, amount }) => ({
    description: name,
    qty: Number(quantity),
    unit,
    unit_price: Number(price),
    total: Number(amount),
  })),
  vat_breakdown: [{ rate: 19, taxable_amount: Number(invoice.net), tax_amount: Number(invoice.tax) }],
})

async function read(bytes: Buffer, json_schema: object, filename = 'paper.txt') {
  const { id } = await service.upload(bytes, filename)
  const inputs = { paper: { type: 'input_file', file_id: id } }
  return service.execute({ inputs, config: { prompt: 'Extract the fields', json_schema } })
}

const sums = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement'

/** What the page does not say has no part in the answer: the XML alone has the values. */
const bare = ['Anlage zur elektronischen Rechnung', 'Bitte beachten Sie die beigefügten Daten.']

describe('the exact data of an electronic invoice', () => {
  test.each([
    ['CII in a file of any name', Buffer.from(madeCii(eInvoice)), 'rsm:CrossIndustryInvoice'],
    ['a UBL invoice', Buffer.from(madeUbl(eInvoice)), 'ubl:Invoice'],
    ['a UBL credit note', Buffer.from(madeUbl(eInvoice, 'CreditNote')), 'cn:CreditNote'],
  ])('is read from %s, with the element of each value', async (_, bytes, root) => {
    const record = await read(bytes, english)
    expect(record).toMatchObject({ status: 'completed', response: expected(eInvoice), warnings: [] })
    for (const [pointer, { element, status, confidence }] of Object.entries<Record<string, unknown>>(record.evidence))
      expect([pointer, element, status, Number(confidence) >= 0.9]).toEqual([
        pointer,
        expect.stringMatching(new RegExp(`^/${root}/`)),
        expect.stringMatching(/^(?:verified|normalised)$/),
        true,
      ])
  })

  test('has the place in the text of an XML file', async () => {
    const xml = madeUbl(eInvoice)
    const { evidence } = await read(Buffer.from(xml), english)
    const { span, element, quote, page } = evidence['/totals/gross']
    expect([element, quote, page]).toEqual(['/ubl:Invoice/cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount', '887.15', 0])
    expect(xml.slice(...(span as [number, number]))).toBe('887.15')
    const seller = evidence['/supplier/name']
    expect(xml.slice(...(seller.span as [number, number]))).toBe('Möbelhaus &amp; Söhne KG')
  })

  test('is read from the XML within a PDF, and the page shows where it says the same', async () => {
    const xml = { name: 'data.bin', text: madeCii(eInvoice) }
    const notes = { name: 'readme.txt', text: 'Nothing of interest' }
    const record = await read(await madeHybridPdf(pageOfEInvoice(eInvoice), [notes, xml]), english)
    expect(record).toMatchObject({ status: 'completed', response: expected(eInvoice), warnings: [] })
    expect(record.evidence['/totals/gross']).toMatchObject({
      status: 'verified',
      element: `${sums}/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:GrandTotalAmount`,
      quote: '887.15',
      page: 0,
      bbox: expect.any(Array),
    })
    const lineElement =
      '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem[2]'
    expect(record.evidence['/items/1/unit']).toMatchObject({
      element: `${lineElement}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode`,
      quote: 'H87',
    })
    const [first, second] = ['/items/0/total', '/items/1/total'].map((at) => record.evidence[at].bbox[1] as number)
    expect(second).toBeGreaterThan(first ?? 1)
    expect(record.evidence['/items/0/qty'].bbox[1]).toBeCloseTo(first ?? 0, 2)
  })

  test('has no place on pages that do not show it', async () => {
    const record = await read(await madeHybridPdf(bare, [{ name: 'factur-x.xml', text: madeCii(eInvoice) }]), english)
    expect(record.response).toEqual(expected(eInvoice))
    expect(record.evidence['/totals/gross']).not.toHaveProperty('page')
  })

  test.each([
    [
      'German',
      {
        rechnungsnummer: text,
        nettobetrag: number,
        mwst_betrag: number,
        zahlbetrag: number,
        verkaeufer: object({ name: text, plz: text, ort: text }),
        positionen: list({ bezeichnung: text, menge: number, gesamtpreis: number }),
      },
      {
        rechnungsnummer: 'R-2026/118',
        nettobetrag: 745.5,
        mwst_betrag: 141.65,
        zahlbetrag: 887.15,
        verkaeufer: { name: 'Möbelhaus & Söhne KG', plz: null, ort: 'Bremen' },
      },
    ],
    [
      'French',
      {
        numero_facture: text,
        date_echeance: day,
        total_ht: number,
        montant_tva: number,
        total_ttc: number,
        fournisseur: object({ nom: text, numero_tva: text }),
      },
      {
        numero_facture: 'R-2026/118',
        date_echeance: '2026-04-01',
        total_ht: 745.5,
        montant_tva: 141.65,
        total_ttc: 887.15,
        fournisseur: { nom: 'Möbelhaus & Söhne KG', numero_tva: 'DE811907980' },
      },
    ],
    [
      'described',
      {
        a: { ...number, description: 'Total without VAT' },
        b: { ...text, description: 'Name of the buyer' },
        c: { ...number, description: 'BT-112' },
      },
      { a: 745.5, b: 'Northgate Trading Ltd', c: 887.15 },
    ],
    [
      'Italian and Dutch',
      {
        partita_iva_fornitore: text,
        data_scadenza: day,
        totale_imponibile: number,
        factuurdatum: day,
        totaal_incl_btw: number,
      },
      {
        partita_iva_fornitore: 'DE811907980',
        data_scadenza: '2026-04-01',
        totale_imponibile: 745.5,
        factuurdatum: '2026-03-02',
        totaal_incl_btw: 887.15,
      },
    ],
  ])('fills fields by what their names and descriptions say: %s', async (_, properties, wanted) => {
    const record = await read(Buffer.from(madeCii(eInvoice)), object(properties))
    expect(record.response).toMatchObject(wanted)
  })

  test('leaves null what the XML does not say and what no business term means', async () => {
    const asked = object({ invoice_number: text, contract_number: text, flight_number: text, buyer_vat_id: text })
    const record = await read(
      await madeHybridPdf(pageOfEInvoice(eInvoice), [{ name: 'x.xml', text: madeCii(eInvoice) }]),
      asked,
    )
    expect(record.response).toEqual({
      invoice_number: 'R-2026/118',
      contract_number: null,
      flight_number: null,
      buyer_vat_id: null,
    })
  })

  test('leaves to a person what only the page says', async () => {
    const page = [...pageOfEInvoice(eInvoice), 'Flight number: LH 4711']
    const pdf = await madeHybridPdf(page, [{ name: 'x.xml', text: madeCii(eInvoice) }])
    const record = await read(pdf, object({ invoice_number: text, flight_number: text }))
    expect(record.response).toEqual({ invoice_number: 'R-2026/118', flight_number: 'LH 4711' })
    expect(record.needs_look).toEqual(['/flight_number'])
    expect(record.evidence['/flight_number'].note).toMatch(/the invoice data does not have it/)
  })

  test('is named beside what the page says where the two differ', async () => {
    const forged = { ...eInvoice, gross: '987.15', tax: '241.65' }
    const pdf = await madeHybridPdf(pageOfEInvoice(forged), [{ name: 'factur-x.xml', text: madeCii(eInvoice) }])
    const record = await read(pdf, english)
    expect(record.response.totals).toMatchObject({ gross: 887.15, vat: 141.65 })
    const differing = record.warnings.filter(({ code }: { code: string }) => code === 'page_differs')
    expect(differing.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/totals/vat', '/totals/gross']),
    )
    const { message } = differing.find(({ path }: { path: string }) => path === '/totals/gross')
    expect(message).toMatch(/^Page 1 says "987,15" .*"factur-x\.xml" says "887\.15" \(BT-112 /)
  })

  test('that does not add up is given as it is written, with a warning', async () => {
    const odd = { ...eInvoice, gross: '900.00' }
    const record = await read(Buffer.from(madeUbl(odd)), english)
    expect(record.response.totals.gross).toBe(900)
    expect(record.warnings).toEqual([
      {
        code: 'sums_do_not_add_up',
        path: '/totals/gross',
        message: 'The invoice data says BT-112 900.00, but BT-109 + BT-110 is 887.15',
      },
    ])
  })

  test('is not read where it declares a document type: entities are not expanded', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const bomb = madeCii(eInvoice)
      .replace(
        '<rsm:Cross',
        `<!DOCTYPE lol [<!ENTITY l0 "lol">${laughs}<!ENTITY x SYSTEM "file:///etc/passwd">]><rsm:Cross`,
      )
      .replace('R-2026/118', '&l9;&x;')
    const alone = await read(Buffer.from(bomb), english)
    expect(alone).toMatchObject({ status: 'failed', error: { code: 'unreadable_document' } })
    expect(alone.error.message).toContain('document type declaration')
    const pdf = await madeHybridPdf(pageOfEInvoice(eInvoice), [{ name: 'factur-x.xml', text: bomb }])
    const record = await read(pdf, english)
    expect(record.response).toMatchObject({ invoice_no: 'R-2026/118', currency: 'EUR' })
    expect(record.evidence['/invoice_no']).not.toHaveProperty('element')
    expect(record.warnings[0]).toMatchObject({
      code: 'invoice_data_unreadable',
      path: '/inputs/paper',
      message: expect.stringContaining('factur-x.xml'),
    })
  })

  test('of another vocabulary is text as before', async () => {
    const record = await read(
      Buffer.from('<note xmlns="urn:x"><Total>Total: 12.50</Total></note>'),
      object({ total: number }),
    )
    expect(record.evidence['/total']).not.toHaveProperty('element')
  })
})
