import { remembered } from '../layout/remembered.ts'
import type { PhraseTarget } from './phrase-book.ts'
import { meaningOfStatementWords } from './statement-words.ts'

/** The sense of a single word of a label, whatever the whole label means. */
type Sense =
  | 'invoice'
  | 'order'
  | 'delivery'
  | 'due'
  | 'issue'
  | 'number'
  | 'date'
  | 'sum'
  | 'net'
  | 'without'
  | 'with'
  | 'tax'
  | 'discount'
  | 'shipping'
  | 'cost'
  | 'person'
  | 'terms'
  | 'yours'
  | 'ours'
  | 'bank'
  | 'supplies'
  | 'buys'
  | 'billed'
  | 'receives'
  | 'to'
  | 'from'
  | 'party'
  | 'other'
  | 'filler'

/**
 * Words of labels in English, German, French, Spanish, Italian, Dutch and Portuguese, folded. For German and Dutch
 * compounds, parts of words match too.
 */
const senses: readonly (readonly [Sense, RegExp])[] = [
  [
    'invoice',
    /^(?:invoiced|fatt|fact|fat|fakt\w*|rgnr|facturee|piece|fact\w*datum|invoice|inv|rechn|rg|faktura|faktuur|nota|fra|facture|factura|fattura|fatura|\w*rechnung(?:s\w*)?|factuur\w*)$/,
  ],
  [
    'order',
    /^(?:abruf\w*|einkaufs\w*|ord|enc|requisic\w*|encomend\w*|ordinat[oa]|opdracht\w*|commandee|besteld|orders?|po|p\/o|purchase|purchasing|commande|cde|bc|best|pedido|orden|oc|ordine|oda|encomenda|\w*bestell\w*|\w*auftrag\w*|order\w*|inkoop\w*|bestel\w*|achats?|compras?|acquist[oi])$/,
  ],
  [
    'delivery',
    /^(?:promised?|livrable|disposition|requise|requerid[ao]|servir|consegnare|receber|incoterms?|resa|frankatur|franko|franco|entrega[rd]?\w*|deliver\w*|goods|arriv\w*|eta|expected|required|requested|wanted|need(?:ed)?|liefer\w*|anliefer\w*|wunsch\w*|eintreff\w*|erwartet\w*|livr\w*|reception|souhaite\w*|attendue?|prevue?|prevista?|entreg\w*|llegada|recepcion|solicitada|consegn\w*|arrivo|richiesta|leve?r(?:ing|en|datum|tijd|bar)\w*|aflever\w*|bezorg\w*|aankomst\w*|gewenste?|verwacht\w*|chegada|rececao|pretendida)$/,
  ],
  [
    'due',
    /^(?:exigib\w*|vto|venc|scad|verv|voldoen|esigibile|pagadero|pagavel|liquidar|abonar|pag|regolare|fallig|due|pay|payable|paid|payment|pmt|settle\w*|deadline|zahl\w*|fallig\w*|echeance|regler|payer|paiement|reglement|vencim\w*|vence|pagar|pago|scaden\w*|pagare|pagament\w*|entro|verval\w*|betaal\w*|betal\w*|uiterlijk|limite)$/,
  ],
  [
    'issue',
    /^(?:realizad[oa]|geplaatst|prepared|printed|ausgefertigt|aangemaakt|elaborad[oa]|redatt[oa]|etablissement|expedid[oa]|creation|passee?|datiert|issued?|sent|inviato|enviado|gesendet|verzonden|envoyee?|ordered|bestellt|commandee?|placed|dated|raised|created|made|drawn|ausgestellt|ausstellung\w*|erstellt\w*|beleg\w*|emise?|emission|edition|etablie?|passee|emitid[oa]|emision|expedicion|emess[oa]|emissione|emissao|emissie|uitgifte\w*|opgemaakt|opgesteld|document\w*|dokument\w*|documento|doc|dd)$/,
  ],
  [
    'number',
    /^(?:serie|folio|identifiant|identificativo|\w*kennung|\w+kennzeichen|\w+referentie|\w+referenz|\w{3,}ref|\w{3,}nrs?|no|id|nos|ref|refs|reference|references|referenz|referencia|riferimento|rif|referentie|referenc\w*|kenmerk|zeichen|code|codigo|codice|numero|num|\w{3,}nummer|\w{2,}nr)$/,
  ],
  [
    'date',
    /^(?:f|dt|hasta|ate|spatestens|tard|tardar|tope|fino|zum|datum\w*|date|day|on|by|before|am|vom|bis|\w*datum|\w*tag|\w*termin|fecha|dia|data|jour|le|il|el|op|em|giorno|dag|avant|antes|voor|entro|per|until|das)$/,
  ],
  [
    'sum',
    /^(?:soma|somma|suma|somme|tot|importancia|overall|total\w*|sum|som|amount|value|worth|\w*summe|\w*wert|\w*betrag|\w*bedrag|\w*waarde|montant|valeur|importe|valor|importo|valore|totaal\w*|gesamt\w*|eindtotaal|endbetrag|grand|final|payable|pagar|pagare|payer|verschuldigd)$/,
  ],
  [
    'net',
    /^(?:position\w*|leistungen|prestations?|prestazioni|prestaciones|voci|conceptos?|lineas|linhas|lignes|righe|artikelen|artigos?|articulos?|imponibile|imp|werkzaamheden|servic[io]os|regels|incidencia|taxable|merci|lordo|net|nett|netto\w*|subtotal|zwischensumme|goods|items|merchandise|ware?n\w*|marchandises?|articles?|mercancia|merce|goederen\w*|mercadorias?|base|neto|netta|liquido|iliquido|ht|brut|bruto|lines?|positionen|untaxed)$/,
  ],
  ['without', /^(?:excl\w*|exkl\w*|without|before|ohne|hors|avant|sin|sem|senza|zonder|antes|vor|ex)$/],
  [
    'with',
    /^(?:incl\w*|inkl\w*|inc|ttc|mit|con|avec|com|met|enthalten\w*|inbegriffen|darin|davon|dont|waarvan|cui|contenuta|ivato|including|compris\w*)$/,
  ],
  [
    'tax',
    /^(?:tvh|icms|iss|tps|tax|taxes|vat|gst|hst|pst|qst|mwst|ust|iva|igic|tva|btw|impuestos?|impostos?|imposta|imposte|taxes?|taxe|\w*steuer|\w*belasting|levy)$/,
  ],
  [
    'discount',
    /^(?:sc|rebaja|bonificacion|abzug|abschlag|minderung|abatimento|deduccion|deducao|detrazione|ribasso|rabat|aftrek|promocion\w*|promocao|promo\w*|\w+korting|\w+rabatt|less|descuentos?|descontos?|discount|rebate|reduction|deduction|allowance|descuento|desconto|desc|dto|sconto|korting\w*|rabatt\w*|nachlass\w*|remise|rabais|reducao|reduccion|riduzione|abatement|ermassigung|bonus)$/,
  ],
  [
    'shipping',
    /^(?:mensajeria|expedicao|porte|zustell\w*|liefergebuhr|imballo|emballage|verpackung\w*|leverkosten|portokosten|orderkosten|manipulacion|shipping|shipment|freight|carriage|courier|transport\w*|dispatch|despatch|postage|haulage|handling|packing|delivery|versand\w*|fracht\w*|porto|port|envio|flete|portes|spedizione|trasporto|vracht\w*|verzend\w*|bezorg\w*|expedition|livraison|liefer(?:kosten|ung|pauschale)|leverings?kosten|zustellung|corriere|transporte)$/,
  ],
  [
    'cost',
    /^(?:charges?|costs?|fees?|kosten|pauschale|frais|gastos|costes?|spese|costi|costo|custos?|despesas|kosten|toeslag|\w+kosten)$/,
  ],
  [
    'person',
    /^(?:disponent|\w*kontakt\w*|solicitante|richiedente|aanvrager|demandeur|gestor|peticionario|requisitante|ruckfragen|interlocutor|requisitioner|contact\w*|agent|buyer|manager|officer|person\w*|\w*bearbeiter\w*|einkaufer\w*|\w*betreuer\w*|responsable|responsabile|responsavel|verantwort\w*|referente|contatt\w*|acheteur|acheteuse|comprador\w*|compratore|inkoper|behandeld|handled|interlocut\w*|zustandig\w*|ansprechpartner\w*|dossierbeheerder|attn|tecnico)$/,
  ],
  [
    'terms',
    /^(?:cond|termini|termos|terminos?|regulierung|\w*vereinbarung|\w*konditionen?|\w*conditie|mod|modo|modalidad|resa|\w*klausel|clausola|clausula|basis|regle|frachtstellung|frankatur|\w*afspraak|terms?|conditions?|konditionen|\w*bedingung(?:en)?|condicion(?:es)?|condizion[ei]|conditie\w*|\w*condities|\w*voorwaarden|condicoes|modalites?|modalidade|\w*frist|prazo|plazo|delai)$/,
  ],
  [
    'yours',
    /^(?:cust|s|your|ihre?r?|votre|vos|su|sus|vostro|vs|uw|v|vossa|vosso|customers?|kunden\w*|klant\w*|cliente?|client)$/,
  ],
  [
    'supplies',
    /^(?:suministrador|contratista|fornitrice|opdrachtnemer|leverende|proveedora|fornecedora|prestatore|dienstverlener|leistungserbringer|biller|payee|supplier|supplied|supply|vendors?|seller|sold|lieferant\w*|lieferfirma|kreditor|verkaufer\w*|auftragnehmer\w*|fournisseur|vendeur|prestataire|proveedor|vendedor|fornitore|venditore|leverancier\w*|verkoper|fornecedor|creditor|crediteur)$/,
  ],
  [
    'buys',
    /^(?:purchasing|buying|inkopende|bestellende|einkaufende|compradora|acheteuse|commanditaire|auftraggebende|buyer|purchaser|customer|client|ordering|ordered|besteller\w*|auftraggeber\w*|kaufer\w*|kunden?|acheteur|donneur|comprador|ordenante|acquirente|ordinante|committente|koper|klant|opdrachtgever|cliente|debitor|debiteur)$/,
  ],
  [
    'billed',
    /^(?:regulierer|fakturaempfanger|addebitato|cobrad[oa]|intestat\w*|rechnungsadressat\w*|bill|billed|billing|invoice|invoiced|charge|charged|payer|rechnung|rechnungs?(?:empfanger\w*|anschrift|adresse)|leistungsempfanger\w*|zahler|facture|facturation|facturer|facturar|facturado|facturacion|fatturare|fatturato|fatturazione|intestatario|factureren|gefactureerd|facturatie|faturar|faturado|faturacao)$/,
  ],
  [
    'receives',
    /^(?:shipment|versandanschrift|anlieferadresse|leveradres|bestemming|losadres|werkadres|descarga|scarico|aflevering|bezorgen|empfangsstelle|entregue|ship|shipped|shipping|deliver|delivered|delivery|dispatch|consignee|destination|receiver|baustelle|warenempfanger\w*|anlieferung|lieferung|liefern|lieferadresse|lieferanschrift|versand|livrer|livraison|livre|expedier|expedie|enviar|envio|entregar|entrega|destino|consegnare|consegna|spedire|spedito|destinazione|leveren|levering|afleveren|verzenden|bezorgen|site)$/,
  ],
  ['to', /^(?:to|ten|te|an|a|al|alla|aan|naar|para|nach|chez|at|en)$/],
  ['from', /^(?:from|by|von|par|por|da|van|door|durch)$/],
  [
    'party',
    /^(?:organi[sz]ation|entity|entite|entidad|ente|entidade|gesellschaft|stelle|societe|societa|empresa|partij|parte|unternehmen|domicilio|chantier|cantiere|obra|punto|ponto|point|sede|party|name|names|nombre|nom|nome|naam|address|adresse|anschrift|direccion|indirizzo|adres|morada|endereco|details|company|firma|location|ort|lieu|lugar|luogo|local|plaats|behalf|datos|dati|dados|gegevens|coordonnees)$/,
  ],
  ['ours', /^(?:our|unsere?r?|notre|nos|nuestr[oa]|nostr[oa]|ons|onze|n|nossa|nosso)$/],
  ['bank', /^(?:bank\w*|iban|bic|swift|konto\w*|compte|cuenta|conto|rekening\w*|conta|account)$/],
  [
    'other',
    /^(?:project|projekt|projet|proyecto|progetto|projeto|job|quote|quotation|offer|angebot\w*|devis|presupuesto|preventivo|offerte\w*|orcamento|contract|vertrag\w*|contrat|contrato|contratto|page|seite|rfq|phone|fax|tel|mail|email|item|art|article|artikel\w*|articulo|articolo|artigo|sku|line|unit|price|preis|currency|wahrung|vendor|supplier|lieferant\w*|leverancier\w*|print\w*|print|birth|cost|tracking|note|service|leistung\w*|period|start|end|balance|saldo|statement|opening|closing|received|cash|change|rounding|refund|deposit|adresse|address|to|site|place|ort|location|lieu|lugar|luogo|local|morada|adres|weight|gewicht)$/,
  ],
  [
    'filler',
    /^(?:au|plus|al|mas|o|piu|ultimo|ultima|gesetzl|zuzuglich|dernier|of|the|for|in|a|an|at|is|this|and|to|der|die|das|des|den|dem|fur|und|zu|zum|zur|von|de|du|la|les|l|d|en|et|del|los|las|y|di|della|dell|dello|e|do|da|dos|van|het|te|voor|rm|myr|sgd|brl|eur|usd|gbp|chf|cad|aud|chf|or|latest|please|date|incl|inkl|inclusive|including|inc|ttc|all|with|mit|con|com|met|be|if|purchase|form|local|state|sales|as|par|per|by|avant|antes)$/,
  ],
]

