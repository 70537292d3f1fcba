import type { LabelKey, Labels } from './lexicon.ts'
import type { Locale } from './locale.ts'

/** Wordings of labels that forms of the fourth round have beside the common ones, by language. Some are known to other parts. */
const labels: Readonly<Record<string, Partial<Labels>>> = {
  en: {
    invoice: 'Invoice|Tax invoice|Statement of charges|Billing invoice',
    invoiceNumber: 'Invoice number|Invoice no:|Bill number|Document number',
    invoiceDate: 'Date of issue|Bill date|Invoice issued|Date of invoice',
    dueDate: 'Date due|Payment is due by|Please pay before|Due on',
    customerNumber: 'Your account number|Customer reference|Customer ID',
    purchaseOrder: 'Your reference|Customer PO no.|Your purchase order',
    billTo: 'Bill to|Billing address|Invoice address',
    shipTo: 'Ship to|Delivery address|Deliver goods to',
    total: 'Total to pay|Amount due|Total amount due|Invoice total incl. VAT',
    subtotal: 'Subtotal|Total excluding tax|Net amount|Total before VAT',
    unitPrice: 'Unit price|Price per unit|Rate',
    amount: 'Amount|Line amount|Net price|Ext. price',
    sku: 'Item #|Material|Part number',
    orderNumber: 'P.O. #|PO number|Purchase order number|Order no.',
    orderDate: 'Date|PO date|Document date',
    deliveryDate: 'Date needed|Requested delivery date|Need by',
    supplier: 'Vendor|Vendor address|Seller',
    receiptNumber: 'Check #|Trans|Chk|Order #|Bon no.',
    receiptTotal: 'Total|Amount due|Balance to pay|Order total',
    receiptSubtotal: 'Sub total|Food & bev|Merchandise total',
    opening: 'Beginning balance|Balance at start of period|Starting balance',
    closing: 'Ending balance|Balance at end of period|Closing balance',
    credits: 'Deposits and additions|Total in|Deposits and other credits',
    debits: 'Withdrawals and subtractions|Total out|Withdrawals and other debits',
    details: 'Transaction|Description|Merchant name or transaction',
  },
  de: {
    invoice: 'Rechnung|Ihre Rechnung|Abrechnung',
    invoiceNumber: 'Rechnungsnummer|Rechnungs-Nr.:|Beleg-Nr.|Rg.-Nummer',
    invoiceDate: 'Rechnungsdatum|Ausstellungsdatum|Datum der Rechnung|Belegdatum',
    dueDate: 'Fällig am|Zahlbar bis zum|Zahlung bis',
    customerNumber: 'Ihre Kundennummer|Kunden-Nr.|Debitor',
    purchaseOrder: 'Ihre Bestellung|Ihre Bestellnummer|Bestellreferenz',
    billTo: 'Rechnungsadresse|Rechnung an',
    shipTo: 'Lieferadresse|Warenempfänger',
    total: 'Rechnungsbetrag|Zu zahlender Betrag|Gesamtbetrag|Endbetrag',
    subtotal: 'Nettobetrag|Summe netto|Warenwert',
    unitPrice: 'Preis|Einzelpreis|Preis/Einheit',
    amount: 'Betrag|Gesamtpreis|Wert',
    sku: 'Material|Teilenummer|Artikelnr.',
    orderNumber: 'Bestellnummer|Bestellung Nr.|Beleg',
    orderDate: 'Bestelldatum|Datum|Belegdatum',
    deliveryDate: 'Liefertermin|Gewünschter Liefertermin|Lieferung bis',
    supplier: 'Lieferant|Kreditor',
    receiptNumber: 'Bon-Nr.|Beleg|Rechnung Nr.|Bestell-Nr.',
    receiptTotal: 'Summe|Gesamt|Zu zahlen|Gesamtbetrag',
    opening: 'Anfangssaldo|Alter Kontostand|Saldo zu Beginn',
    closing: 'Endsaldo|Neuer Kontostand|Saldo am Ende',
    credits: 'Eingänge gesamt|Summe Gutschriften|Zahlungseingänge',
    debits: 'Ausgänge gesamt|Summe Belastungen|Zahlungsausgänge',
    details: 'Verwendungszweck|Buchungstext|Umsatz',
  },
  fr: {
    invoice: 'Facture|Votre facture',
    invoiceNumber: 'Numéro de facture|Facture no|N° de pièce',
    invoiceDate: 'Date de facture|Date d’émission|Émise le',
    dueDate: 'Date d’échéance|À régler avant le|Payable au plus tard le',
    total: 'Montant à payer|Total TTC|Somme à régler',
    subtotal: 'Total HT|Montant hors taxes',
    orderNumber: 'Commande n°|N° de commande|Bon de commande n°',
    receiptTotal: 'Total à payer|Total TTC|Net à payer',
    opening: 'Solde initial|Solde en début de période',
    closing: 'Solde final|Solde en fin de période',
  },
  es: {
    invoiceNumber: 'Número de factura|Factura nº|N.º de documento',
    dueDate: 'Fecha de vencimiento|Vence el|Pagar antes del',
    total: 'Total a pagar|Importe total|Total factura',
    opening: 'Saldo inicial|Saldo al inicio',
    closing: 'Saldo final|Saldo al cierre',
  },
  it: {
    invoiceNumber: 'Numero fattura|Fattura n.|N. documento',
    dueDate: 'Scadenza|Da pagare entro il|Data di scadenza',
    total: 'Totale da pagare|Totale documento|Importo totale',
    opening: 'Saldo iniziale',
    closing: 'Saldo finale',
  },
  nl: {
    invoiceNumber: 'Factuurnummer|Factuurnr.',
    dueDate: 'Vervaldatum|Te betalen voor|Uiterste betaaldatum',
    total: 'Te betalen|Totaalbedrag|Totaal incl. btw',
    opening: 'Beginsaldo|Oud saldo',
    closing: 'Eindsaldo|Nieuw saldo',
  },
  pt: {
    invoiceNumber: 'Número da fatura|Fatura n.º',
    dueDate: 'Data de vencimento|Pagar até',
    total: 'Total a pagar|Valor total',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
  },
}

