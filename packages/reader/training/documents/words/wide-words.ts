import type { Locale } from './locale.ts'

/** Words that only the wide layouts print and no one asks for. Lists are written with `|` between their members. */
export interface WideWords {
  readonly sections: string
  readonly broughtForward: string
  readonly gross: string
  readonly net: string
  readonly rate: string
  readonly discountShort: string
  readonly revision: string
  readonly invoiceOpening: string
  readonly orderOpening: string
  readonly closing: string
  readonly points: string
  readonly copy: string
  readonly guests: string
  readonly summary: string
  readonly movements: string
  readonly overleaf: string
}

const english: WideWords = {
  sections: 'Materials|Labour|Equipment|Site works|Phase 1|Phase 2|Main building|Extras',
  broughtForward: 'Brought forward|Carried over',
  gross: 'Gross|Incl. tax|Gross amount',
  net: 'Net|Net amount|Taxable amount',
  rate: 'Rate|Tax rate',
  discountShort: 'Disc. %|Disc.|Less %',
  revision: 'Revision|Rev.|Amendment',
  invoiceOpening:
    'Dear customer,\nthank you for your order. We invoice you for the following:|Dear Sir or Madam,\nplease find below the charges for our services.|For goods supplied and services rendered:',
  orderOpening:
    'Please supply the following goods on the terms stated below.|We hereby order as follows. Please confirm by return.|Dear Sirs,\nin accordance with your quotation we place this order:',
  closing: 'Kind regards|Yours faithfully|With best regards',
  points: 'Points earned|Loyalty points|Points balance|Stamps collected',
  copy: 'CUSTOMER COPY|*** COPY ***|CARDHOLDER COPY|PLEASE RETAIN FOR YOUR RECORDS',
  guests: 'Covers|Guests|Party of',
  summary: 'Account summary|Summary|At a glance',
  movements: 'Transactions|Your transactions|Activity in detail',
  overleaf: 'Continued overleaf|Continued on next page|Please turn over',
}

const german: WideWords = {
  sections: 'Material|Arbeitsleistung|Erdgeschoss|Obergeschoss|Los 1|Los 2|Nebenleistungen|Maschinen',
  broughtForward: 'Übertrag von Vorseite|Vortrag',
  gross: 'Brutto|Bruttobetrag',
  net: 'Netto|Nettobetrag|Bemessungsgrundlage',
  rate: 'Satz|Steuersatz',
  discountShort: 'Rab. %|Rabatt %',
  revision: 'Änderung|Revision|Änd.-Stand',
  invoiceOpening:
    'Sehr geehrte Damen und Herren,\nfür unsere Lieferungen und Leistungen berechnen wir Ihnen:|Sehr geehrte Damen und Herren,\nvielen Dank für Ihren Auftrag. Wir erlauben uns, wie folgt abzurechnen:|Wir lieferten Ihnen auf Ihre Rechnung und Gefahr:',
  orderOpening:
    'Sehr geehrte Damen und Herren,\nhiermit bestellen wir zu unseren Einkaufsbedingungen:|Bitte liefern Sie uns die folgenden Artikel:|Auf Grundlage Ihres Angebots bestellen wir:',
  closing: 'Mit freundlichen Grüßen|Freundliche Grüße',
  points: 'Ihre Punkte|Treuepunkte|Bonuspunkte',
  copy: 'K-U-N-D-E-N-B-E-L-E-G|Kundenbeleg|Händlerbeleg',
  guests: 'Gäste|Personen',
  summary: 'Übersicht|Kontoübersicht',
  movements: 'Umsätze|Ihre Umsätze im Einzelnen',
  overleaf: 'Fortsetzung nächste Seite|Bitte wenden',
}

const french: WideWords = {
  sections: "Fournitures|Main d'œuvre|Lot 1|Lot 2|Terrassement|Options|Bâtiment A",
  broughtForward: 'Report|Report page précédente',
  gross: 'TTC|Montant TTC',
  net: 'HT|Base HT|Montant HT',
  rate: 'Taux',
  discountShort: 'Rem. %|Remise %',
  revision: 'Révision|Indice|Avenant n°',
  invoiceOpening:
    'Madame, Monsieur,\nveuillez trouver ci-dessous le détail de nos prestations.|Nous vous prions de trouver ci-après le montant de nos fournitures :',
  orderOpening:
    'Madame, Monsieur,\nnous vous prions de bien vouloir nous livrer :|Suite à votre devis, nous vous passons commande de :',
  closing: 'Cordialement|Veuillez agréer nos salutations distinguées',
  points: 'Points fidélité|Vos points|Cagnotte',
  copy: 'TICKET CLIENT|A CONSERVER|TICKET CLIENT A CONSERVER',
  guests: 'Couverts|Personnes',
  summary: 'Synthèse|Situation de votre compte',
  movements: 'Opérations|Détail des opérations',
  overleaf: 'Suite au verso|Suite page suivante',
}