const sensesOf: (word: string) => readonly Sense[] = remembered((word) =>
  senses.filter(([, pattern]) => pattern.test(word)).map(([sense]) => sense),
)

/** The senses of each word; null where one has none. */
function sensesOfAll(words: readonly string[]): (readonly Sense[])[] | null {
  const all: (readonly Sense[])[] = []
  for (const word of words) {
    const found = sensesOf(word)
    if (found.length === 0) return null
    all.push(found)
  }
  return all
}

/** The weight of a label composed from its words. */
const sureWeight = 0.85
const likelyWeight = 0.74

const dateMeaning = (has: (sense: Sense) => boolean): PhraseTarget[] => {
  if (!has('date') && !has('issue') && !(has('delivery') && has('due'))) return []
  if (has('delivery')) return [{ target: 'c:delivery_date', weight: sureWeight }]
  if (has('due')) return [{ target: 'c:due_date', weight: sureWeight }]
  if (has('order')) return [{ target: 'c:order_date', weight: sureWeight }]
  if (has('invoice')) return [{ target: 'c:invoice_date', weight: sureWeight }]
  return has('shipping') || has('person') ? [] : [{ target: 'p:date', weight: likelyWeight }]
}

const numberMeaning = (has: (sense: Sense) => boolean, isAlone: boolean): PhraseTarget[] => {
  if (has('order') && has('ours')) return [{ target: 'p:order', weight: sureWeight }]
  if (has('order') && (has('number') || has('yours')))
    return [
      { target: 'c:purchase_order_number', weight: sureWeight },
      { target: 'c:order_number', weight: likelyWeight },
    ]
  if (!has('number')) return []
  if (has('invoice')) return [{ target: 'c:invoice_number', weight: sureWeight }]
  if (has('delivery') || has('shipping')) return [{ target: 'c:delivery_note_number', weight: sureWeight }]
  if (has('yours')) return [{ target: 'c:customer_number', weight: likelyWeight }]
  return has('issue') || isAlone ? [{ target: 'p:number', weight: likelyWeight }] : []
}