/** The locale with the wordings of the fourth round, printed half of the time where there are some. */
export function withFourthLabels(locale: Locale): Locale {
  const own = labels[locale.id.slice(0, 2)] ?? {}
  const common = { ...locale.lexicon.labels, ...locale.labels }
  const joined: Partial<Record<LabelKey, string>> = {}
  for (const [key, wordings] of Object.entries(own) as [LabelKey, string][])
    joined[key] = `${common[key].replaceAll(' ~ ', '|')} ~ ${wordings}`
  return { ...locale, labels: { ...locale.labels, ...joined } }
}

/** Words that the layouts of the round print and no one asks for. */
export interface FourthWords {
  readonly charges: string
  readonly slip: string
  /** A sentence with `{amount}` and `{date}`. */
  readonly due: string
  readonly labour: string
  readonly parts: string
  readonly vehicle: readonly [plate: string, mileage: string, chassis: string]
  readonly table: string
  readonly guests: string
  readonly tip: string
  readonly net: string
  readonly gross: string
  readonly via: string
  readonly requester: string
  readonly remarks: string
  readonly questions: string
  /** Two sentences of a letter of order. */
  readonly please: string
  readonly confirm: string
  readonly deposits: string
  readonly withdrawals: string
  readonly daily: string
  readonly thankYou: string
}

const english: FourthWords = {
  charges: 'Your charges in detail',
  slip: 'Payment slip - please return with your payment',
  due: '{amount} due {date}',
  labour: 'Labour',
  parts: 'Parts and materials',
  vehicle: ['Registration', 'Mileage', 'VIN'],
  table: 'Table',
  guests: 'Guests',
  tip: 'Suggested tip',
  net: 'Net',
  gross: 'Gross',
  via: 'Ship via',
  requester: 'Requisitioner',
  remarks: 'Comments or special instructions',
  questions: 'If you have any questions about this order, please contact',
  please: 'Dear Sir or Madam, we hereby order on the conditions known to you:',
  confirm: 'Please confirm this order within three working days.',
  deposits: 'Deposits and other additions',
  withdrawals: 'Withdrawals and other subtractions',
  daily: 'Daily ending balance',
  thankYou: 'Thanks for your order!',
}

