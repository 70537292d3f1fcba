import type { JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import { meantWords } from '../languages/form-words.ts'
import { readDocument } from '../media/read-document.ts'
import { meaningOf } from '../schema/meaning.ts'
import { agreement, labelPart } from './like-labels.ts'

async function answer(text: string, properties: JsonObject) {
  const document = await readDocument({ text })
  return extract({
    documents: [{ input: 'form', document }],
    values: {},
    schema: { type: 'object', properties },
  }).answer
}

const text = { type: ['string', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const alike = (label: string, name: string) => agreement(meantWords(label), meantWords(name))

test('a label means a field by what its words mean, in other languages and as a compound too', () => {
  for (const [label, name] of [
    ['Geburtsdatum', 'date of birth'],
    ['N.º de autorización', 'permit number'],
    ['Kenteken', 'licence plate'],
    ['Aprovado por', 'approved by'],
    ["Sender's name", 'sender name'],
    ['Full name of applicant', 'applicant name'],
  ] as const)
    expect(alike(label, name), label).toBeGreaterThan(0.78)
  for (const [label, name] of [
    ['Net weight', 'gross weight'],
    ['Ancien relevé', 'new reading'],
    ['Gross pay to date', 'gross pay'],
    ['Date of issue', 'date of birth'],
  ] as const)
    expect(alike(label, name), label).toBeLessThan(alike(label, label))
  expect(alike('Net weight', 'gross weight')).toBeLessThan(0.78)
})

test('the label of a text ends at a colon or at the first figure', () => {
  expect(labelPart('Contract # 26836446')?.label.trim()).toBe('Contract #')
  expect(labelPart('4. Country')?.label).toBe('Country')
  expect(labelPart('Fecha: 3 de mayo')).toMatchObject({ label: 'Fecha', hasColon: true })
  expect(labelPart('12.05.2026')).toBeNull()
})

test('fields are found under the labels of another language', async () => {
  const form = 'Nome do empregado: Rita Carvalho\nDepartamento: Compras\nHoras extraordinárias: 4,5'
  const wanted = { employee_name: text, department: text, overtime_hours: { type: ['number', 'null'] } }
  expect(await answer(form, wanted)).toEqual({
    employee_name: 'Rita Carvalho',
    department: 'Compras',
    overtime_hours: 4.5,
  })
})

test('a description with an alternative names two labels', async () => {
  const craft_no = { ...text, description: 'Number of the ship or aircraft' }
  expect(await answer('Aircraft number: 1649539', { craft_no })).toEqual({ craft_no: '1649539' })
})

test('first and last day come from the period with their label, not from another one', async () => {
  const form = 'Invoice period: 02/24/2020 - 03/29/2020\nFlight dates: 03/27/2020 - 03/31/2020'
  expect(await answer(form, { flight_from: date, flight_to: date })).toEqual({
    flight_from: '2020-03-27',
    flight_to: '2020-03-31',
  })
  const other = 'Rental period: 02/24/2020 - 03/29/2020\nBilling period: 03/27/2020 - 03/31/2020'
  expect(await answer(other, { flight_from: date, flight_to: date })).toEqual({ flight_from: null, flight_to: null })
})

test('of the options of a form, the ticked one is the value', async () => {
  const form = 'Urgency: [ ] Routine [X] Urgent\nInterpreter needed: [ ] Yes [X] No'
  const urgency = { enum: ['routine', 'urgent', null] }
  expect(await answer(form, { urgency, interpreter_needed: { type: ['boolean', 'null'] } })).toEqual({
    urgency: 'urgent',
    interpreter_needed: false,
  })
  expect(await answer('Urgency: [ ] Routine [ ] Urgent', { urgency })).toEqual({ urgency: null })
})

test('an option that is not ticked is no value, though it names a kind of document, nor is the box of another option', async () => {
  const form =
    'Grain ticket\n\n[ ] CONTRACT     [X] OPEN STORAGE\n\n[X] ITEMS RETURNED     [ ] HOLD FOR EVIDENCE\n[ ] DAMAGED            [X] PHOTOS TAKEN'
  const disposition = { enum: ['contract', 'open_storage', null] }
  expect(await answer(form, { disposition, evidence_hold: { type: ['boolean', 'null'] } })).toEqual({
    disposition: 'open_storage',
    // Its own box, not the ticked one of the line below.
    evidence_hold: false,
  })
})

test('a label is no value of another label, and a number in brackets is no part of a name', async () => {
  expect(await answer('Advertiser: Original date / revision', { advertiser: text })).toEqual({ advertiser: null })
  expect(await answer('Advertiser: Faith and Power (134874)', { advertiser: text })).toEqual({
    advertiser: 'Faith and Power',
  })
})

test('a figure of the year to date is not the figure of the period', async () => {
  const form = 'Total gross pay: 3,416.67\nGross pay to date: 41,000.04'
  expect(await answer(form, { gross_pay: { type: ['number', 'null'] } })).toEqual({ gross_pay: 3416.67 })
})

test('a number in another measure or currency than the one that a field names is not its value', async () => {
  const number = { type: ['number', 'null'] }
  for (const [form, name, value] of [
    ['Electricity: 912.00 EUR', 'electricity_kwh', null],
    ['Electricity: 912 kWh', 'electricity_kwh', 912],
    ['Royalty: EUR 120.00', 'royalty_usd', null],
    ['Royalty: USD 120.00', 'royalty_usd', 120],
    ['Royalty: $120.00', 'royalty_usd', 120],
    ['Surcharge: 12.50 EUR', 'surcharge_pct', null],
    ['Surcharge: 12.5 %', 'surcharge_pct', 12.5],
    ['Interest rate: 12.50 EUR', 'interest_rate_pct', null],
    ['Discount: 5 % EUR 40.00', 'discount_pct', 5],
    ['Price kg: 12.50 EUR', 'price_kg', 12.5],
    ['Total all: 100.00 EUR', 'total_all', 100],
    ['Duration: 3 hours', 'duration_min', null],
    ['Temperature: 21', 'temperature_min', null],
    ['Rent per month: 912.00 EUR', 'rent_per_m2', null],
    ['A room of 38 m² in the old town', 'price_per_m2', null],
    ['A room of 38 m² in the old town', 'surface_m2', 38],
  ] as const)
    expect(await answer(form, { [name]: number }), `${name} of ${form}`).toEqual({ [name]: value })
})

test('what only explains a value is not part of it', async () => {
  for (const [form, name, value] of [
    ['Inspector: FAUVEL Loris – agrément 042D1276', 'inspector', 'FAUVEL Loris'],
    ['Offer: V-7741 du 15/05/2025', 'offer', 'V-7741'],
    ['Room: 214 (twin, lake side)', 'room', '214'],
    ['Policyholder:   Rocío Bustamante\n                San Juan 744', 'policyholder', 'Rocío Bustamante'],
    ['Carrier: Lisboa – Porto Expresso', 'carrier', 'Lisboa – Porto Expresso'],
    ['Member: 0812 – José Priego', 'member_name', 'José Priego'],
    ['Patient: Desmond Tillman (dependent)', 'patient', 'Desmond Tillman'],
    ['Agent: Harrow & Finch, 4 Bath Street, Frome', 'agent_name', 'Harrow & Finch'],
  ] as const)
    expect(await answer(`Record\n\n${form}\n`, { [name]: text }), form).toEqual({ [name]: value })
})

test('the word that a name is about gives the kind of its value, in any language', () => {
  const kindOf = (name: string) => meaningOf({ path: [name], schema: {}, types: ['string'], inItem: false }).kind
  for (const name of ['numero_certificat', 'codigo_verificacion', 'cnpj_beneficiario'])
    expect(kindOf(name), name).toBe('id')
  // The only account number of a page need not be that of whom the field names.
  expect([kindOf('adresse_bien'), kindOf('objet'), kindOf('iban_gemeinde')]).toEqual(['address', 'text', 'text'])
  expect([kindOf('offence_time'), kindOf('uhrzeit_messung')]).toEqual(['time', 'time'])
  expect([kindOf('email_genitore'), kindOf('telephone_assure'), kindOf('matricula')]).toEqual(['email', 'phone', 'id'])
  for (const name of ['received_by', 'valide_par', 'behandeld_door', 'signatory'])
    expect(kindOf(name), name).toBe('name')
  expect(kindOf('payable_by')).toBe('date')
})

test('a text is no amount because a label of amounts has its name', () => {
  const kindOf = (name: string, type: string) =>
    meaningOf({ path: [name], schema: { type }, types: [type], inItem: false }).kind
  for (const name of ['port', 'cargo', 'nombre']) expect(kindOf(name, 'string'), name).toBe('text')
  for (const name of ['versandkosten', 'importe', 'total']) expect(kindOf(name, 'string'), name).toBe('money')
})

test('words for different fields of one form do not have the same meaning', () => {
  for (const [label, name] of [
    ['Seal no', 'container_no'],
    ['Schuljahr', 'semester'],
    ['Kfz-Kennzeichen', 'vehicle'],
    ['Beneficiary', 'insured'],
    ['Packages', 'volume_m3'],
    ['Previous balance', 'arrears'],
    ['Carrozza', 'cabin'],
    ['Indirizzo completo', 'full name'],
  ] as const)
    expect(alike(label, name), label).toBeLessThan(0.5)
  for (const [label, name] of [
    ['Precinto', 'seal'],
    ['Année scolaire', 'school_year'],
    ['Kfz-Kennzeichen', 'licence plate'],
    ['Volumen', 'volume'],
    ['Solde précédent', 'previous_balance'],
    ['Index antérieur', 'previous_reading'],
    ['Nettobetrag', 'net_amount'],
    ['Venues', 'place'],
  ] as const)
    expect(alike(label, name), label).toBeGreaterThan(0.78)
})

test('the parts of a word are looked for only where it is no longer than a compound', () => {
  expect(meantWords('Brunnennummer')).toHaveLength(2)
  expect(meantWords(`${'brunnen'.repeat(20)}nummer`)).toHaveLength(1)
})

test('a name that asks who somebody is has a name, not a code', async () => {
  const kindOf = (name: string) => meaningOf({ path: [name], schema: {}, types: ['string'], inItem: false }).kind
  for (const name of ['laboratory', 'referring_physician', 'mieterin', 'insured_person'])
    expect(kindOf(name)).toBe('name')
  for (const name of ['patient_birthplace', 'laboratory_no', 'numero_paciente', 'rg_paciente', 'owner_status'])
    expect(kindOf(name), name).not.toBe('name')
  const lines = 'Record of a test\n\nLab: 7741\nDone by: nobody'
  expect(await answer(lines, { laboratory: text })).toEqual({ laboratory: null })
  expect(await answer('Record\n\nTenant: Den Haag, 11 April 2025\n', { tenant: text })).toEqual({ tenant: null })
})

test('words of names and labels are known in their forms, in compounds with unknown words, and with their letters spelled out', async () => {
  for (const [form, name, value] of [
    ['Brunnen-Nr.: WA-33118', 'brunnennummer', 'WA-33118'],
    ['Zähler-Nr.: 71204886', 'zaehlernummer', '71204886'],
    ['Kundin: Rosa Weber', 'customer', 'Rosa Weber'],
    ['Alunos: Rui Costa', 'student', 'Rui Costa'],
  ] as const)
    expect(await answer(`Record\n\n${form}\n`, { [name]: text }), form).toEqual({ [name]: value })
})

test('a field of a party means the concept of that party', () => {
  const conceptOf = (...path: string[]) =>
    meaningOf({ path, schema: {}, types: ['string'], inItem: false }).concept?.id ?? null
  for (const part of ['email', 'phone', 'vat']) expect(conceptOf('buyer', part), part).toBe(conceptOf(`buyer_${part}`))
  expect(conceptOf('buyer', 'mail')).toBe(conceptOf('buyer', 'email'))
  expect(conceptOf('buyer', 'mail')).not.toBe(conceptOf('vendor', 'mail'))
})

test('a code tells which dollars are meant only behind an amount with their sign', async () => {
  const currency = { type: ['string', 'null'] }
  const lines = 'Invoice\nPaper: $ 18.00\nInk: $ 12.00\nTotal: $ 30.00'
  expect(await answer(`${lines} CAD`, { currency })).toEqual({ currency: 'CAD' })
  expect(await answer(`${lines}\nCanadian customers: CAD 20 shipping`, { currency })).not.toEqual({ currency: 'CAD' })
  expect(await answer(`${lines} CAD 41.00`, { currency })).not.toEqual({ currency: 'CAD' })
  expect(await answer('Invoice\nTotal: € 100.00 USD 108.00\nPaid: € 100.00', { currency })).not.toEqual({
    currency: 'USD',
  })
})

test('running text names the day that stands directly behind its words', async () => {
  const text = 'She was born on 3 continents, as she says, and came by ship in May, on 12/05/2026'
  expect(await answer(text, { birth_date: date })).toEqual({ birth_date: null })
  expect(await answer('Ms Ruiz, born on 3 May 1990, is insured.', { birth_date: date })).toEqual({
    birth_date: '1990-05-03',
  })
})