const spanish: WideWords = {
  sections: 'Materiales|Mano de obra|Capítulo 1|Capítulo 2|Instalación|Extras',
  broughtForward: 'Suma anterior|Arrastre',
  gross: 'Total con IVA|Bruto',
  net: 'Base|Base imponible|Neto',
  rate: 'Tipo|%',
  discountShort: '% Dto.|Dto. %',
  revision: 'Revisión|Rev.',
  invoiceOpening:
    'Muy señores nuestros:\nles facturamos por los conceptos siguientes.|Por los trabajos realizados y el material servido:',
  orderOpening:
    'Les rogamos nos suministren el siguiente material:|Muy señores nuestros:\nsírvanse enviarnos lo siguiente.',
  closing: 'Atentamente|Reciban un cordial saludo',
  points: 'Puntos acumulados|Saldo de puntos',
  copy: 'COPIA PARA EL CLIENTE|EJEMPLAR CLIENTE',
  guests: 'Comensales|Personas',
  summary: 'Resumen|Resumen de la cuenta',
  movements: 'Movimientos|Detalle de movimientos',
  overleaf: 'Continúa al dorso|Sigue en la página siguiente',
}

const italian: WideWords = {
  sections: 'Materiali|Manodopera|Fase 1|Fase 2|Opere accessorie|Impianti',
  broughtForward: 'Riporto|Riporto pagina precedente',
  gross: 'Totale ivato|Lordo',
  net: 'Imponibile|Netto',
  rate: 'Aliquota|Aliq. %',
  discountShort: 'Sc. %|Sconto %',
  revision: 'Revisione|Rev.',
  invoiceOpening:
    'Gentile cliente,\ndi seguito gli importi per le forniture effettuate.|Per la merce consegnata e i servizi prestati:',
  orderOpening: 'Vi preghiamo di fornirci quanto segue:|Con la presente ordiniamo il seguente materiale:',
  closing: 'Cordiali saluti|Distinti saluti',
  points: 'Punti accumulati|Saldo punti',
  copy: 'COPIA CLIENTE|COPIA PER IL CLIENTE',
  guests: 'Coperti|Persone',
  summary: 'Riepilogo|Riepilogo del conto',
  movements: 'Movimenti|Elenco movimenti',
  overleaf: 'Segue a tergo|Segue alla pagina successiva',
}

const dutch: WideWords = {
  sections: 'Materiaal|Arbeid|Fase 1|Fase 2|Meerwerk|Begane grond',
  broughtForward: 'Transport vorige pagina|Per transport',
  gross: 'Incl. btw|Bruto',
  net: 'Excl. btw|Grondslag|Netto',
  rate: 'Tarief|%',
  discountShort: 'Korting %|Kort.',
  revision: 'Revisie|Rev.',
  invoiceOpening: 'Geachte heer, mevrouw,\nhierbij brengen wij u in rekening:|Voor geleverde goederen en diensten:',
  orderOpening: 'Hierbij bestellen wij bij u:|Wij verzoeken u het volgende te leveren:',
  closing: 'Met vriendelijke groet|Hoogachtend',
  points: 'Spaarpunten|Uw punten',
  copy: 'KLANTTICKET|KOPIE KAARTHOUDER',
  guests: 'Personen|Gasten',
  summary: 'Overzicht|Rekeningoverzicht',
  movements: 'Transacties|Bij- en afschrijvingen',
  overleaf: 'Zie ommezijde|Vervolg op volgende pagina',
}

const portuguese: WideWords = {
  sections: 'Materiais|Mão de obra|Fase 1|Fase 2|Instalação|Extras',
  broughtForward: 'Transporte|Transporte da página anterior',
  gross: 'Total c/ IVA|Bruto',
  net: 'Incidência|Base|Líquido',
  rate: 'Taxa|%',
  discountShort: 'Desc. %|% Desc.',
  revision: 'Revisão|Rev.',
  invoiceOpening: 'Exmos. Senhores,\npelos bens e serviços fornecidos:|Segue o detalhe dos serviços prestados:',
  orderOpening: 'Agradecemos o fornecimento do seguinte material:|Exmos. Senhores,\nvimos por este meio encomendar:',
  closing: 'Com os melhores cumprimentos|Atenciosamente',
  points: 'Pontos acumulados|Saldo de pontos',
  copy: 'CÓPIA CLIENTE|ORIGINAL',
  guests: 'Pessoas|Couverts',
  summary: 'Resumo|Resumo da conta',
  movements: 'Movimentos|Detalhe de movimentos',
  overleaf: 'Continua no verso|Continua na página seguinte',
}

const byLanguage: Readonly<Record<string, WideWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
}

export const wideWordsOf = (locale: Locale): WideWords => byLanguage[locale.id.slice(0, 2)] ?? english
