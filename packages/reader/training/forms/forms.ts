import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { Pen } from './pen.ts'

/** A form of a kind that the reader has no rules for, with what is asked of it. */
export interface Form {
  readonly name: string
  readonly schema: JsonSchema
  readonly truth: JsonObject
  draw(pen: Pen): void
}

type Asked = readonly [schema: JsonObject, truth: Json]

const text = (truth: string | null, description?: string): Asked => [
  { type: ['string', 'null'], ...(description !== undefined && { description }) },
  truth,
]
const day = (truth: string | null, description?: string): Asked => [
  { type: ['string', 'null'], format: 'date', ...(description !== undefined && { description }) },
  truth,
]
const number = (truth: number | null, description?: string): Asked => [
  { type: ['number', 'null'], ...(description !== undefined && { description }) },
  truth,
]
const yes = (truth: boolean | null, description?: string): Asked => [
  { type: ['boolean', 'null'], ...(description !== undefined && { description }) },
  truth,
]
const one = (choices: readonly string[], truth: string): Asked => [
  { type: ['string', 'null'], enum: [...choices, null] },
  truth,
]

const form = (name: string, asked: Readonly<Record<string, Asked>>, draw: (pen: Pen) => void): Form => ({
  name,
  schema: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(asked).map(([field, [schema]]) => [field, schema])),
  },
  truth: Object.fromEntries(Object.entries(asked).map(([field, [, truth]]) => [field, truth])),
  draw,
})

