import { madeOnce } from '../layout/remembered.ts'
import { phraseOf } from '../layout/text.ts'
import { plays } from './instruction-words.ts'

/** Common names in the engine's languages, by the concept or list that they name. */
const synonyms: Readonly<Record<string, string>> = {
  total:
    'total|grand total|total amount|amount total|invoice total|total due|total amount due|total payable|gross total|gross amount|total with tax|total including tax|total incl vat|final total|gesamtbetrag|gesamtsumme|rechnungsbetrag|endbetrag|bruttobetrag|summe|montant total|total ttc|montant ttc|total à payer|importe total|total factura|total a pagar|total con iva|totale|importo totale|totale fattura|totale da pagare|totaal|totaalbedrag|factuurbedrag|valor total|total da fatura',
  subtotal:
    'subtotal|sub total|net total|net amount|total net|total before tax|amount before tax|total excluding tax|total excl vat|total without tax|zwischensumme|nettobetrag|nettosumme|sous total|total ht|montant ht|total hors taxes|montant hors taxes|base imponible|total sin iva|importe neto|total neto|imponibile|totale imponibile|subtotale|importo netto|totale netto|subtotaal',
  tax: 'tax|vat|tax amount|vat amount|sales tax|total tax|mwst|ust|mehrwertsteuer|umsatzsteuer|steuer|steuerbetrag|mwst betrag|tva|montant de la tva|taxe|iva|importe iva|impuesto|imposta|importo iva|btw|imposto',
  tax_rate: 'tax rate|vat rate|steuersatz|mwst satz|taux de tva|tipo de iva|aliquota|aliquota iva|btw tarief',
  amount_due:
    'amount due|balance due|offener betrag|solde dû|restant dû|importe pendiente|importo dovuto|openstaand bedrag',
  invoice_number:
    'invoice number|invoice id|bill number|rechnungsnummer|belegnummer|numéro de facture|número de factura|numero fattura|numero di fattura|numero della fattura|factuurnummer|número da fatura',
  order_number:
    'order number|order id|purchase order number|bestellnummer|auftragsnummer|numéro de commande|número de pedido|numero ordine|ordernummer',
  customer_number:
    'customer number|client number|kundennummer|numéro client|número de cliente|codice cliente|klantnummer',
  invoice_date:
    'invoice date|date of invoice|issue date|date of issue|rechnungsdatum|ausstellungsdatum|date de facture|fecha de factura|fecha de emisión|data fattura|data della fattura|data di emissione|factuurdatum|data da fatura',
  due_date:
    'due date|payment due date|date due|fälligkeitsdatum|fälligkeit|date d échéance|échéance|fecha de vencimiento|vencimiento|data di scadenza|scadenza|vervaldatum|data de vencimento',
  order_date: 'order date|bestelldatum|date de commande|fecha de pedido|data ordine|besteldatum',
  delivery_date: 'delivery date|lieferdatum|date de livraison|fecha de entrega|data di consegna|leverdatum',
  vendor_name:
    'vendor|seller|supplier|merchant|issuer|vendor name|seller name|supplier name|merchant name|lieferant|verkäufer|lieferantenname|fournisseur|vendeur|nom du fournisseur|proveedor|vendedor|nombre del proveedor|fornitore|venditore|nome del fornitore|leverancier|verkoper|fornecedor',
  customer_name:
    'customer|client|buyer|customer name|client name|buyer name|kunde|käufer|kundenname|client|acheteur|nom du client|cliente|comprador|nombre del cliente|acquirente|nome del cliente|klant|koper|comprador',
  line_items:
    'line items|line item|items|item|lines|line|positions|position|positionen|posten|rechnungsposition|lignes|ligne|lignes de facture|articles|article|artikel|líneas|línea|línea de detalle|artículos|artículo|conceptos|concepto|righe|riga|voci|voce|articoli|articolo|regels|factuurregels|artikelen|linhas|itens',
  rows: 'rows|row|table|tables|entries|entry|lines|zeilen|tabelle|einträge|lignes|tableau|filas|tabla|righe|tabella|rijen|tabel|linhas|tabela',
  transactions: 'transactions|transaction|buchungen|umsätze|opérations|movimientos|movimenti|transacties',
  description:
    'description|item description|beschreibung|bezeichnung|désignation|descripción|descrizione|omschrijving|descrição',
  quantity: 'quantity|qty|menge|quantité|cantidad|quantità|hoeveelheid|aantal|quantidade',
  unit_price:
    'unit price|price|price per unit|einzelpreis|stückpreis|preis|prix unitaire|prix|precio unitario|precio|prezzo unitario|prezzo|eenheidsprijs|stukprijs|prijs|preço unitário|preço',
  line_amount: 'amount|line total|line amount|betrag|gesamtpreis|montant|importe|importo|bedrag|montante',
  currency: 'currency|currency code|währung|devise|monnaie|moneda|divisa|valuta|moeda',
  iban: 'iban|bank account|kontonummer iban',
  discount: 'discount|rabatt|remise|descuento|sconto|korting|desconto',
  shipping:
    'shipping|shipping cost|freight|versandkosten|frais de port|gastos de envío|spese di spedizione|verzendkosten',
  payment_terms:
    'payment terms|terms of payment|zahlungsbedingungen|conditions de paiement|condiciones de pago|condizioni di pagamento|betalingsvoorwaarden',
  payment_method:
    'payment method|method of payment|zahlungsart|mode de paiement|forma de pago|metodo di pagamento|betaalmethode',
  phone: 'phone|phone number|telephone|telefon|telefonnummer|téléphone|teléfono|telefono|telefoon',
  email: 'email|email address|e mail|e mail adresse|adresse email|correo electrónico|indirizzo email',
  codes:
    'codes|code|barcode|barcodes|qr code|qr codes|strichcode|code barres|code à barres|codes à barres|código de barras|codice a barre',
  duration: 'duration|length|dauer|länge|durée|duración|durata',
  document_type:
    'document type|type of document|kind of document|dokumentart|dokumenttyp|type de document|tipo de documento|tipo di documento',
}

