import { madeOnce } from '../layout/remembered.ts'
import { fold, namePhrase, phraseOf } from '../layout/text.ts'

/**
 * Meanings of words in field names, in English, German, French, Spanish, Italian, Dutch and Portuguese: meanings, separated by spaces →
 * phrases with all these meanings, separated by `|`. A longer phrase takes precedence over its words.
 */
const vocabulary: Readonly<Record<string, string>> = {
  invoice:
    'invoice|invoices|invoicing|invoiced|bill|billing|rechnung|rechnungs|rechnungen|faktura|facture|factures|facturation|factura|facturas|facturacion|fattura|fatture|fatturazione|factuur|facturen|fatura|faturas|faturacao|credit note|gutschrift|avoir|nota de credito|nota di credito|creditnota|document header',
  document: 'document|doc|beleg|dokument|belege|documento|documents',
  no: 'no|id|ids|identifier|identification|identifikation|identifikationsnummer|kennung|kennzeichen|identifiant|identificador|identificativo|identificacion|numeros|nummern|ident|uid',
  code: 'code|codes|codigo|codice|kode|schlussel|iso',
  reference: 'reference|references|ref|referenz|zeichen|referencia|riferimento|kenmerk|referentie',
  date: 'date|dates|datum|fecha|data|day|tag|dated|jour',
  issue:
    'issue|issued|issuance|ausstellung|ausstellungs|ausgestellt|ausgestellt am|emission|emise|emise le|emision|emissione|emesso|uitgifte|emissao|erstellt|created',
  due: 'due|fallig|falligkeit|falligkeits|falligkeitsdatum|echeance|exigible|vencimiento|vence|scadenza|verval|verschuldigd|vencimento|payable|zahlbar|zahlbetrag|outstanding|offen|offener|balance|deadline|owed|owing|restbetrag|faellig|faelligkeit|faelligkeits|zu zahlen|a payer|a pagar|da pagare|te betalen|to pay|dovuto|adeudado',
  'due date':
    'due date|pay by|zahlungsziel|vervaldatum|vervaldag|date echeance|date d echeance|echeance|fecha de vencimiento|vencimiento|data scadenza|data di scadenza|data de vencimento|vencimento|falligkeitsdatum|faelligkeitsdatum|falligkeit|faelligkeit|fallig am|zahlbar bis|payment deadline|payable until',
  payment:
    'payment|payments|pay|zahlung|zahlungs|zahl|paiement|reglement|pago|pagos|pagamento|pagamenti|betaling|betaal|betalings',
  terms:
    'terms|term|conditions|condition|bedingung|bedingungen|konditionen|condiciones|condizioni|voorwaarden|condicoes|termes|modalites',
  seller:
    'seller|sellers|vendor|vendors|supplier|suppliers|merchant|biller|issuer|sender|from|provider|creditor party|lieferant|lieferanten|verkaufer|verkaeufer|rechnungssteller|rechnungsteller|rechnungsaussteller|aussteller|anbieter|kreditor|kreditoren|absender|fournisseur|vendeur|emetteur|prestataire|proveedor|vendedor|emisor|fornitore|venditore|cedente|prestatore|leverancier|leveranciers|verkoper|fornecedor|emitente|issued by|sold by|billed by',
  buyer:
    'buyer|buyers|customer|customers|client|recipient|purchaser|debtor|bill to|billed to|sold to|invoice to|invoice recipient|kunde|kunden|kaufer|kaeufer|empfanger|empfaenger|rechnungsempfanger|rechnungsempfaenger|leistungsempfanger|auftraggeber|debitor|debitoren|besteller|acheteur|destinataire|comprador|cliente|clientes|destinatario|acquirente|compratore|cessionario|committente|klant|klanten|koper|afnemer|debiteur|adquirente',
  payee: 'payee|beneficiary|zahlungsempfanger|zahlungsempfaenger|begunstigter|beneficiaire|beneficiario|begunstigde',
  representative:
    'tax representative|fiscal representative|representative|vertreter|steuervertreter|fiskalvertreter|representant|representante|rappresentante|vertegenwoordiger',
  delivery:
    'delivery|deliver|delivered|deliver to|ship|ship to|shipping|shipped|shipment|consignee|lieferung|liefer|lieferungs|livraison|entrega|envio|consegna|spedizione|levering|leverings|lever|aflever|leistung|leistungs|prestation|prestacion|prestazione|supply|performance',
  party:
    'party|company|organisation|organization|firma|firmen|unternehmen|unternehmens|societe|entreprise|empresa|azienda|bedrijf|bedrijfs|business|entity|partei|partij|partie|parte',
  name: 'name|names|namen|nom|nombre|nome|naam|noms',
  address:
    'address|addresses|anschrift|adresse|postal address|full address|postanschrift|direccion|indirizzo|adres|morada|endereco|domicilio',
  'buyer address':
    'billing address|invoice address|bill to address|invoicing address|rechnungsadresse|rechnungsanschrift|adresse de facturation|direccion de facturacion|indirizzo di fatturazione|factuuradres|endereco de faturacao|morada de faturacao',
  'address line': 'address line|address line 1|line one|line 1|address 1|address1|adresszeile|adresszeile 1',
  'second address line':
    'address line 2|line two|address 2|address2|street 2|adresszeile 2|adresszusatz|additional street',
  'third address line': 'address line 3|line three|address 3|adresszeile 3',
  street:
    'street|street name|street address|street and number|strasse|strassen|str|rue|calle|via|straat|rua|road|strasse und hausnummer',
  city: 'city|town|ort|stadt|wohnort|ville|ciudad|citta|localita|comune|plaats|stad|woonplaats|cidade|localidad|localidade|locality',
  postcode:
    'postcode|post code|postal code|postal|zip|zip code|zipcode|plz|postleitzahl|code postal|cp|codigo postal|cap|codice postale',
  region: 'region|state|province|county|bundesland|subdivision|country subdivision|provincia|canton|kanton',
  country: 'country|land|landes|staat|lander|pays|pais|paese|nazione|landcode|landercode',
  tax: 'tax|taxes|vat|mwst|ust|umsatzsteuer|mehrwertsteuer|steuer|steuern|steuers|tva|iva|btw|gst|sales tax|imposta|impuesto|impuestos|imposto|imposte|belasting|taxe',
  'tax no':
    'vat no|vat id|tax id|vatid|taxid|ust id|ustid|ust idnr|ustidnr|ust id no|ust idno|ust no|umsatzsteuer id|umsatzsteuer identifikationsnummer|umsatzsteuer identifikations no|vat identification|vat registration|vat registration no|vat identifier|tva intracommunautaire|no tva|partita iva|p iva|nif|cif|btw no|btw id|uid no|uid|gst no|nipc|contribuinte',
  'fiscal no':
    'tax no|steuer no|steuernummer|local tax no|fiscal no|fiscal code|codice fiscale|tax registration|tax registration no|no fiscal|finanzamt',
  fiscal: 'fiscal|fiskal',
  registration:
    'registration|registered|register|registry|handelsregister|handelsregisternummer|hrb|registre|registro|company no|company registration|siret|siren|kvk|commercial register|handelsregister no|trade register|chamber of commerce',
  legal: 'legal|rechtlich|rechtliche|juridique|legale|wettelijk',
  trading: 'trading|trade|doing business as|dba|handelsname|nom commercial|nombre comercial|nome commerciale',
  email:
    'email|emails|e mail|mail|email address|e mail address|mailadresse|e mail adresse|email adresse|courriel|correo|correo electronico|posta elettronica|mailadres',
  phone: 'phone|telephone|tel|telefon|telefonnummer|mobile|telefono|telefoon|telefone|fon|rufnummer',
  contact:
    'contact|contact point|contact person|ansprechpartner|kontakt|interlocuteur|contacto|contatto|referente|contactpersoon|contactpersonen|person|personne|persona|sachbearbeiter|attention',
  electronic:
    'electronic|electronic address|endpoint|elektronische|elektronische adresse|electronique|electronico|elettronico|peppol',
  routing: 'leitweg|leitweg id|leitwegid|routing',
  account: 'account|konto|bankkonto|bankverbindung|compte|cuenta|conto|rekening|conta|bank account|kontonummer',
  iban: 'iban',
  bic: 'bic|swift|swift code|bic swift',
  bank: 'bank|banque|banco|banca|institution',
  holder: 'holder|inhaber|kontoinhaber|titulaire|titular|intestatario|titolare|houder|owner',
  card: 'card|karte|karten|kreditkarte|carte|tarjeta|carta|kaart|cartao',
  mandate: 'mandate|mandat|mandats|mandatsreferenz|mandato|machtiging|sepa',
  creditor: 'creditor|glaubiger|glaeubiger|glaubigers|creancier|acreedor|creditore|schuldeiser|credor',
  method:
    'method|means|mode|art|zahlungsart|zahlungsweise|zahlungsmittel|moyen|medio|metodo|mezzo|wijze|meio|forma|modalita',
  remittance: 'remittance|remittance information|verwendungszweck|communication|causale|concepto|mededeling',
  order:
    'order|orders|bestellung|bestell|bestellungs|auftrag|auftrags|commande|pedido|ordine|ordem|encomenda|bestelling|orderno|bestelnummer|inkooporder',
  purchase: 'purchase|buying|einkauf|einkaufs|achat|compra|acquisto|inkoop',
  'purchase order': 'po|purchase order|bon de commande|orden de compra|ordine di acquisto|inkooporder',
  sales: 'sales|verkauf|verkaufs|vente|venta|vendita|verkoop|venda',
  contract: 'contract|vertrag|vertrags|contrat|contrato|contratto|agreement',
  project: 'project|projekt|projet|proyecto|progetto|projeto',
  despatch:
    'despatch|dispatch|despatch advice|dispatch advice|delivery note|delivery note no|lieferschein|lieferscheins|packing slip|shipping notice|bon de livraison|albaran|bolla|ddt|pakbon|guia de remessa',
  receiving: 'receiving|receiving advice|receipt advice|wareneingang|wareneingangs|bon de reception',
  tender: 'tender|tender or lot|lot|vergabe|ausschreibung|appel d offres|licitacion|gara|aanbesteding',
  object: 'object|objekt|objet|objeto|oggetto',
  accounting:
    'accounting|accounting cost|cost center|cost centre|kostenstelle|buchungs|kontierung|booking|centre de cout|comptable|contable|contabile',
  process: 'process|business process|prozess|geschaftsprozess|processus|proceso|processo',
  specification: 'specification|guideline|customization|spezifikation',
  profile: 'profile|profil|perfil|profilo',
  preceding:
    'preceding|previous|original|prior|corrected|vorherige|vorherigen|vorausgegangene|ursprungliche|precedente|precedent|anterior|vorige|voorafgaande',
  note: 'note|notes|remark|remarks|comment|comments|bemerkung|bemerkungen|hinweis|hinweise|anmerkung|anmerkungen|notiz|remarque|remarques|nota|notas|observaciones|osservazioni|opmerking|opmerkingen|observacoes|message|freitext',
  subject: 'subject|betreff',
  period:
    'period|billing period|service period|zeitraum|zeitraums|leistungszeitraum|abrechnungszeitraum|periode|periodo',
  start: 'start|begin|beginning|von|beginn|anfang|debut|inicio|inizio|desde|dal|starts|vanaf|period from',
  end: 'end|ending|bis|ende|fin|fine|eind|einde|fim|hasta|until|ends|until|period to|tot',
  currency: 'currency|wahrung|wahrungs|waehrung|waehrungs|devise|monnaie|moneda|divisa|valuta|moeda|munt',
  type: 'type|typ|rechnungsart|belegart|dokumentart|tipo|soort',
  amount:
    'amount|amounts|betrag|betrags|betrage|montant|montants|importe|importo|bedrag|montante|valor|valore|wert|value|worth',
  total:
    'total|totals|sum|summe|summen|gesamt|gesamtbetrag|endbetrag|rechnungsbetrag|gesamtsumme|endsumme|somme|suma|somma|totale|totaal|grand total|grand|overall|insgesamt',
  net: 'net|netto|neto|nett|ht|net of tax|excl|exclusive|excluding|excl vat|excluding vat|excluding tax|excl tax|without vat|without tax|before tax|before vat|tax exclusive|vat exclusive|ohne mwst|ohne ust|ohne steuer|hors taxe|hors taxes|hors tva|sin iva|sin impuestos|senza iva|iva esclusa|excl btw|exclusief btw|zonder btw|sem iva|untaxed|nettobetrag|nettowert|exkl|pre tax|pretax',
  gross:
    'gross|brutto|ttc|bruto|lordo|incl|inclusive|including|incl vat|including vat|including tax|incl tax|with vat|with tax|after tax|tax inclusive|vat inclusive|inkl mwst|mit mwst|mit ust|inkl ust|toutes taxes comprises|con iva|con impuestos|ivato|iva inclusa|incl btw|inclusief btw|com iva|inkl|bruttobetrag',
  subtotal: 'subtotal|sub total|zwischensumme|sous total|subtotale|subtotaal',
  paid: 'paid|prepaid|prepayment|prepayments|deposit|bezahlt|gezahlt|anzahlung|anzahlungen|vorauszahlung|vorausbezahlt|acompte|paye|pagado|anticipo|pagato|acconto|betaald|voorschot|advance|already paid|amount paid|adiantamento',
  rounding: 'rounding|rundung|rundungs|arrondi|redondeo|arrotondamento|afronding|afrondings|arredondamento|rounded',
  allowance:
    'allowance|allowances|discount|discounts|rabatt|rabatte|nachlass|nachlasse|abschlag|abschlage|abzug|abzuge|remise|remises|rabais|descuento|descuentos|sconto|sconti|korting|kortingen|desconto|descontos|reduction|deduction|skonto',
  charge:
    'charge|charges|surcharge|surcharges|zuschlag|zuschlage|aufschlag|frais|cargo|cargos|recargo|maggiorazione|toeslag|toeslagen|encargo|encargos|fee|fees|supplement|gebuhr|gebuhren',
  reason: 'reason|grund|begrundung|motif|motivo|reden|razon|causa',
  rate: 'rate|rates|percent|percentage|pct|satz|satze|prozent|prozentsatz|taux|porcentaje|pourcentage|percentuale|aliquota|tarief|taxa|percentagem|tipo iva|tipo de iva',
  taxable:
    'taxable|tax basis|steuerbasis|bemessungsgrundlage|steuerbemessungsgrundlage|base imponible|base d imposition|base imposable|imponibile|maatstaf|maatstaf van heffing|base tributavel|taxable base|taxable amount',
  base: 'base|basis|grundlage',
  breakdown:
    'breakdown|breakdowns|summary|subtotals|details|aufschlusselung|aufstellung|ventilation|desglose|riepilogo|specificatie|resumo|detail',
  category: 'category|categories|kategorie|categorie|categoria',
  exemption:
    'exemption|exempt|befreiung|befreiungs|steuerbefreiung|exoneration|exencion|esenzione|vrijstelling|isencao',
  line: 'line|lines|item|items|line item|line items|invoice line|position|positionen|pos|posten|rechnungsposition|rechnungspositionen|artikel|article|articles|ligne|lignes|linea|lineas|riga|righe|regel|regels|linha|linhas|articulo|articulos|articolo|articoli|artigo|artigos|goods|entries|rechnungszeilen|zeile|zeilen|service|services|leistungen',
  product: 'product|products|produkt|produkte|produit|producto|prodotto|produto|material',
  quantity:
    'quantity|quantities|qty|menge|mengen|anzahl|stuckzahl|stueckzahl|quantite|qte|cantidad|cant|quantita|qta|hoeveelheid|aantal|quantidade|qtd|units count|count',
  unit: 'unit|units|uom|unit of measure|einheit|einheiten|einheits|mengeneinheit|masseinheit|unite|unidad|unita|eenheid|unidade|measure',
  price: 'price|prices|preis|preise|prix|precio|prezzo|prijs|preco|cost|kosten',
  'unit price':
    'unit price|price per unit|unit cost|einzelpreis|stuckpreis|stueckpreis|einheitspreis|prix unitaire|precio unitario|prezzo unitario|stuksprijs|eenheidsprijs|preco unitario|item price',
  list: 'list',
  description:
    'description|descriptions|desc|beschreibung|bezeichnung|artikelbezeichnung|designation|libelle|descripcion|descrizione|omschrijving|descricao|details of item|title',
  text: 'text|texte|texto|testo|tekst|information|info',
  'line code':
    'sku|article no|item no|item code|part no|article code|artikelnummer|artikel no|articulo no|codice articolo|code article|reference article|artikelcode',
  standard: 'standard|gtin|ean|global|barcode',
  classification:
    'classification|class|cpv|unspsc|hs code|commodity|klassifikation|klassifizierung|clasificacion|classificazione|classificatie',
  origin: 'origin|ursprung|ursprungs|origine|origen|oorsprong|origem',
  attachment:
    'attachment|attachments|supporting document|supporting documents|anlage|anlagen|anhang|piece jointe|annexe|adjunto|anexo|allegato|allegati|bijlage|bijlagen',
  location: 'location|uri|url|link|lagerort|lieu|luogo|lugar|site',
  wages:
    'gross pay|net pay|take home pay|pay period|pay period start|pay period end|pay date|payday|payslip|payroll|wage|wages|salary|lohn|gehalt|bruttolohn|nettolohn|bruttogehalt|nettogehalt|salaire|salaire brut|salaire net|salario|sueldo|stipendio|retribuzione|loon|salaris|brutoloon|nettoloon|ordenado|vencimento base',
  // Names of objects that only group fields.
  part: 'header|head|meta|metadata|data|general|allgemein|allgemeines|common|basic|basics|main|core|root|overview|result|results|ergebnis|extracted|extraction|field|fields|felder|values|werte|content|contents|inhalt|answer|response|output|section|block|parties|record|entry|form|page|keys|facts|kopf|kopfdaten|daten|stammdaten|entete|en tete|donnees|cabecera|encabezado|datos|intestazione|testata|dati|gegevens|kop|algemeen|cabecalho|dados|transaction|financial|financials|finance|banking|money|figures|dates|identifiers|business',
  'service date': 'service date|leistungsdatum|date of service|date of supply|supply date|date de prestation',
}