const amountMeaning = (has: (sense: Sense) => boolean): PhraseTarget[] => {
  if (has('number') || has('terms')) return []
  const one = (id: string, weight: number): PhraseTarget[] => [{ target: `c:${id}`, weight }]
  if (has('tax') && has('with')) return one(has('sum') ? 'total' : 'tax', likelyWeight)
  if (has('tax')) return has('without') ? one('subtotal', sureWeight) : has('net') ? [] : one('tax', likelyWeight)
  if (has('discount')) return one('discount', sureWeight)
  if (has('shipping') || (has('delivery') && has('cost'))) return one('shipping', likelyWeight)
  if (has('net')) return has('sum') ? one('subtotal', sureWeight) : []
  // `To pay`, `Zu zahlen`: the amount due, and nothing else.
  if (has('due') && has('filler') && !has('date') && !has('issue') && !has('order') && !has('invoice'))
    return one('total', likelyWeight)
  if (!has('sum')) return []
  return one('total', likelyWeight)
}

const textMeaning = (has: (sense: Sense) => boolean): PhraseTarget[] => {
  const found: PhraseTarget[] = []
  if (has('person') && !has('number') && !has('terms')) found.push({ target: 'c:contact_name', weight: likelyWeight })
  if (!has('terms')) return found
  const isDelivery = has('delivery') || has('shipping')
  found.push({ target: isDelivery ? 'c:incoterm' : 'c:payment_terms', weight: sureWeight })
  return found
}

