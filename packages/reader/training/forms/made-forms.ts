import { readFileSync } from 'node:fs'
import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { addDays, type Day, isoOf, randomDay, writeDay } from '../documents/dates.ts'
import { addressOf, makeName, makeParty, makePersonName } from '../documents/facts/parties.ts'
import { writeMoney, writeQuantity } from '../documents/money.ts'
import { createRandom, type Random } from '../documents/random.ts'
import { type Locale, localesOf } from '../documents/words.ts'
import { drawForm, type Pair, type Pen } from './pen.ts'

/** Languages of the columns of `kinds.txt`. The forms of `forms.ts`, which measure, are of other kinds and also in Italian and Portuguese. */
const languages = ['en', 'de', 'fr', 'es', 'nl']

/** One field of a kind of form: how it may be asked for, described and labelled. */
interface FieldWords {
  /** Fields of a section have a heading in common, such as `Landlord` over `Name`. */
  readonly section: SectionWords | null
  readonly type: string
  readonly names: readonly string[]
  readonly description: string | null
  readonly labels: readonly (readonly string[])[]
}

interface SectionWords {
  readonly names: readonly string[]
  readonly labels: readonly (readonly string[])[]
}

interface KindWords {
  readonly titles: readonly (readonly string[])[]
  readonly fields: readonly FieldWords[]
}

const alternatives = (text: string): string[] => text.trim().split('|')