const fillers = new Set(
  'the of a an in on for by and or de del der des die das la le les el los las il lo gli da do di du d l e et y u und fur as is be this that its printed value field with to at per that which who with on when where van het voor een zum zur vom dem den em na por pour par per van den'.split(
    ' ',
  ),
)

const phrases = madeOnce(() => {
  const all = new Map<string, readonly string[]>()
  for (const [meanings, said] of Object.entries(vocabulary))
    for (const phrase of said.split('|')) {
      const folded = phraseOf(phrase)
      // The plainest meaning of a phrase comes first.
      if (!all.has(folded) || meanings.includes(' ')) all.set(folded, meanings.split(' '))
    }
  return all
})

const phraseWordsMax = 4
const joints = ['', 's', 'es', 'en', 'n', 'e']
const partLettersMin = 3
/** `Rechnungsnr`, `Kundenid`. */
const shortestPart = 2

/** The meanings of words in order, and the number of unknown words. */
export interface Sayings {
  readonly meanings: readonly string[]
  readonly unknown: number
}

/** The meanings of the words in a name or text. */
export function sayingsOf(text: string): Sayings {
  const words = namePhrase(text).split(' ').filter(Boolean)
  const meanings: string[] = []
  let unknown = 0
  for (let at = 0; at < words.length; ) {
    const length = longestAt(words, at)
    if (length > 0) {
      meanings.push(...(phrases().get(words.slice(at, at + length).join(' ')) ?? []))
      at += length
      continue
    }
    const word = words[at] ?? ''
    const parts = partsOf(word)
    if (parts !== undefined) meanings.push(...parts)
    else if (!fillers.has(word) && !/^\d+$/.test(word)) unknown += 1
    at += 1
  }
  return { meanings: [...new Set(meanings)], unknown }
}

/** The length in words of the longest known phrase from `at` on. */
function longestAt(words: readonly string[], at: number): number {
  for (let length = Math.min(phraseWordsMax, words.length - at); length > 0; length -= 1)
    if (phrases().has(words.slice(at, at + length).join(' '))) return length
  return 0
}

/** The meanings of a compound such as `Rechnungsnummer`; undefined if a part is unknown. */
function partsOf(word: string): readonly string[] | undefined {
  for (let end = word.length - shortestPart; end >= partLettersMin; end -= 1) {
    const head = word.slice(0, end)
    const own = meaningOfPart(head)
    if (own === undefined) continue
    const rest = meaningOfPart(word.slice(end)) ?? partsOf(word.slice(end))
    if (rest !== undefined) return [...own, ...rest]
  }
  return undefined
}

function meaningOfPart(part: string): readonly string[] | undefined {
  for (const joint of joints) {
    if (!part.endsWith(joint)) continue
    const stem = part.slice(0, part.length - joint.length)
    const known = phrases().get(phraseOf(stem)) ?? (fold(stem) === 'nummer' ? ['no'] : undefined)
    if (known !== undefined && (stem.length >= partLettersMin || known[0] === 'no')) return known
  }
  return undefined
}
