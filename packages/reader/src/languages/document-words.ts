import { fold } from '../layout/text.ts'
import { hasLegalForm } from '../values/addresses.ts'

/** Words for documents, parts of documents and form fields, in the languages of the labels. */
const documentPattern =
  /(?:^|[^\p{L}])(?:invoice|bill(?:ed)? to|issued (?:to|for)|purchase order|works order|order form|statement|signature|consignment|payee|account holder|rechnung\p{L}*|gutschrift|kontoauszug\p{L}*|kontobewegungen|bestellschein|bestellformular|auftraggeber|rechnungsempfanger|empfanger|frau|facture(?:e|s)?|etablie pour|releve|extrait(?: de compte)?|bon de commande|titulaire|facturado|facturada|factura|fattura|fatturato|fatturata|faturado|faturada|fatura|factuur|gefactureerd|in rekening|titular(?: d[ae])?|cargo a|dirigido a|hoja de pedido|pedido|estado de cuenta|extracto|extrato|estratto|rendiconto|lista movimenti|intestazione|intestatario|ragione sociale|modulo d ordine|ordine|ditta fornitrice|ricevuta|scontrino|recibo|besteld bij|bestelbon|bestelformulier|afschrift|rekeningafschrift|bij- en afschrijvingen|mensal|mensual|besteller)(?=$|[^\p{L}])/u

/** True for words that name a document or a form field, so are no name: `Works order`, `Cargo a`. With a legal form they may be a name. */
export const isDocumentWord = (text: string): boolean =>
  !hasLegalForm(text) && documentPattern.test(fold(text).replace(/['’]/gu, ' '))
