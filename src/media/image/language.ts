import type { Language } from './tesseract.ts'

/**
 * Words that are common on business pages of one language and no words of the others, as a reader of English letters sees
 * them: without accents.
 */
const commonWords: Readonly<Record<Language, string>> = {
  eng: 'the of and to for with by from this your you our is are total date number amount quantity price due order invoice tax thank please payment name address',
  deu: 'und der das den dem des ein eine mit von zum zur auf bei ihr ihre ihnen wir sie ist nicht oder bitte rechnung datum betrag gesamt menge stuck preis mwst ust netto brutto zahlbar summe nr kunde kundennummer rechnungsdatum rechnungsnummer strasse gmbh zzgl vielen dank bezeichnung',
  fra: 'le les du au aux une et est pour par avec vous nous votre notre sur dans facture montant tva prix quantite ht ttc paiement adresse designation reference societe sarl rue merci numero',
  spa: 'el los las una y es por con para su del al factura fecha importe cantidad precio iva numero direccion descripcion unidad pago cliente calle gracias base imponible',
}

const languages: readonly Language[] = ['eng', 'deu', 'fra', 'spa']
const listed = new Map(languages.map((language) => [language, new Set(commonWords[language].split(' '))]))
/** A page is of another language than English with this many of its words, and this many times those of any other. */
const wordsMin = 4
const timesOthers = 1.5

/** The language of a page by its most common words, as far as they were read; English where nothing speaks for another. */
export function languageOf(words: readonly { readonly text: string }[]): Language {
  const counts = languages.map((language) => ({ language, count: countOf(words, language) }))
  counts.sort((a, b) => b.count - a.count)
  const [first, second] = counts
  if (first === undefined || first.count < wordsMin || first.count < timesOthers * (second?.count ?? 0)) return 'eng'
  return first.language
}

function countOf(words: readonly { readonly text: string }[], language: Language): number {
  const common = listed.get(language)
  return words.filter(({ text }) => common?.has(plain(text))).length
}

/** A word in small letters without accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
}
