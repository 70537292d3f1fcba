import type { Language } from './tesseract.ts'

/**
 * Words that are common on business pages of one language and not words of the others, as the English model reads them:
 * without accents.
 */
const commonWords: Readonly<Record<PageLanguage, string>> = {
  eng: 'the of and to for with by from this your you our is are total date number amount quantity price due order invoice tax thank please payment name address',
  deu: 'und der das den dem des ein eine mit von zum zur auf bei ihr ihre ihnen wir sie ist nicht oder bitte rechnung datum betrag gesamt menge stuck preis mwst ust netto brutto zahlbar summe nr kunde kundennummer rechnungsdatum rechnungsnummer strasse gmbh zzgl vielen dank bezeichnung kontoauszug konto kontostand buchung buchungstag lastschrift uberweisung gutschrift zeitraum gehalt bestellung lieferung kasse beleg ruckgeld gegeben artikel kontonummer inhaber verwendungszweck',
  fra: 'le les du au aux une et est pour par avec vous nous votre notre sur dans facture montant tva prix quantite ht ttc paiement adresse designation reference societe sarl rue merci numero releve compte solde virement prelevement operation operations libelle banque achat frais titulaire periode commande livraison caisse especes rendu remb impots echeance',
  spa: 'el los las una y es por con para su del al factura fecha importe cantidad precio iva numero direccion descripcion unidad pago cliente calle gracias base imponible extracto cuenta concepto cargo abono nomina movimientos pedido entrega efectivo cambio articulo articulos',
  ita: 'il lo gli di dell della delle dei che fattura quantita prezzo indirizzo descrizione importo totale imponibile aliquota spett nel grazie scadenza ordine spa srl estratto conto bonifico addebito accredito operazione intestatario rata mutuo utenza canone consegna contanti articolo scontrino acquisto',
  por: 'os um uma dos em nao ao fatura quantidade preco valor endereco descricao rua nif cnpj obrigado vencimento encomenda emissao lda artigo servico extrato conta movimentos descritivo dinheiro troco talao artigos',
}

/** Languages that can be detected. */
export type PageLanguage = Language | 'ita' | 'por'

const languages: readonly PageLanguage[] = ['eng', 'deu', 'fra', 'spa', 'ita', 'por']
const listed = new Map(languages.map((language) => [language, new Set(commonWords[language].split(' '))]))
/** The minimum number of words of another language than English, and their minimum ratio to those of any third. */
const wordsMin = 4
const timesOthers = 1.5

/** The language of a page by its most common words; English unless others dominate. */
export function languageOf(words: readonly { readonly text: string }[]): PageLanguage {
  const counts = languages.map((language) => ({ language, count: countOf(words, language) }))
  counts.sort((a, b) => b.count - a.count)
  const [first, second] = counts
  if (first === undefined || first.count < wordsMin || first.count < timesOthers * (second?.count ?? 0)) return 'eng'
  return first.language
}

function countOf(words: readonly { readonly text: string }[], language: PageLanguage): number {
  const common = listed.get(language)
  return words.filter(({ text }) => common?.has(plain(text))).length
}

/** A word in lower case without accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
}

/** The Tesseract models to read a page again with: that of its language, or those with the most similar letters. */
export const modelsFor: Readonly<Record<PageLanguage, readonly Language[]>> = {
  eng: [],
  deu: ['deu'],
  fra: ['fra'],
  spa: ['spa'],
  ita: ['fra'],
  por: ['fra', 'spa'],
}

/** Letters that a language does not have but similar models read, and the correct letters. */
const lettersOf: Readonly<Partial<Record<PageLanguage, Readonly<Record<string, string>>>>> = {
  ita: { â: 'à', î: 'ì', ô: 'ò', û: 'ù' },
  por: { ä: 'ã', å: 'ã', ö: 'õ', û: 'ú', î: 'í', ï: 'í', ì: 'í', ò: 'ó', è: 'é', ë: 'ê' },
}

/** Corrects a word to the letters of its language: `gräo` is `grão` in Portuguese. */
export function spelled(text: string, language: PageLanguage): string {
  const letters = lettersOf[language]
  if (letters === undefined) return text
  const own = text.replace(/\p{L}/gu, (letter) => {
    const small = letters[letter.toLowerCase()]
    return small === undefined ? letter : letter === letter.toLowerCase() ? small : small.toUpperCase()
  })
  // No Portuguese word has these endings with another accent.
  return language === 'por' ? own.replace(/áo(?!\p{L})/gu, 'ão').replace(/[óô]es(?!\p{L})/gu, 'ões') : own
}