/** Forms in seven languages and several layouts. Written before the reader was tried on them. */
export const forms: readonly Form[] = [
  form(
    'payslip-en',
    {
      employee_name: text('Helen Marsh'),
      employee_number: text('004417'),
      ni_number: text('QQ 12 34 56 C', 'National Insurance number'),
      tax_code: text('1257L'),
      pay_date: day('2026-03-27'),
      gross_pay: number(3416.67),
      income_tax: number(473.8),
      pension: number(170.83, 'Contribution of the employee to the pension'),
      total_deductions: number(835.96),
      net_pay: number(2580.71),
    },
    (pen) => {
      pen.text(40, 34, 'Northgate Logistics Ltd', { size: 15, bold: true })
      pen.text(420, 38, 'PAY ADVICE', { size: 12, bold: true })
      let y = pen.boxes(
        [40, 70],
        [170, 90, 120, 70, 65],
        [
          [
            ['Employee Name', 'Helen Marsh'],
            ['Employee No.', '004417'],
            ['N.I. Number', 'QQ 12 34 56 C'],
            ['Tax Code', '1257L'],
            ['Period', '12'],
          ],
          [
            ['Department', 'Customer Care'],
            ['Pay Method', 'BACS'],
            ['Pay Date', '27/03/2026'],
            ['N.I. Table', 'A'],
            ['Dept No.', '31'],
          ],
        ],
      )
      y = pen.rows(
        y + 6,
        [44, 220, 310, 480],
        [
          ['Payments', 'Amount', 'Deductions', 'Amount'],
          ['Basic Salary', '3,250.00', 'Income Tax', '473.80'],
          ['Overtime', '166.67', 'National Insurance', '191.33'],
          ['', '', 'Pension', '170.83'],
        ],
      )
      y = pen.pairs(
        [310, y + 20],
        [
          ['Total Gross Pay', '3,416.67'],
          ['Total Deductions', '835.96'],
          ['Net Pay', '2,580.71'],
        ],
        { mark: '', right: 520 },
      )
      pen.pairs(
        [44, y],
        [
          ['Gross Pay to Date', '41,000.04'],
          ['Tax to Date', '5,685.60'],
          ['Pension to Date', '2,049.96'],
        ],
        { mark: '', to: 120 },
      )
    },
  ),
  form(
    'payslip-de',
    {
      personalnummer: text('00123'),
      name: text('Jonas Wieland', 'Name des Arbeitnehmers'),
      geburtsdatum: day('1988-11-04'),
      steuerklasse: text('4'),
      eintritt: day('2019-05-01', 'Eintrittsdatum'),
      gesamtbrutto: number(4150),
      lohnsteuer: number(612.41),
      krankenversicherung: number(338.23),
      nettoverdienst: number(2718.55),
      auszahlungsbetrag: number(2678.55),
      iban: text('DE02 1203 0000 0000 2020 51'),
    },
    (pen) => {
      pen.text(40, 36, 'Abrechnung der Brutto/Netto-Bezüge', { size: 13, bold: true })
      pen.text(430, 38, 'April 2026')
      pen.text(40, 58, 'Tischlerei Hansen GmbH & Co. KG, Hafenstraße 12, 24103 Kiel', { size: 7 })
      pen.text(40, 92, 'Herrn\nJonas Wieland\nMühlenweg 3\n24114 Kiel')
      pen.pairs(
        [330, 92],
        [
          ['Personal-Nr.', '00123'],
          ['Geburtsdatum', '04.11.1988'],
          ['Steuerklasse', '4'],
          ['Kinderfreibetrag', '1,0'],
          ['Eintritt', '01.05.2019'],
          ['SV-Nummer', '65 041188 W 042'],
        ],
        { to: 110 },
      )
      let y = pen.rows(
        210,
        [44, 96, 400],
        [
          ['Lohnart', 'Bezeichnung', 'Betrag'],
          ['1000', 'Gehalt', '3.950,00'],
          ['1210', 'Zulage Meister', '200,00'],
        ],
      )
      y = pen.pairs(
        [44, y],
        [
          ['Gesamtbrutto', '4.150,00'],
          ['Lohnsteuer', '612,41'],
          ['Krankenversicherung', '338,23'],
          ['Rentenversicherung', '385,95'],
          ['Arbeitslosenversicherung', '53,95'],
          ['Pflegeversicherung', '40,91'],
          ['Nettoverdienst', '2.718,55'],
          ['Vermögenswirksame Leistung', '40,00'],
          ['Auszahlungsbetrag', '2.678,55'],
        ],
        { mark: '', right: 450 },
      )
      pen.text(44, y + 10, 'Überweisung auf Konto DE02 1203 0000 0000 2020 51 bei DKB Berlin')
    },
  ),
  form(
    'electricity-bill-fr',
    {
      customer_name: text('Mme Claire Fontaine'),
      contract_number: text('7 204 118 553'),
      invoice_date: day('2026-02-12'),
      delivery_point: text('14295301774866', 'PDL'),
      previous_reading: number(18432),
      new_reading: number(19210),
      consumption_kwh: number(778),
      amount_due: number(164.92),
      due_date: day('2026-03-05'),
      tax_amount: number(21.37, 'TVA'),
    },
    (pen) => {
      pen.text(40, 36, 'LUMENA Énergies', { size: 16, bold: true })
      pen.text(40, 58, 'Service clients : 09 70 83 21 40')
      pen.text(330, 110, 'Mme Claire Fontaine\n8 rue des Tanneurs\n37000 TOURS')
      let y = pen.pairs(
        [40, 110],
        [
          ['N° de contrat', '7 204 118 553'],
          ['N° de client', '418 220'],
          ['Point de livraison (PDL)', '14295301774866'],
        ],
        { to: 140, mark: ' :' },
      )
      pen.text(40, y + 30, 'Votre facture du 12/02/2026', { bold: true, size: 12 })
      y = pen.pairs(
        [40, y + 60],
        [
          ['Date de facture', '12/02/2026'],
          ['Période', 'du 10/12/2025 au 09/02/2026'],
          ['Montant à payer', '164,92 €'],
          ['À régler avant le', '05/03/2026'],
        ],
        { to: 150, mark: '' },
      )
      y = pen.rows(
        y + 10,
        [44, 170, 260, 350, 440],
        [
          ['Compteur n° 061', 'Ancien relevé', 'Nouveau relevé', 'Consommation', 'Unité'],
          ['Heures pleines', '18 432', '19 210', '778', 'kWh'],
        ],
      )
      pen.pairs(
        [300, y + 12],
        [
          ['Abonnement HT', '24,10 €'],
          ['Énergie HT', '119,45 €'],
          ['TVA', '21,37 €'],
          ['Total TTC', '164,92 €'],
        ],
        { mark: '', right: 520 },
      )
    },
  ),
  form(
    'delivery-note-nl',
    {
      delivery_note_number: text('PB-26-03391'),
      delivery_date: day('2026-06-09'),
      order_reference: text('4500071832', 'Reference of the customer'),
      carrier: text('Van Dijk Transport'),
      licence_plate: text('47-BKX-3', 'Registration of the vehicle'),
      number_of_packages: number(14),
      gross_weight: number(682.5, 'In kg'),
      received_by: text('S. de Boer'),
      loading_address: text('Industrieweg 88, 5683 CG Best'),
    },
    (pen) => {
      pen.text(40, 34, 'PAKBON', { size: 20, bold: true })
      pen.text(330, 36, 'Brabant Verpakkingen B.V.', { bold: true })
      const y = pen.boxes(
        [40, 84],
        [172, 172, 171],
        [
          [
            ['Pakbonnummer', 'PB-26-03391'],
            ['Leverdatum', '9-6-2026'],
            ['Uw referentie', '4500071832'],
          ],
          [
            ['Vervoerder', 'Van Dijk Transport'],
            ['Kenteken', '47-BKX-3'],
            ['Aantal colli', '14'],
          ],
          [
            ['Laadadres', 'Industrieweg 88, 5683 CG Best'],
            ['Losadres', 'Havenkade 2, 3011 Rotterdam'],
            ['Brutogewicht (kg)', '682,5'],
          ],
        ],
      )
      const z = pen.rows(
        y + 10,
        [44, 130, 400],
        [
          ['Artikel', 'Omschrijving', 'Aantal'],
          ['D-400', 'Golfkartonnen doos 400 x 300', '1200'],
          ['T-22', 'Verpakkingstape transparant', '72'],
        ],
      )
      pen.captions(
        [40, z + 60],
        [200, 160],
        [
          [
            ['Ontvangen door', 'S. de Boer'],
            ['Datum', '10-6-2026'],
          ],
        ],
      )
    },
  ),
  form(
    'customs-declaration-en',
    {
      sender_name: text('Priya Nair'),
      sender_country: text('United Kingdom'),
      recipient_name: text('Tomás Herrera'),
      recipient_country: text('Chile'),
      description_of_contents: text('Knitted pullover'),
      net_weight: number(0.85),
      value: number(62),
      hs_tariff_number: text('6110.20'),
      country_of_origin: text('India'),
      category: one(['gift', 'documents', 'sale of goods', 'returned goods'], 'gift'),
      date_of_posting: day('2026-10-18'),
    },
    (pen) => {
      pen.text(40, 34, 'CUSTOMS DECLARATION  CN 23', { size: 14, bold: true })
      let y = pen.boxes(
        [40, 66],
        [258, 257],
        [
          [
            ["1. Sender's name", 'Priya Nair'],
            ["5. Recipient's name", 'Tomás Herrera'],
          ],
          [
            ['2. Street', '41 Alma Road'],
            ['6. Street', 'Avenida Italia 1190'],
          ],
          [
            ['3. Postcode and city', 'BS8 2DJ Bristol'],
            ['7. Postcode and city', '7500000 Santiago'],
          ],
          [
            ['4. Country', 'United Kingdom'],
            ['8. Country', 'Chile'],
          ],
        ],
      )
      pen.text(44, y, 'Category of item:')
      pen.text(140, y, '[X] Gift     [ ] Documents     [ ] Sale of goods     [ ] Returned goods')
      y = pen.rows(
        y + 26,
        [44, 190, 270, 350, 440],
        [
          ['Description of contents', 'Net weight (kg)', 'Value (GBP)', 'HS tariff number', 'Country of origin'],
          ['Knitted pullover', '0.85', '62.00', '6110.20', 'India'],
        ],
      )
      pen.captions(
        [40, y + 40],
        [160, 220],
        [
          [
            ['Date of posting', '18/10/2026'],
            ["Sender's signature", 'P. Nair'],
          ],
        ],
      )
    },
  ),
  form(
    'insurance-certificate-it',
    {
      numero_polizza: text('IT-55-0938812'),
      contraente: text('Marta Bellini'),
      codice_fiscale: text('BLLMRT79C52F205W'),
      targa: text('GH482LM'),
      veicolo: text('Fiat Panda 1.0 Hybrid'),
      decorrenza: day('2026-05-15', 'Inizio della copertura'),
      scadenza: day('2027-05-15', 'Fine della copertura'),
      massimale: number(6450000, 'Massimale di responsabilità civile'),
      premio_totale: number(487.5),
      classe_di_merito: text('3'),
    },
    (pen) => {
      pen.text(40, 34, 'Certificato di assicurazione', { size: 16, bold: true })
      pen.text(40, 58, 'Compagnia Alpina di Assicurazioni S.p.A.')
      pen.pairs(
        [40, 96],
        [
          ['Polizza n.', 'IT-55-0938812'],
          ['Contraente', 'Marta Bellini'],
          ['Codice fiscale', 'BLLMRT79C52F205W'],
          ['Indirizzo', 'Via Solferino 21, 20121 Milano'],
          ['Agenzia', 'Milano Brera (0412)'],
        ],
        { to: 86 },
      )
      pen.pairs(
        [310, 96],
        [
          ['Targa', 'GH482LM'],
          ['Veicolo', 'Fiat Panda 1.0 Hybrid'],
          ['Classe di merito', '3'],
          ['Decorrenza', '15/05/2026 ore 24'],
          ['Scadenza', '15/05/2027 ore 24'],
        ],
        { to: 92 },
      )
      pen.pairs(
        [40, 210],
        [
          ['Massimale R.C.', '€ 6.450.000,00'],
          ['Premio netto', '€ 402,10'],
          ['Imposte', '€ 85,40'],
          ['Premio totale', '€ 487,50'],
        ],
        { to: 330, mark: '' },
      )
      pen.text(40, 300, 'Il presente certificato è valido soltanto se il premio è stato pagato.')
    },
  ),
  form(
    'bank-letter-es',
    {
      fecha: day('2026-09-03'),
      titular: text('Andrés Molina Ruiz'),
      numero_de_prestamo: text('0049-7731-202'),
      importe_pendiente: number(48230.17),
      tipo_de_interes: number(2.95),
      cuota_mensual: number(611.4),
      proxima_revision: day('2027-01-15'),
      oficina: text('Sevilla – Plaza Nueva'),
    },
    (pen) => {
      pen.text(40, 36, 'Banco del Sur', { size: 16, bold: true })
      pen.text(40, 58, 'Oficina: Sevilla – Plaza Nueva')
      pen.text(320, 100, 'D. Andrés Molina Ruiz\nCalle Feria 77, 2.º B\n41003 Sevilla')
      pen.text(40, 170, 'Sevilla, 3 de septiembre de 2026')
      pen.text(40, 200, 'Asunto: revisión de su préstamo hipotecario', { bold: true })
      pen.text(
        40,
        222,
        'Estimado cliente: le comunicamos las condiciones que se aplicarán a su préstamo hasta la próxima revisión. Si desea más información, puede acudir a su oficina o llamar al 954 00 11 22.',
      )
      pen.pairs(
        [60, 290],
        [
          ['Titular', 'Andrés Molina Ruiz'],
          ['Número de préstamo', '0049-7731-202'],
          ['Importe pendiente', '48.230,17 €'],
          ['Tipo de interés', '2,95 %'],
          ['Cuota mensual', '611,40 €'],
          ['Próxima revisión', '15/01/2027'],
        ],
        { to: 150 },
      )
      pen.text(40, 410, 'Atentamente,\nDirección de la oficina')
    },
  ),
  form(
    'medical-referral-en',
    {
      patient_name: text('Robert Ellison'),
      date_of_birth: day('1961-07-09'),
      member_id: text('XKW-88120457'),
      phone: text('(503) 555-0142', 'Phone of the patient'),
      referring_physician: text('Dana Whitfield, MD'),
      referred_to: text('Cascade Cardiology Associates'),
      diagnosis: text('Atrial fibrillation'),
      icd_10_code: text('I48.91'),
      referral_date: day('2026-04-06'),
      urgency: one(['routine', 'urgent', 'emergency'], 'urgent'),
      interpreter_needed: yes(false),
    },
    (pen) => {
      pen.text(200, 34, 'PATIENT REFERRAL FORM', { size: 14, bold: true })
      pen.pairs(
        [40, 76],
        [
          ['Patient name', 'Robert Ellison'],
          ['Date of birth', '07/09/1961'],
          ['Member ID', 'XKW-88120457'],
          ['Phone', '(503) 555-0142'],
        ],
        { to: 92 },
      )
      pen.pairs(
        [310, 76],
        [
          ['Referral date', '04/06/2026'],
          ['Referring physician', 'Dana Whitfield, MD'],
          ['Referred to', 'Cascade Cardiology Associates'],
          ['Fax', '(503) 555-0199'],
        ],
        { to: 100 },
      )
      pen.text(40, 160, 'Urgency:')
      pen.text(110, 160, '[ ] Routine    [X] Urgent    [ ] Emergency')
      pen.text(40, 180, 'Interpreter needed:')
      pen.text(150, 180, '[ ] Yes    [X] No')
      pen.pairs(
        [40, 214],
        [
          ['Diagnosis', 'Atrial fibrillation'],
          ['ICD-10 code', 'I48.91'],
          ['Reason for referral', 'Evaluation and rhythm control'],
        ],
        { to: 110 },
      )
      pen.text(40, 290, 'Medford, OR 97501 · Appointments before 04/28/2026 preferred.')
    },
  ),
  form(
    'timesheet-pt',
    {
      employee: text('Rita Carvalho'),
      employee_number: text('2081'),
      department: text('Manutenção'),
      period_start: day('2026-07-06'),
      period_end: day('2026-07-12'),
      regular_hours: number(38.5),
      overtime_hours: number(4),
      total_hours: number(42.5),
      approved_by: text('Nuno Sequeira'),
    },
    (pen) => {
      pen.text(40, 34, 'Folha de Horas Semanal', { size: 15, bold: true })
      const y = pen.boxes(
        [40, 64],
        [190, 110, 215],
        [
          [
            ['Funcionário', 'Rita Carvalho'],
            ['N.º de funcionário', '2081'],
            ['Departamento', 'Manutenção'],
          ],
          [
            ['Período', '06/07/2026 a 12/07/2026'],
            ['Semana', '28'],
            ['Local', 'Fábrica de Aveiro'],
          ],
        ],
      )
      const z = pen.rows(
        y + 6,
        [44, 130, 210, 290, 380],
        [
          ['Dia', 'Entrada', 'Saída', 'Normais', 'Extra'],
          ['Segunda', '08:00', '16:30', '8,0', '0,0'],
          ['Terça', '08:00', '17:30', '8,0', '1,0'],
          ['Quarta', '08:00', '17:30', '8,0', '1,0'],
          ['Quinta', '08:00', '18:30', '8,0', '2,0'],
          ['Sexta', '08:00', '15:00', '6,5', '0,0'],
        ],
      )
      const end = pen.pairs(
        [290, z + 6],
        [
          ['Horas normais', '38,5'],
          ['Horas extraordinárias', '4,0'],
          ['Total de horas', '42,5'],
        ],
        { mark: '', right: 470 },
      )
      pen.captions(
        [40, end + 40],
        [200, 200],
        [
          [
            ['Aprovado por', 'Nuno Sequeira'],
            ['Data', '13/07/2026'],
          ],
        ],
      )
    },
  ),
  form(
    'hotel-registration-de',
    {
      nachname: text('Okafor'),
      vorname: text('Ifeoma'),
      geburtsdatum: day('1990-02-23'),
      staatsangehoerigkeit: text('nigerianisch'),
      ausweisnummer: text('A08812745', 'Nummer des Reisepasses'),
      anreise: day('2026-08-14'),
      abreise: day('2026-08-17'),
      zimmernummer: text('312'),
      anzahl_personen: number(2),
      fruehstueck: yes(true, 'Mit Frühstück'),
    },
    (pen) => {
      pen.text(40, 34, 'Meldeschein', { size: 18, bold: true })
      pen.text(40, 60, 'Hotel Zur Alten Post · Marktplatz 4 · 83471 Berchtesgaden', { size: 8 })
      const y = pen.captions(
        [40, 100],
        [260, 250],
        [
          [
            ['Nachname', 'Okafor'],
            ['Vorname', 'Ifeoma'],
          ],
          [
            ['Geburtsdatum', '23.02.1990'],
            ['Staatsangehörigkeit', 'nigerianisch'],
          ],
          [
            ['Straße, Hausnummer', 'Rothenbaumchaussee 101'],
            ['PLZ, Ort', '20148 Hamburg'],
          ],
          [
            ['Passnummer', 'A08812745'],
            ['Zimmernummer', '312'],
          ],
          [
            ['Anreise', '14.08.2026'],
            ['Abreise', '17.08.2026'],
          ],
        ],
      )
      pen.pairs([40, y + 10], [['Anzahl der Personen', '2']], { to: 130 })
      pen.text(40, y + 34, 'Frühstück:')
      pen.text(170, y + 34, '[X] ja     [ ] nein')
    },
  ),
  form(
    'application-form-fr',
    {
      nom: text('Lemoine'),
      prenom: text('Bastien'),
      date_de_naissance: day('2004-12-01'),
      lieu_de_naissance: text('Rennes'),
      nationalite: text('française'),
      courriel: text('b.lemoine@exemple.fr'),
      telephone: text('06 12 48 90 33'),
      formation_demandee: text('Licence de géographie'),
      boursier: yes(true),
      date_de_la_demande: day('2026-01-22'),
    },
    (pen) => {
      pen.text(120, 34, "DEMANDE D'INSCRIPTION", { size: 15, bold: true })
      pen.text(120, 56, 'Université des Trois Rivières – Année 2026/2027')
      let y = pen.pairs(
        [40, 92],
        [
          ['Nom', 'Lemoine'],
          ['Date de naissance', '01/12/2004'],
          ['Nationalité', 'française'],
          ['Courriel', 'b.lemoine@exemple.fr'],
        ],
        { to: 100, mark: ' :', step: 19 },
      )
      pen.pairs(
        [310, 92],
        [
          ['Prénom', 'Bastien'],
          ['Lieu de naissance', 'Rennes'],
          ['Adresse', '3 allée du Port, 35000 Rennes'],
          ['Téléphone', '06 12 48 90 33'],
        ],
        { to: 94, mark: ' :', step: 19 },
      )
      y = pen.pairs([40, y + 6], [['Formation demandée', 'Licence de géographie']], { to: 120, mark: ' :' })
      pen.text(40, y + 4, 'Boursier :')
      pen.text(160, y + 4, '[X] Oui     [ ] Non')
      pen.text(40, y + 60, 'Fait à Rennes, le 22 janvier 2026')
      pen.text(40, y + 84, 'Date de la demande : 22/01/2026')
    },
  ),
  form(
    'parking-permit-es',
    {
      permit_number: text('EST-20931'),
      holder: text('Lucía Ferrer Vidal'),
      national_id: text('48219930K'),
      licence_plate: text('5821 KRN'),
      zone: text('Centro 4'),
      valid_from: day('2026-01-01'),
      valid_until: day('2026-12-31'),
      fee: number(36.5),
    },
    (pen) => {
      pen.text(40, 34, 'AYUNTAMIENTO DE VILANOVA', { size: 12, bold: true })
      pen.text(40, 52, 'Autorización de estacionamiento para residentes')
      pen.boxes(
        [40, 90],
        [160, 180, 150],
        [
          [
            ['N.º de autorización', 'EST-20931'],
            ['Titular', 'Lucía Ferrer Vidal'],
            ['DNI / NIE', '48219930K'],
          ],
          [
            ['Matrícula', '5821 KRN'],
            ['Zona', 'Centro 4'],
            ['Tasa', '36,50 €'],
          ],
          [
            ['Válido desde', '01/01/2026'],
            ['Válido hasta', '31/12/2026'],
            ['Expediente', '2026/118'],
          ],
        ],
      )
    },
  ),
  form(
    'loan-application-en',
    {
      applicant_name: text('Grace Odhiambo'),
      date_of_birth: day('1984-01-30'),
      employer: text('Harbour Foods plc'),
      annual_income: number(38400),
      loan_amount: number(12500),
      loan_term_months: number(48),
      purpose: text('Home improvement'),
      marital_status: one(['single', 'married', 'divorced', 'widowed'], 'married'),
      homeowner: yes(true),
      application_date: day('2026-02-19'),
    },
    (pen) => {
      pen.text(40, 34, 'Personal Loan Application', { size: 16, bold: true })
      pen.text(40, 66, 'Section A – About you', { bold: true })
      let y = pen.boxes(
        [40, 84],
        [260, 255],
        [
          [
            ['Full name of applicant', 'Grace Odhiambo'],
            ['Date of birth (DD/MM/YYYY)', '30/01/1984'],
          ],
          [
            ['Name of employer', 'Harbour Foods plc'],
            ['Gross annual income', '£38,400'],
          ],
        ],
      )
      pen.text(44, y + 4, 'Marital status')
      pen.text(150, y + 4, '[ ] Single   [X] Married   [ ] Divorced   [ ] Widowed')
      pen.text(44, y + 22, 'Do you own your home? (homeowner)')
      pen.text(250, y + 22, '[X] Yes   [ ] No')
      pen.text(40, y + 56, 'Section B – Your loan', { bold: true })
      y = pen.boxes(
        [40, y + 74],
        [175, 170, 170],
        [
          [
            ['Loan amount', '£12,500.00'],
            ['Term (months)', '48'],
            ['Purpose of loan', 'Home improvement'],
          ],
        ],
      )
      pen.captions(
        [40, y + 40],
        [220, 180],
        [
          [
            ['Signature of applicant', 'G. Odhiambo'],
            ['Date of application', '19/02/2026'],
          ],
        ],
      )
    },
  ),
  form(
    'lab-report-nl',
    {
      patient: text('M. Verhoeven'),
      geboortedatum: day('1973-03-11'),
      aanvrager: text('Huisartsenpraktijk De Linde'),
      monsternummer: text('26-114-8830'),
      afnamedatum: day('2026-04-24'),
      rapportdatum: day('2026-04-27'),
      materiaal: text('Bloed'),
      hemoglobine: number(8.7),
    },
    (pen) => {
      pen.text(40, 34, 'Laboratoriumuitslag', { size: 16, bold: true })
      pen.text(380, 36, 'Streeklab Gelderland')
      pen.pairs(
        [40, 78],
        [
          ['Patiënt', 'M. Verhoeven'],
          ['Geboortedatum', '11-03-1973'],
          ['Geslacht', 'V'],
        ],
        { to: 90, mark: '' },
      )
      pen.pairs(
        [310, 78],
        [
          ['Aanvrager', 'Huisartsenpraktijk De Linde'],
          ['Monsternummer', '26-114-8830'],
          ['Afnamedatum', '24-04-2026'],
          ['Rapportdatum', '27-04-2026'],
          ['Materiaal', 'Bloed'],
        ],
        { to: 92, mark: '' },
      )
      pen.rows(
        190,
        [44, 200, 280, 360],
        [
          ['Bepaling', 'Uitslag', 'Eenheid', 'Referentie'],
          ['Hemoglobine', '8,7', 'mmol/l', '7,5 - 10,0'],
          ['Leukocyten', '6,1', '10^9/l', '4,0 - 10,0'],
        ],
      )
    },
  ),
]
