/** The words of letters, delivery notes and payslips in one language. */
export interface Wording {
  readonly page: string
  readonly of: string
  readonly dear: string
  readonly regards: string
  readonly subject: string
  readonly reference: string
  readonly date: string
  readonly continued: string
  readonly sentences: readonly string[]
  readonly deliveryNote: { readonly title: string; readonly number: string; readonly columns: readonly string[] }
  readonly payslip: {
    readonly title: string
    readonly number: string
    readonly rows: readonly string[]
    readonly sum: string
  }
}

const english: Wording = {
  page: 'Page',
  of: 'of',
  dear: 'Dear Sir or Madam,',
  regards: 'Yours faithfully,',
  subject: 'Your enquiry',
  reference: 'Our reference',
  date: 'Date',
  continued: 'continued',
  sentences: [
    'Thank you for your message, which we have read with great interest.',
    'We have checked the documents that you sent and found them complete.',
    'As agreed on the telephone, the work will begin in the second week of the month.',
    'Please note that the office is closed between the holidays.',
    'The committee will decide on the matter at its next meeting and inform you in writing.',
    'Should you have any further questions, our staff will be glad to help you.',
    'The conditions of the contract remain unchanged in all other respects.',
    'We kindly ask you to return the enclosed form within two weeks.',
  ],
  deliveryNote: {
    title: 'Delivery note',
    number: 'Delivery note no.',
    columns: ['Pos.', 'Article', 'Description', 'Quantity'],
  },
  payslip: {
    title: 'Payslip',
    number: 'Employee no.',
    rows: ['Basic salary', 'Overtime', 'Income tax', 'Social security'],
    sum: 'Net pay',
  },
}

const german: Wording = {
  page: 'Seite',
  of: 'von',
  dear: 'Sehr geehrte Damen und Herren,',
  regards: 'Mit freundlichen Grüßen',
  subject: 'Ihre Anfrage',
  reference: 'Unser Zeichen',
  date: 'Datum',
  continued: 'Fortsetzung',
  sentences: [
    'vielen Dank für Ihr Schreiben, das wir mit Interesse gelesen haben.',
    'Die eingereichten Unterlagen haben wir geprüft und für vollständig befunden.',
    'Wie telefonisch besprochen, beginnen die Arbeiten in der zweiten Woche des Monats.',
    'Bitte beachten Sie, dass unser Büro zwischen den Feiertagen geschlossen ist.',
    'Der Ausschuss wird in seiner nächsten Sitzung darüber beraten und Ihnen schriftlich Bescheid geben.',
    'Für Rückfragen stehen Ihnen unsere Mitarbeiter gerne zur Verfügung.',
    'Im Übrigen bleiben die Bedingungen des Vertrags unverändert.',
    'Wir bitten Sie, das beiliegende Formular innerhalb von zwei Wochen zurückzusenden.',
  ],
  deliveryNote: {
    title: 'Lieferschein',
    number: 'Lieferschein-Nr.',
    columns: ['Pos.', 'Artikel', 'Bezeichnung', 'Menge'],
  },
  payslip: {
    title: 'Gehaltsabrechnung',
    number: 'Personalnummer',
    rows: ['Grundgehalt', 'Überstunden', 'Lohnsteuer', 'Sozialversicherung'],
    sum: 'Auszahlungsbetrag',
  },
}

const french: Wording = {
  page: 'Page',
  of: 'sur',
  dear: 'Madame, Monsieur,',
  regards: 'Veuillez agréer nos salutations distinguées.',
  subject: 'Votre demande',
  reference: 'Notre référence',
  date: 'Date',
  continued: 'suite',
  sentences: [
    'Nous vous remercions de votre courrier, qui a retenu toute notre attention.',
    'Les pièces que vous avez envoyées ont été vérifiées et sont complètes.',
    'Comme convenu par téléphone, les travaux commenceront la deuxième semaine du mois.',
    'Veuillez noter que nos bureaux seront fermés pendant les fêtes.',
    'La commission se prononcera lors de sa prochaine séance et vous en informera par écrit.',
    'Nos collaborateurs se tiennent à votre disposition pour toute question.',
    'Les conditions du contrat restent inchangées pour le surplus.',
    'Merci de nous retourner le formulaire ci-joint sous quinze jours.',
  ],
  deliveryNote: {
    title: 'Bon de livraison',
    number: 'Bon de livraison n°',
    columns: ['Pos.', 'Article', 'Désignation', 'Quantité'],
  },
  payslip: {
    title: 'Bulletin de paie',
    number: 'Matricule',
    rows: ['Salaire de base', 'Heures supplémentaires', 'Impôt sur le revenu', 'Cotisations sociales'],
    sum: 'Net à payer',
  },
}

