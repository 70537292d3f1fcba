import { fold } from '../layout/text.ts'

const streetPattern =
  /(?:^|[\s,.(])(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|way|court|ct|square|sq|terrace|crescent|close|highway|hwy|parkway|suite|ste|floor|flr|level|unit|building|bldg|block|blk|house|po box|p o box|postfach|apartado|weg|platz|allee|gasse|ring|ufer|damm|rue|place|chemin|quai|impasse|cours|zone industrielle|calle|c\/|avda|av|avenida|plaza|paseo|camino|carretera|ctra|ronda|poligono|via|viale|piazza|corso|largo|vicolo|strada|plein|kade|gracht|laan|dreef|singel|rua|travessa|praca|estrada|alameda|jalan|jln|lorong|lrg|persiaran|lebuh|taman|tmn|bandar|kawasan|seksyen|section|lot|kampung|kg|batu|industrial|ind|park|estate|plot|no)(?=$|[\s,.:;)#\d])/
const streetEndPattern =
  /\p{L}(?:strasse|str|weg|platz|allee|gasse|ring|ufer|damm|straat|laan|plein|kade|gracht|dreef|singel|steeg|dijk|markt)\.?\s*\d/u
const postcodePattern =
  /(?<![\d./-])(?<!\d,)(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{4})?|\d{4}\s?[A-Z]{2}|\d{4}(?:-\d{3})?|\d{2}-\d{3}|\d{3}\s\d{2}|\d{6})(?![\d./]|,\d)\s*,?\s+\p{Lu}|\p{L}[\p{L}.]+,?\s+(?:[A-Z]{2}\s+)?\d{5}(?:-\d{4})?(?!\d)|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b|\b[A-Z]\d[\dW]\s[A-Z\d]{4}\b|\b\d{5}-\d{3}\b|\b(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)\s\d{4}\b/u
const countryPattern =
  /^(?:germany|deutschland|france|spain|espana|italy|italia|netherlands|the netherlands|nederland|portugal|austria|osterreich|switzerland|schweiz|suisse|belgium|belgie|belgique|united kingdom|uk|great britain|england|ireland|usa|united states|united states of america|canada|australia|malaysia|singapore|india|brazil|brasil|mexico|luxembourg|new zealand|aotearoa|south africa|ireland|eire|northern ireland|scotland|wales|schweiz|svizzera|suiza|suica|zwitserland|duitsland|frankreich|frankrijk|italie|italien|spanien|spanje|oostenrijk|alemania|allemagne|germania|francia|portogallo|belgien|belgio|belgica|pays-bas|paises bajos|paesi bassi|niederlande|holanda|royaume-uni|reino unido|regno unito|irlanda|irlande|etats-unis|estados unidos|japan|china|hong kong|liechtenstein|czech republic|greece|hungary|romania|denmark|sweden|norway|finland|poland|selangor|johor|kuala lumpur|selangor darul ehsan)\.?$/

/** How much a line of text looks like part of a postal address, 0 to 1. */
export function addressScore(text: string): number {
  const folded = fold(text)
  const hasDigit = /\d/.test(text)
  let score = 0
  if (postcodePattern.test(text)) score += 0.6
  if ((hasDigit || /,/.test(text)) && streetPattern.test(folded)) score += 0.5
  else if (streetPattern.test(folded) && !/^no$/.test(folded)) score += 0.2
  if (streetEndPattern.test(folded)) score += 0.6
  if (/^\d{1,5}[a-z]?[,\s]\s*\p{L}/u.test(folded) || /\p{L}{3,}\.?\s+\d{1,4}\s?[a-z]?$/u.test(folded)) score += 0.35
  if (countryPattern.test(folded.trim())) score += 0.6
  if (hasDigit && (text.match(/,/g)?.length ?? 0) >= 2) score += 0.25
  if (/\d[.,]\d{2}\s*$/.test(text) || /[@%€£$]/.test(text)) score -= 0.5
  return Math.max(0, Math.min(1, score))
}

/** True for a line with a postcode and a town. */
export const hasPostcode = (text: string): boolean => postcodePattern.test(text)

/** True for an address with a postcode; the number of a house does not count as one. */
export const hasTown = (text: string): boolean => hasPostcode(text.replace(/^\d+[a-z]?\s+/iu, ''))

/** True for a line that names a street. */
export const hasStreet = (text: string): boolean => streetPattern.test(fold(text)) || streetEndPattern.test(fold(text))

/** True for a postcode alone on its line. */
export const isBarePostcode = (text: string): boolean =>
  /^(?:\d{4,6}|\d{3}\s\d{2}|\d{5}-\d{3}|[A-Z]\d[\dW]\s?[A-Z\d]{4}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/.test(
    text.trim(),
  )

/** Joins the lines of an address with spaces, or without one after a hyphen at the end of a line. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .reduce((text, line) => (/[\p{L}\p{N}]-$/u.test(text) ? text + line : `${text} ${line}`), '')
    .trim()

const companyPattern =
  /(?:^|[\s,.(])(?:sdn\.?\s?bhd|bhd|s\/b|plt|enterprise|enterprises|trading|ltd|limited|llc|l\.l\.c|inc|incorporated|corp|corporation|co|company|plc|llp|lp|gmbh|ag|kg|ohg|ug|e\.?\s?k|gbr|se|mbh|kgaa|sarl|s\.a\.r\.l|sas|s\.a\.s|sa|s\.a|eurl|sci|snc|s\.n\.c|sl|s\.l|slu|s\.l\.u|srl|s\.r\.l|spa|s\.p\.a|sas di|bv|b\.v|nv|n\.v|vof|v\.o\.f|lda|unipessoal|ltda|eireli|me|pty|pte|pvt|oy|ab|aps|as|a\/s|kft|zrt|sp\. z o\.o|group|holdings?|holding|services|solutions|industries|international|systems|store|stores|shop|market|mart|supermarket|restaurant|restoran|cafe|bakery|bakeries|hotel|hardware|stationery|pharmacy|bank|banco|banca|banque|banca|cassa|caixa|caisse|sparkasse|volksbank|raiffeisenbank|credit union|building society|consulting|partners|associates|logistics|electronics)\.?(?=$|[\s,.)])/

/** True when a text contains a legal form or a word that is common in company names. */
export const looksLikeCompany = (text: string): boolean => companyPattern.test(fold(text))

const bankPattern =
  /(?:^|[\s-])(?:\p{L}*bank|banca|banco|banque|\p{L}*sparkasse|\p{L}*kasse|raiffeisen\p{L}*|caisse|caja|caixa|cassa|credit union|building society|savings|trust|credito|credit \p{L}+|monte\p{L}*|bancorp)(?=$|[\s,.-])/u

/** True when a text contains a word that is common in names of banks. */
export const looksLikeBank = (text: string): boolean => bankPattern.test(fold(text))

const legalFormPattern =
  /(?:^|[\s,.(])(?:sdn\.?\s?bhd|bhd|s\/b|ltd|limited|llc|inc|corp|plc|llp|gmbh|ag|kg|ohg|ug|gbr|sarl|s\.a\.r\.l|sas|s\.a\.s|sa|s\.a|eurl|sl|s\.l|slu|s\.l\.u|srl|s\.r\.l|spa|s\.p\.a|snc|bv|b\.v|nv|n\.v|vof|v\.o\.f|lda|ltda|pty|pte|pvt)\.?(?=$|[\s,.)])/

/** True when a text contains a legal form. */
export const hasLegalForm = (text: string): boolean => legalFormPattern.test(fold(text))

const titlePattern =
  /^(?:(?:simplified |tax |sales |commercial |proforma |pro forma |credit |debit |cash |official |final |copy |original |duplicate |vat |purchase |bank |account |monthly )*(?:invoice|receipt|bill|statement|order|note|quotation|quote|estimate|sales|memo|copy|original|duplicate|page|account|credit card statement|statement of account|confirmation)|(?:gst|sst) .*(?:invoice|receipt)|rechnung|quittung|kassenbon|kassenbeleg|beleg|bestellung|kontoauszug|gutschrift|lieferschein|auftrag|facture|recu|ticket de caisse|ticket|bon de commande|releve de compte|releve|avoir|devis|commande|factura|factura simplificada|recibo|orden de compra|pedido|extracto de cuenta|extracto|extracto bancario|presupuesto|fattura|ricevuta|scontrino|scontrino fiscale|documento commerciale|ordine di acquisto|ordine|estratto conto|preventivo|factuur|kassabon|bon|inkooporder|bestelling|rekeningafschrift|rekeningoverzicht|bankafschrift|afschrift|offerte|fatura|fatura simplificada|fatura recibo|recibo|nota de encomenda|ordem de compra|encomenda|extrato de conta|extrato bancario|extrato|extracto de conta|orcamento|page \d.*|seite \d.*|welcome.*|thank you.*|thanks.*|danke.*|vielen dank.*|merci.*|gracias.*|grazie.*|obrigad.*|bedankt.*|willkommen.*|bienvenue.*|bienvenid.*|benvenut.*|welkom.*|bem vindo.*)$/

/** True for the title of a document type, or a greeting, which is never a name. */
export const isTitle = (text: string): boolean =>
  text.split(/\s[/|]\s/u).every((part) =>
    titlePattern.test(
      fold(part)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .replace(/^(?:your|ihre?|votre|tu|su|il tuo|la tua|il suo|la sua|o seu|a sua|uw|je|the|el|le|la) /, ''),
    ),
  )
