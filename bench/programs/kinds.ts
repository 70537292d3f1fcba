import type { Json, JsonSchema } from '../../packages/core/src/json.ts'
import type { Random } from '../../packages/reader/training/documents/random.ts'

/** A kind of form of one sender: its fields, and a generator of documents as text with their correct answers. */
export interface FormKind {
  readonly name: string
  readonly schema: JsonSchema
  make(random: Random): { readonly text: string; readonly answer: { readonly [field: string]: Json } }
}

const text = { type: ['string', 'null'] }
const amount = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const schemaOf = (properties: { readonly [field: string]: Json }): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const months = ['January', 'March', 'April', 'June', 'July', 'August', 'October', 'November']
const people = [
  'Ada Merrick',
  'Tom Okafor',
  'Lena Vogt',
  'Ravi Menon',
  'Ines Duarte',
  'Olle Berg',
  'Mina Sato',
  'Paul Roux',
]
const towns = ['Whitby', 'Leeds', 'Porto', 'Ghent', 'Turku', 'Graz', 'Lyon', 'Cork']

const cents = (value: number): number => Math.round(value * 100) / 100
const money = (random: Random, from: number, to: number): number => random.int(from * 100, to * 100) / 100
const printed = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** A day with its printed form: `7 March 2026`. */
function dayOf(random: Random) {
  const [month, day] = [random.pick(months), random.int(1, 28)]
  const number = new Date(`${month} 1, 2026 00:00 UTC`).getUTCMonth() + 1
  const iso = `2026-${String(number).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return { iso, words: `${day} ${month} 2026`, slashes: `${iso.slice(8)}/${iso.slice(5, 7)}/2026` }
}

/** A line in some of the documents. */
const sometimes = (random: Random, share: number, ...lines: string[]): string[] => (random.chance(share) ? lines : [])

/** Ten kinds of forms that share no layout and no wording. In each, optional lines and amounts that are not asked for stand between the fields. */
export const formKinds: readonly FormKind[] = [
  {
    name: 'payslip',
    schema: schemaOf({ employee: text, pay_date: date, gross: amount, net: amount }),
    make(random) {
      const [who, day, gross, bonus] = [
        random.pick(people),
        dayOf(random),
        money(random, 1800, 5200),
        money(random, 50, 400),
      ]
      const tax = cents(gross * 0.19)
      const hasBonus = random.chance(0.4)
      const all = cents(gross + (hasBonus ? bonus : 0))
      const lines = ['Northlight Mills · Payroll', `Name of employee: ${who}`, `Paid on ${day.words}`]
      lines.push(`Basic salary   ${printed(gross)}`, ...(hasBonus ? [`Shift bonus   ${printed(bonus)}`] : []))
      lines.push(
        `Gross pay   ${printed(all)}`,
        `Income tax   ${printed(tax)}`,
        `Net pay   ${printed(cents(all - tax))}`,
      )
      return { text: lines.join('\n'), answer: { employee: who, pay_date: day.iso, gross: all, net: cents(all - tax) } }
    },
  },
  {
    name: 'electricity bill',
    schema: schemaOf({ meter: text, due: date, usage_kwh: amount, to_pay: amount }),
    make(random) {
      const [meter, from, due] = [`E${random.digits(7)}`, dayOf(random), dayOf(random)]
      const [before, used] = [random.int(10_000, 60_000), random.int(120, 900)]
      const [energy, standing] = [cents(used * 0.24), money(random, 8, 14)]
      const lines = ['Moorland Power', `Statement of ${from.words}`, `Meter number ${meter}`]
      lines.push(`Previous reading   ${before}`, `Present reading   ${before + used}`, `Used (kWh)   ${used}`)
      lines.push(...sometimes(random, 0.3, 'Readings are estimated'), `Energy   ${printed(energy)}`)
      lines.push(
        `Standing charge   ${printed(standing)}`,
        `Amount due by ${due.words}   ${printed(cents(energy + standing))}`,
      )
      const answer = { meter, due: due.iso, usage_kwh: used, to_pay: cents(energy + standing) }
      return { text: lines.join('\n'), answer }
    },
  },
  {
    name: 'hotel folio',
    schema: schemaOf({ guest: text, arrival: date, departure: date, balance: amount }),
    make(random) {
      const [guest, arrival, departure] = [random.pick(people), dayOf(random), dayOf(random)]
      const room = money(random, 80, 190)
      const extras = random.sample(['Breakfast', 'Minibar', 'Parking', 'Laundry'], random.int(0, 3))
      const priced = extras.map((name) => ({ name, price: money(random, 6, 40) }))
      const sum = cents(room + priced.reduce((total, { price }) => total + price, 0))
      const lines = ['The Anchor Hotel', `Folio ${random.digits(5)}   Room ${random.int(101, 420)}`, `Guest   ${guest}`]
      lines.push(`Arrival   ${arrival.slashes}`, `Departure   ${departure.slashes}`, `Accommodation   ${printed(room)}`)
      lines.push(...priced.map(({ name, price }) => `${name}   ${printed(price)}`), `Balance   ${printed(sum)}`)
      return { text: lines.join('\n'), answer: { guest, arrival: arrival.iso, departure: departure.iso, balance: sum } }
    },
  },
  {
    name: 'parking fine',
    schema: schemaOf({ notice: text, plate: text, issued: date, penalty: amount }),
    make(random) {
      const [notice, plate] = [
        `PN${random.digits(6)}`,
        `K${random.digits(2)} ${random.pick(['ABT', 'LRW', 'XNE', 'OPD'])}`,
      ]
      const [issued, penalty] = [dayOf(random), random.pick([50, 60, 70, 90])]
      const lines = ['Harbour Borough Council', 'Penalty charge notice', notice, `Vehicle registration: ${plate}`]
      lines.push(
        `Issued: ${issued.words} at ${random.int(8, 19)}:${random.int(10, 59)}`,
        `Place: ${random.pick(towns)} Street`,
      )
      lines.push(`Penalty: ${printed(penalty)}`, `If paid within 14 days: ${printed(penalty / 2)}`)
      return { text: lines.join('\n'), answer: { notice, plate, issued: issued.iso, penalty } }
    },
  },
  {
    name: 'laboratory report',
    schema: schemaOf({ sample: text, received: date, iron: amount, nitrate: amount }),
    make(random) {
      const [sample, received] = [`LAB-${random.digits(5)}`, dayOf(random)]
      const [iron, nitrate, lead] = [random.int(1, 90) / 100, random.int(10, 480) / 10, random.int(1, 9) / 1000]
      const rows = [`Iron   ${iron.toFixed(2)}   mg/l   0.20`, `Nitrate   ${nitrate.toFixed(1)}   mg/l   50.0`]
      const lines = [
        'Fenwater Analytics',
        `Sample ${sample}`,
        `Received ${received.words}`,
        'Parameter   Result   Unit   Limit',
      ]
      lines.push(...sometimes(random, 0.5, `Lead   ${lead.toFixed(3)}   mg/l   0.010`), ...rows, 'End of report')
      return { text: lines.join('\n'), answer: { sample, received: received.iso, iron, nitrate } }
    },
  },
  {
    name: 'rail ticket',
    schema: schemaOf({ booking: text, from: text, to: text, day: date, fare: amount }),
    make(random) {
      const [from, to] = random.sample(towns, 2) as [string, string]
      const [booking, day, fare] = [
        `${random.pick(['QX', 'LM', 'TR'])}${random.digits(4)}`,
        dayOf(random),
        money(random, 9, 140),
      ]
      const lines = [
        'Coastline Rail',
        `Booking reference ${booking}`,
        `From: ${from}`,
        `To: ${to}`,
        `Travel date: ${day.words}`,
      ]
      lines.push(...sometimes(random, 0.4, `Seat: ${random.int(1, 80)} coach B`), 'Adult fare')
      lines.push(`Price: ${printed(fare)}`, `of which reservation: ${printed(4.5)}`)
      return { text: lines.join('\n'), answer: { booking, from, to, day: day.iso, fare } }
    },
  },
  {
    name: 'rent statement',
    schema: schemaOf({ tenant: text, period_end: date, rent: amount, arrears: amount }),
    make(random) {
      const [tenant, end, rent, arrears] = [
        random.pick(people),
        dayOf(random),
        money(random, 480, 1400),
        money(random, 0, 300),
      ]
      const lines = ['Parkside Homes', `Tenant: ${tenant}`, `Flat ${random.int(1, 60)}, ${random.pick(towns)}`]
      lines.push(`Period ending: ${end.slashes}`, `Rent for the period   ${printed(rent)}`)
      lines.push(
        ...sometimes(random, 0.5, `Water   ${printed(money(random, 12, 40))}`),
        `Arrears   ${printed(arrears)}`,
      )
      return { text: lines.join('\n'), answer: { tenant, period_end: end.iso, rent, arrears } }
    },
  },
  {
    name: 'delivery note',
    schema: schemaOf({ note: text, delivered: date, pallets: amount, weight: amount }),
    make(random) {
      const [note, delivered] = [`DN ${random.digits(6)}`, dayOf(random)]
      const [pallets, weight] = [random.int(1, 26), random.int(200, 18_000)]
      const lines = ['Oakgate Timber', note, `Delivered   ${delivered.iso}`, `Driver   ${random.pick(people)}`]
      lines.push(
        ...sometimes(random, 0.5, `Order   ${random.digits(5)}`),
        `Pallets   ${pallets}`,
        `Gross weight kg   ${weight}`,
      )
      lines.push(...sometimes(random, 0.3, 'Goods received with damage'), 'Signature')
      return { text: lines.join('\n'), answer: { note, delivered: delivered.iso, pallets, weight } }
    },
  },
  {
    name: 'bank advice',
    schema: schemaOf({ account: text, booked: date, amount, charges: amount }),
    make(random) {
      const [account, booked] = [`GB${random.digits(2)} ${random.digits(4)} ${random.digits(4)}`, dayOf(random)]
      const [value, charges] = [money(random, 20, 9000), money(random, 1, 25)]
      const lines = ['Tidewater Bank', 'Advice of payment', `In favour of account ${account}`, `Booked ${booked.words}`]
      lines.push(
        `Value date ${dayOf(random).words}`,
        `Ordered by ${random.pick(people)}`,
        `Our charges ${printed(charges)}`,
      )
      lines.push(`Amount credited ${printed(value)}`, ...sometimes(random, 0.3, 'This advice needs no signature'))
      return { text: lines.join('\n'), answer: { account, booked: booked.iso, amount: value, charges } }
    },
  },
  {
    name: 'membership renewal',
    schema: schemaOf({ member: text, number: text, expires: date, fee: amount }),
    make(random) {
      const [member, number, expires] = [random.pick(people), `M-${random.digits(5)}`, dayOf(random)]
      const fee = random.pick([35, 48, 60, 95])
      const [gift, all] = [random.pick([5, 10, 20]), random.chance(0.4)]
      const lines = ['Hillwalkers Club', `Dear ${member}`, `your membership ${number} expires on ${expires.words}.`]
      lines.push(`Annual fee   ${printed(fee)}`, ...(all ? [`Your gift   ${printed(gift)}`] : []))
      lines.push(`Please pay   ${printed(fee + (all ? gift : 0))}`, 'Thank you')
      return { text: lines.join('\n'), answer: { member, number, expires: expires.iso, fee } }
    },
  },
]
