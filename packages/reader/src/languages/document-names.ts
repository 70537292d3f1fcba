import { phraseOf } from '../layout/text.ts'

/** Words for document types, by the English word that schemas use. */
export const documentWords: Readonly<Record<string, string>> = {
  invoice: 'invoice|rechnung|facture|factura|fattura|factuur|fatura',
  receipt:
    'receipt|quittung|kassenbon|kassenbeleg|ticket de caisse|reçu|recibo|ticket|ricevuta|scontrino|kassabon|cash bill|cash sale|factura simplificada|documento commerciale',
  'purchase order':
    'purchase order|bestellung|bon de commande|orden de compra|ordine di acquisto|inkooporder|nota de encomenda|ordem de compra',
  order: 'order|bestellung|commande|pedido|ordine|bestelling|encomenda',
  'credit note': 'credit note|credit memo|gutschrift|avoir|nota de crédito|abono|nota di credito|creditnota',
  statement:
    'statement|bank statement|account statement|kontoauszug|relevé de compte|extracto|estratto conto|rekeningafschrift|rekeningoverzicht|extrato',
  'bank statement':
    'bank statement|statement|kontoauszug|relevé de compte|extracto|estratto conto|rekeningafschrift|rekeningoverzicht|extrato',
  quote: 'quote|quotation|angebot|devis|presupuesto|preventivo|offerte|orçamento|estimate',
  'delivery note': 'delivery note|lieferschein|bon de livraison|albarán|documento di trasporto|pakbon|guia de remessa',
  contract: 'contract|agreement|vertrag|contrat|contrato|contratto',
}

/** More kinds of documents, for telling the documents of a packet apart. */
const furtherWords: Readonly<Record<string, string>> = {
  payslip:
    'payslip|pay slip|pay stub|earnings statement|gehaltsabrechnung|lohnabrechnung|entgeltabrechnung|bulletin de paie|fiche de paie|nómina|busta paga|cedolino|loonstrook|recibo de vencimento',
  certificate:
    'certificate|bescheinigung|zertifikat|attestation|certificat|certificado|certificato|certificaat|verklaring',
  letter: 'letter|brief|schreiben|lettre|carta|lettera',
  'tax return':
    'tax return|steuererklärung|déclaration de revenus|declaración de la renta|dichiarazione dei redditi|belastingaangifte',
  report: 'report|bericht|rapport|informe|relazione|relatório',
  timesheet: 'timesheet|time sheet|stundenzettel|feuille de temps|parte de horas|foglio ore|urenstaat|folha de horas',
}

/** Phrases that name a kind of document, by the English word that callers use. */
export const documentNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ ...documentWords, ...furtherWords }).map(([kind, words]) => [kind, words.split('|').map(phraseOf)]),
)

/** A phrase between spaces that names a kind of document. */
export const documentNamePattern = new RegExp(` (?:${[...documentNames.values()].flat().join('|')}) `, 'u')