/** The last word of a field's name gives its kind: `issue_date` is a date. */
const heads: readonly string[] = [
  'date|datum|fecha|data',
  'id',
  'number|nummer|numéro|número|numero',
  'name|nom|nombre|nome|naam',
  'address|adresse|anschrift|dirección|indirizzo|adres|endereço',
]

const foldedList = (list: string): string[] => list.split('|').map(phraseOf)

const groups = new Map(Object.entries(synonyms).map(([sense, list]) => [sense, foldedList(list)]))
const headGroups = heads.map((list, at): [string, string[]] => [`head ${at}`, foldedList(list)])
const exact = new Set([...groups.values(), ...headGroups.map(([, group]) => group)].flat())

/** True when a folded phrase is exactly a listed synonym. */
export const isSynonym = (phrase: string): boolean => exact.has(phrase)

export const singularOf = (phrase: string): string => phrase.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')

/** Plural and case endings in the engine's languages. */
const endings: readonly (readonly [ending: RegExp, plural: string])[] = [
  [/$/, 's'],
  [/$/, 'es'],
  [/$/, 'e'],
  [/$/, 'n'],
  [/$/, 'en'],
  [/y$/, 'ies'],
  [/[oe]$/, 'i'],
  [/a$/, 'e'],
]

/** A phrase with its first, last or every word in the plural: "numéros de facture", "line items", "precios unitarios". */
export function pluralsOf(phrase: string): readonly string[] {
  const words = phrase.split(' ')
  const isHeadFirst = headGroups.some(([, group]) => group.includes(words[0] ?? ''))
  // "Numero di fatture" is a count.
  const mayEndAlone = words.length === 1 || !(isHeadFirst || words.some((one) => plays('of', one)))
  const made = endings.flatMap(([ending, plural]) => {
    const all = words.map((word) => word.replace(ending, plural))
    const first = all[0] === words[0] ? [] : [[all[0], ...words.slice(1)], all]
    return [...first, ...(mayEndAlone ? [[...words.slice(0, -1), all.at(-1)]] : [])].map((one) => one.join(' '))
  })
  return [...new Set(made)].filter((one) => one !== phrase)
}

/** A meaning of a phrase: a concept, a list, or a kind of thing. */
export interface Sense {
  readonly sense: string
  readonly isPlural: boolean
}

const senses = madeOnce(() => {
  const all = new Map<string, Sense[]>()
  for (const [sense, group] of [...groups, ...headGroups]) {
    const add = (phrase: string, isPlural: boolean): void => {
      all.set(phrase, [...(all.get(phrase) ?? []), { sense, isPlural }])
    }
    for (const phrase of new Set(group)) add(phrase, false)
    for (const phrase of new Set(group.flatMap(pluralsOf))) if (!exact.has(phrase)) add(phrase, true)
  }
  return all
})

/** The meanings of a folded phrase. */
export const sensesOf = (phrase: string): readonly Sense[] => senses().get(phrase) ?? []

/** The meanings of the last word of a field's name. */
export const headSenses = (word: string): string[] =>
  headGroups.flatMap(([sense, group]) => (group.includes(word) ? [sense] : []))