const spanish: Wording = {
  page: 'Página',
  of: 'de',
  dear: 'Estimados señores:',
  regards: 'Atentamente,',
  subject: 'Su consulta',
  reference: 'Nuestra referencia',
  date: 'Fecha',
  continued: 'continuación',
  sentences: [
    'Le agradecemos su carta, que hemos leído con mucho interés.',
    'Hemos revisado la documentación enviada y está completa.',
    'Según lo acordado por teléfono, los trabajos empezarán la segunda semana del mes.',
    'Le recordamos que la oficina permanecerá cerrada durante las fiestas.',
    'El comité decidirá en su próxima reunión y le informará por escrito.',
    'Nuestro personal está a su disposición para cualquier pregunta.',
    'Las demás condiciones del contrato no cambian.',
    'Rogamos nos devuelva el formulario adjunto en un plazo de dos semanas.',
  ],
  deliveryNote: { title: 'Albarán', number: 'Albarán n.º', columns: ['Pos.', 'Artículo', 'Descripción', 'Cantidad'] },
  payslip: {
    title: 'Nómina',
    number: 'N.º de empleado',
    rows: ['Salario base', 'Horas extra', 'Retención IRPF', 'Seguridad social'],
    sum: 'Líquido a percibir',
  },
}

const dutch: Wording = {
  page: 'Pagina',
  of: 'van',
  dear: 'Geachte heer, mevrouw,',
  regards: 'Met vriendelijke groet,',
  subject: 'Uw aanvraag',
  reference: 'Ons kenmerk',
  date: 'Datum',
  continued: 'vervolg',
  sentences: [
    'Hartelijk dank voor uw brief, die wij met belangstelling hebben gelezen.',
    'Wij hebben de ingezonden stukken gecontroleerd en volledig bevonden.',
    'Zoals telefonisch besproken beginnen de werkzaamheden in de tweede week van de maand.',
    'Ons kantoor is gesloten tussen de feestdagen.',
    'De commissie beslist in haar volgende vergadering en bericht u schriftelijk.',
    'Onze medewerkers beantwoorden uw vragen graag.',
    'De overige voorwaarden van de overeenkomst blijven ongewijzigd.',
    'Wij verzoeken u het bijgevoegde formulier binnen twee weken terug te sturen.',
  ],
  deliveryNote: { title: 'Pakbon', number: 'Pakbonnummer', columns: ['Pos.', 'Artikel', 'Omschrijving', 'Aantal'] },
  payslip: {
    title: 'Loonstrook',
    number: 'Personeelsnummer',
    rows: ['Basissalaris', 'Overuren', 'Loonheffing', 'Sociale premies'],
    sum: 'Netto uit te betalen',
  },
}

const italian: Wording = {
  page: 'Pagina',
  of: 'di',
  dear: 'Gentili signori,',
  regards: 'Distinti saluti',
  subject: 'La vostra richiesta',
  reference: 'Nostro riferimento',
  date: 'Data',
  continued: 'segue',
  sentences: [
    'vi ringraziamo per la lettera, che abbiamo letto con molto interesse.',
    'Abbiamo controllato i documenti inviati e li abbiamo trovati completi.',
    'Come concordato al telefono, i lavori inizieranno nella seconda settimana del mese.',
    'Vi ricordiamo che gli uffici resteranno chiusi durante le feste.',
    'La commissione deciderà nella prossima seduta e vi informerà per iscritto.',
    'Il nostro personale resta a disposizione per ogni domanda.',
    'Le altre condizioni del contratto restano invariate.',
    'Vi preghiamo di restituire il modulo allegato entro due settimane.',
  ],
  deliveryNote: {
    title: 'Documento di trasporto',
    number: 'DDT n.',
    columns: ['Pos.', 'Articolo', 'Descrizione', 'Quantità'],
  },
  payslip: {
    title: 'Busta paga',
    number: 'Matricola',
    rows: ['Paga base', 'Straordinari', 'Imposta', 'Contributi'],
    sum: 'Netto da pagare',
  },
}

/** Languages of each half: only English is in both. */
export const wordings: Readonly<Record<'train' | 'kept-out', readonly Wording[]>> = {
  train: [english, german, french],
  'kept-out': [english, spanish, dutch, italian],
}