const byLanguage: Readonly<Record<string, FourthWords>> = {
  en: english,
  de: {
    charges: 'Ihre Kosten im Einzelnen',
    slip: 'Zahlschein - bitte mit der Zahlung einreichen',
    due: '{amount} fällig am {date}',
    labour: 'Arbeitslohn',
    parts: 'Teile und Material',
    vehicle: ['Kennzeichen', 'Km-Stand', 'Fahrgestellnummer'],
    table: 'Tisch',
    guests: 'Gäste',
    tip: 'Trinkgeld-Vorschlag',
    net: 'Netto',
    gross: 'Brutto',
    via: 'Versandart',
    requester: 'Anforderer',
    remarks: 'Bemerkungen',
    questions: 'Bei Fragen zu dieser Bestellung wenden Sie sich bitte an',
    please: 'Sehr geehrte Damen und Herren, wir bestellen zu den bekannten Bedingungen:',
    confirm: 'Bitte bestätigen Sie die Bestellung innerhalb von drei Werktagen.',
    deposits: 'Zahlungseingänge im Einzelnen',
    withdrawals: 'Zahlungsausgänge im Einzelnen',
    daily: 'Kontostand am Tagesende',
    thankYou: 'Danke für Ihre Bestellung!',
  },
  fr: {
    charges: 'Le détail de vos frais',
    slip: 'Talon à joindre à votre règlement',
    due: '{amount} à régler le {date}',
    labour: 'Main-d’œuvre',
    parts: 'Pièces et fournitures',
    vehicle: ['Immatriculation', 'Kilométrage', 'N° de châssis'],
    table: 'Table',
    guests: 'Couverts',
    tip: 'Pourboire suggéré',
    net: 'HT',
    gross: 'TTC',
    via: 'Mode d’envoi',
    requester: 'Demandeur',
    remarks: 'Remarques et consignes',
    questions: 'Pour toute question sur cette commande, contactez',
    please: 'Madame, Monsieur, nous vous commandons aux conditions convenues :',
    confirm: 'Merci de confirmer cette commande sous trois jours ouvrés.',
    deposits: 'Détail des versements',
    withdrawals: 'Détail des retraits',
    daily: 'Solde de fin de journée',
    thankYou: 'Merci pour votre commande !',
  },
  es: {
    charges: 'Detalle de sus cargos',
    slip: 'Resguardo de pago',
    due: '{amount} a pagar el {date}',
    labour: 'Mano de obra',
    parts: 'Recambios y materiales',
    vehicle: ['Matrícula', 'Kilometraje', 'Bastidor'],
    table: 'Mesa',
    guests: 'Comensales',
    tip: 'Propina sugerida',
    net: 'Base',
    gross: 'Bruto',
    via: 'Forma de envío',
    requester: 'Solicitante',
    remarks: 'Comentarios e instrucciones',
    questions: 'Si tiene preguntas sobre este pedido, contacte con',
    please: 'Estimados señores, les pedimos en las condiciones acordadas:',
    confirm: 'Rogamos confirmen este pedido en tres días hábiles.',
    deposits: 'Detalle de ingresos',
    withdrawals: 'Detalle de retiradas',
    daily: 'Saldo al final del día',
    thankYou: '¡Gracias por su pedido!',
  },
  it: {
    charges: 'Dettaglio dei costi',
    slip: 'Bollettino di pagamento',
    due: '{amount} da pagare il {date}',
    labour: 'Manodopera',
    parts: 'Ricambi e materiali',
    vehicle: ['Targa', 'Chilometri', 'Telaio'],
    table: 'Tavolo',
    guests: 'Coperti',
    tip: 'Mancia suggerita',
    net: 'Imponibile',
    gross: 'Lordo',
    via: 'Spedizione a mezzo',
    requester: 'Richiedente',
    remarks: 'Note e istruzioni',
    questions: 'Per domande su questo ordine rivolgersi a',
    please: 'Spettabile ditta, ordiniamo alle condizioni convenute:',
    confirm: 'Si prega di confermare entro tre giorni lavorativi.',
    deposits: 'Dettaglio accrediti',
    withdrawals: 'Dettaglio addebiti',
    daily: 'Saldo di fine giornata',
    thankYou: 'Grazie per il tuo ordine!',
  },
  nl: {
    charges: 'Uw kosten in detail',
    slip: 'Betaalstrook',
    due: '{amount} te betalen op {date}',
    labour: 'Arbeidsloon',
    parts: 'Onderdelen en materiaal',
    vehicle: ['Kenteken', 'Km-stand', 'Chassisnummer'],
    table: 'Tafel',
    guests: 'Gasten',
    tip: 'Fooi',
    net: 'Netto',
    gross: 'Bruto',
    via: 'Verzendwijze',
    requester: 'Aanvrager',
    remarks: 'Opmerkingen',
    questions: 'Neem bij vragen over deze bestelling contact op met',
    please: 'Geachte heer, mevrouw, wij bestellen op de bekende voorwaarden:',
    confirm: 'Graag binnen drie werkdagen bevestigen.',
    deposits: 'Bijschrijvingen in detail',
    withdrawals: 'Afschrijvingen in detail',
    daily: 'Saldo per dag',
    thankYou: 'Bedankt voor uw bestelling!',
  },
  pt: {
    charges: 'Detalhe dos seus encargos',
    slip: 'Talão de pagamento',
    due: '{amount} a pagar em {date}',
    labour: 'Mão de obra',
    parts: 'Peças e materiais',
    vehicle: ['Matrícula', 'Quilometragem', 'Chassis'],
    table: 'Mesa',
    guests: 'Pessoas',
    tip: 'Gorjeta sugerida',
    net: 'Líquido',
    gross: 'Bruto',
    via: 'Forma de envio',
    requester: 'Requisitante',
    remarks: 'Observações',
    questions: 'Em caso de dúvidas sobre esta encomenda, contacte',
    please: 'Exmos. Senhores, encomendamos nas condições acordadas:',
    confirm: 'Agradecemos confirmação em três dias úteis.',
    deposits: 'Detalhe das entradas',
    withdrawals: 'Detalhe das saídas',
    daily: 'Saldo no fim do dia',
    thankYou: 'Obrigado pela sua encomenda!',
  },
}

export const fourthWordsOf = (locale: Locale): FourthWords => byLanguage[locale.id.slice(0, 2)] ?? english