/** Joins abbreviations with dots into one word: `V.A.T.`. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = []
  let wasLetter = false
  for (const word of words) {
    const isLetter = word.length === 1
    if (isLetter && wasLetter) joined[joined.length - 1] += word
    else joined.push(word)
    wasLetter = isLetter
  }
  return joined
}

/** Senses that labels of parties are composed of. */
const partySenses: ReadonlySet<Sense> = new Set([
  'supplies',
  'buys',
  'billed',
  'receives',
  'to',
  'from',
  'party',
  'filler',
  'order',
  'issue',
  'date',
  'delivery',
  'shipping',
  'due',
  'invoice',
  'yours',
  'ours',
  'other',
])

const nameSenses: ReadonlySet<Sense> = new Set(['to', 'from', 'party', 'filler', 'date'])

/** Which party's block a label starts: `Bill-to party`, `Supplied by`, `Bestellung an`. */
function partyMeaning(all: readonly (readonly Sense[])[]): PhraseTarget[] {
  if (!all.every((list) => list.some((sense) => partySenses.has(sense)))) return []
  const has = (sense: Sense): boolean => all.some((list) => list.includes(sense))
  const block = (party: string): PhraseTarget[] => [{ target: `b:${party}`, weight: sureWeight }]
  const isParty = has('to') || has('from') || has('party')
  if (has('receives') && isParty && !has('supplies') && !has('billed')) return block('recipient')
  if (has('billed') && isParty && !has('from')) return block('customer')
  if (has('supplies')) return block('vendor')
  if (has('buys') && !has('due')) return isParty || all.length === 1 ? block('customer') : []
  if ((has('order') || has('issue')) && has('to') && !has('party')) return block('addressee')
  if (has('order') && has('from')) return block('issuer')
  // `On behalf of`, `A nombre de`: the party in whose name the document is issued.
  if (has('party') && all.length > 2 && all.every((list) => list.some((sense) => nameSenses.has(sense))))
    return block('customer')
  return []
}

