const languages = ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'] as const

/** Languages that can be detected. */
export type PageLanguage = (typeof languages)[number]

/**
 * Words that are common on business pages of one language and hardly in the others, as the English model reads them:
 * without accents.
 */
const commonWords: Readonly<Record<PageLanguage, string>> = {
  eng: 'the of and to for with by from this your you our is are total date number amount quantity price due order invoice tax thank please payment name address',
  deu: 'und der das den dem des ein eine mit von zum zur auf bei ihr ihre ihnen wir sie ist nicht oder bitte rechnung datum betrag gesamt menge stuck preis mwst ust netto brutto zahlbar summe nr kunde kundennummer rechnungsdatum rechnungsnummer strasse gmbh zzgl vielen dank bezeichnung kontoauszug konto kontostand buchung buchungstag lastschrift uberweisung gutschrift zeitraum gehalt bestellung lieferung kasse beleg ruckgeld gegeben artikel kontonummer inhaber verwendungszweck',
  fra: 'le les du au aux une et est pour par avec vous nous votre notre sur dans facture montant tva prix quantite ht ttc paiement adresse designation reference societe sarl rue merci numero releve compte solde virement prelevement operation operations libelle banque achat frais titulaire periode commande livraison caisse especes rendu remb impots echeance',
  spa: 'el los las una y es por con para su del al factura fecha importe cantidad precio iva numero direccion descripcion unidad pago cliente calle gracias base imponible extracto cuenta concepto cargo abono nomina movimientos pedido entrega efectivo cambio articulo articulos',
  ita: 'il lo gli di dell della delle dei che fattura quantita prezzo indirizzo descrizione importo totale imponibile aliquota spett nel grazie scadenza ordine spa srl estratto conto bonifico addebito accredito operazione intestatario rata mutuo utenza canone consegna contanti articolo scontrino acquisto',
  por: 'os um uma dos em nao ao fatura quantidade preco valor endereco descricao rua nif cnpj obrigado vencimento encomenda emissao lda artigo servico extrato conta movimentos descritivo dinheiro troco talao artigos',
  nld: 'het een van voor met niet bij uw aan wij ons onze naar wordt ook geen dit deze bedrag nummer klantnummer factuur factuurnummer factuurdatum btw bestelling levering adres straat postbus totaal omschrijving aantal prijs heer mevrouw geachte rekening vervaldatum betaling graag vriendelijke groet',
}

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