const kinds = new Map(
  readFileSync(new URL('./kinds.txt', import.meta.url), 'utf8')
    .split(/^\[/m)
    .slice(1)
    .map((block): [string, KindWords] => {
      const [head = '', ...lines] = block.trim().split('\n')
      let titles: string[][] = []
      let section: SectionWords | null = null
      const fields: FieldWords[] = []
      for (const line of lines) {
        const [asked = '', ...labels] = line.split(';')
        const wordings = labels.map(alternatives)
        if (asked === 'title') titles = wordings
        else if (asked.startsWith('@'))
          section = asked === '@' ? null : { names: alternatives(asked.slice(1)), labels: wordings }
        else {
          const [, type = '', names = '', description = null] = /^(.+?) ([\w|]+)(?:: (.*))?$/.exec(asked) ?? []
          fields.push({ section, type, names: alternatives(names), description, labels: wordings })
        }
      }
      return [head.slice(0, -1), { titles, fields }]
    }),
)

export const formKinds: readonly string[] = [...kinds.keys()]

/** A value as it is printed and as it is true. */
type Printed = readonly [printed: string, truth: Json]

interface Facts {
  readonly random: Random
  readonly locale: Locale
  readonly dateForm: string
  readonly from: Day
}

function printedOf(type: string, { random, locale, dateForm, from }: Facts): Printed {
  const [kind, detail = ''] = type.split(':')
  const [low = 0, high = 1] = (detail.match(/\d+/g) ?? []).map(Number)
  const same = (text: string): Printed => [text, text]
  const form = random.pick(locale.numberForms)
  switch (kind) {
    case 'person':
      return same(makePersonName(random, locale))
    case 'firm':
      return same(makeName(random, locale, 'firms'))
    case 'address':
      return same(addressOf({ ...makeParty(random, locale), country: null }))
    case 'place':
      return same(
        locale
          .pick(random, 'cities')
          .split(/[\s,/]+/)
          .find((word) => /^\p{Lu}\p{Ll}+$/u.test(word)) ?? 'Basel',
      )
    case 'phone':
      return same(random.fill(locale.pick(random, 'phones')))
    case 'email':
      return same(makeParty(random, locale).email ?? `post${random.int(1, 99)}@example.${locale.list('domain')[0]}`)
    case 'code':
      return same(random.fill(detail))
    case 'words':
      return same(random.pick(detail.split('/')))
    case 'day': {
      const day = addDays(from, random.int(-400, 400))
      return [writeDay(day, dateForm, locale), isoOf(day)]
    }
    case 'money': {
      const cents = random.int(900, 290_000)
      const { code, symbol, places } = locale.currency
      return [writeMoney(cents, { ...form, code, symbol, place: random.pick(places) }), cents / 100]
    }
    case 'number': {
      const value = random.int(low * 10, high * 10) / 10
      const unit = detail.replace(/^[\d-]+/, '')
      return [`${writeQuantity(value, form)}${random.chance(0.7) ? ` ${unit}` : ''}`, value]
    }
    default: {
      const value = random.int(low, high)
      return [writeQuantity(value, form), value]
    }
  }
}

const schemaOf = (type: string): JsonObject =>
  /^(?:count|number|money)/.test(type)
    ? { type: ['number', 'null'] }
    : { type: ['string', 'null'], ...(type === 'day' && { format: 'date' }) }

/** A form with its schema and its answer. */
export interface MadeForm {
  readonly pdf: Buffer
  readonly schema: JsonSchema
  readonly truth: JsonObject
}

/** Of the fields of a kind, the share that is printed, and of printed ones and others the share that is asked for. */
const printedShare = 0.85
const askedShare = 0.7
const askedAbsentShare = 0.4

/** A form of a kind without rules; the same seed gives the same form. */
export async function makeForm(kind: string, seed: number): Promise<MadeForm> {
  const random = createRandom(`form/${kind}/${seed}`)
  const { titles = [], fields = [] } = kinds.get(kind) ?? {}
  const locale = random.pick(localesOf('train').filter(({ id }) => languages.includes(id.slice(0, 2))))
  const column = languages.indexOf(locale.id.slice(0, 2))
  const facts: Facts = { random, locale, dateForm: random.pick(locale.dateForms), from: randomDay(random) }
  const properties: Record<string, JsonObject> = {}
  const truth: Record<string, Json> = {}
  const isNested = random.chance(0.5)
  const isDescribed = random.chance(0.6)
  const sections = new Map<SectionWords | null, { readonly name: string; readonly pairs: Pair[] }>()
  const ask = (name: string, schema: JsonObject, value: Json, parent: string | null) => {
    if (parent === null) {
      properties[name] = schema
      truth[name] = value
      return
    }
    const within = (properties[parent] ?? { type: 'object', properties: {} }) as { properties: JsonObject }
    properties[parent] = { ...within, properties: { ...within.properties, [name]: schema } }
    truth[parent] = { ...((truth[parent] ?? {}) as JsonObject), [name]: value }
  }
  for (const { section, type, names, description, labels } of fields) {
    const part = sections.get(section) ?? { name: section === null ? '' : random.pick(section.names), pairs: [] }
    sections.set(section, part)
    const isPrinted = random.chance(printedShare)
    const [printed, value] = printedOf(type, facts)
    const label = random.pick(labels[column] ?? [])
    if (isPrinted) part.pairs.push([label, printed])
    if (!random.chance(isPrinted ? askedShare : askedAbsentShare)) continue
    // Some are asked for by their label, in the language of the form.
    const own = random.chance(0.2) ? snake(label) : random.pick(names)
    const schema = { ...schemaOf(type), ...(isDescribed && description !== null && { description }) }
    const name = section === null || isNested ? own : `${part.name}_${own}`
    ask(name, schema, isPrinted ? value : null, section !== null && isNested ? part.name : null)
  }
  const draw = (pen: Pen) => {
    const issuer = makeParty(random, locale)
    pen.text(40, 30, issuer.name, { size: random.int(9, 15), bold: random.chance(0.5) })
    pen.text(40, 50, issuer.addressLines.join(' · '), { size: 7 })
    pen.text(random.pick([40, 180, 330]), 70, random.pick(titles[column] ?? []), {
      size: random.int(12, 18),
      bold: true,
    })
    let y = 104
    for (const [section, { pairs }] of sections) {
      if (section !== null && pairs.length > 0) {
        pen.text(40, y, random.pick(section.labels[column] ?? []), { bold: random.chance(0.7), size: 10 })
        y += 18
      }
      const shuffled = section === null ? random.sample(pairs, pairs.length) : pairs
      for (let at = 0; at < shuffled.length; ) {
        const some = shuffled.slice(at, at + random.int(2, 6))
        at += some.length
        y = drawBlock(pen, y, some, random) + 8
      }
    }
    if (random.chance(0.6)) pen.text(40, y + 14, locale.pick(random, 'notes'), { size: 8 })
    const printedOn = writeDay(addDays(facts.from, 401), facts.dateForm, locale)
    if (random.chance(0.5)) pen.text(40, 800, `${random.fill('F-###/##')} · ${printedOn}`, { size: 7 })
  }
  return { pdf: await drawForm(draw), schema: { type: 'object', properties }, truth }
}

const snake = (label: string): string =>
  label
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

const pageWidth = 515
/** Width of a character of a value, in points. */
const characterWidth = 5.4

/** Draws labels with values in one of several arrangements. Gives the height below. */
function drawBlock(pen: Pen, y: number, pairs: readonly Pair[], random: Random): number {
  const longest = Math.max(...pairs.flatMap((pair) => pair.map(({ length }) => length * characterWidth + 12)))
  const across = Math.max(1, Math.min(random.int(1, 4), Math.floor(pageWidth / longest)))
  const width = pageWidth / across
  const rows = Array.from({ length: Math.ceil(pairs.length / across) }, (_, row) =>
    pairs.slice(row * across, (row + 1) * across),
  )
  const widths = Array.from({ length: across }, () => width)
  const style = random.weighted([4, 'pairs'], [2, 'boxes'], [1, 'captions'], [1, 'above'], [1, 'row'])
  if (style === 'boxes') return pen.boxes([40, y], widths, rows)
  if (style === 'captions') return pen.captions([40, y + 6], widths, rows)
  if (style === 'above' || (style === 'row' && rows.length === 1)) {
    let at = y
    for (const row of rows)
      at = pen.rows(
        at,
        widths.map((_, n) => 40 + n * width),
        [row.map(([label]) => label), row.map(([, value]) => value)],
      )
    return at
  }
  const mark = random.pick([':', ':', '', ' :'])
  const half = Math.ceil(pairs.length / 2)
  const isSplit = longest * 2 < pageWidth / 2 + 20 && random.chance(0.5)
  const to = random.int(110, 150)
  const right = mark === '' && !isSplit && random.chance(0.3) ? 520 : undefined
  const arranged = { to, mark, step: random.int(13, 20), ...(right !== undefined && { right }) }
  const end = pen.pairs([40, y], isSplit ? pairs.slice(0, half) : pairs, arranged)
  if (isSplit) pen.pairs([310, y], pairs.slice(half), arranged)
  return end
}