/** Senses that add no meaning. */
const placeSenses: ReadonlySet<Sense> = new Set(['to', 'from', 'party', 'filler', 'receives', 'buys', 'billed'])

/** Words that mean the number of the document when they are the whole label. */
const plainNumbers = /^(?:no|id|ref|reference|referenz|referencia|riferimento|referentie|numero|num|of|the|de|di|der)$/

/** The maximum number of words of a label; longer text is running text. */
const labelWordsMax = 6

/** True when every word is a label word, so the text is no name. */
export const isWordsOfLabels = (words: readonly string[]): boolean =>
  words.length > 0 && joinLetters(words).every((word) => sensesOf(word).length > 0)

/**
 * The meaning of a label from its words: `Goods due`, `Auftragswert` or `Ref. factura` need not be known phrases.
 * `words` are folded. The targets `p:date` and `p:number` are the date and number of the document itself, `p:order` the
 * order of its issuer. Null for words that are no label; a label of something else has no targets.
 */
export function meaningOfWords(given: readonly string[]): readonly PhraseTarget[] | null {
  const words = joinLetters(given)
  const ofAccount = meaningOfStatementWords(words)
  if (ofAccount !== null) return ofAccount
  if (words.length === 0 || words.length > labelWordsMax) return null
  const all = sensesOfAll(words)
  if (all === null) return null
  const said = new Set(all.flat())
  const has = (sense: Sense): boolean => said.has(sense)
  if (
    [...said].every((sense) => sense === 'filler' || sense === 'date' || sense === 'yours' || sense === 'ours') &&
    !has('date')
  )
    return null
  const parties = has('number') || has('sum') || has('terms') ? [] : partyMeaning(all)
  if (parties.length > 0) return parties
  if ([...said].every((sense) => placeSenses.has(sense))) return null
  if (has('other') || has('bank')) return []
  const isAlone = words.every((word) => plainNumbers.test(word))
  const found = [...dateMeaning(has), ...numberMeaning(has, isAlone), ...amountMeaning(has), ...textMeaning(has)]
  return found.length === 0 ? null : found
}
