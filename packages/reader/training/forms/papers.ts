import { addDays, writeDay } from '../documents/dates.ts'
import { makeBankAccount, makeParty, makePersonName } from '../documents/facts/parties.ts'
import { writeMoney } from '../documents/money.ts'
import type { Random } from '../documents/random.ts'
import type { Pair, Pen } from './pen.ts'
import { type Facts, languageOf, printedOf } from './values.ts'

/** Labels with values below one heading, or below none. */
export interface Part {
  readonly heading: string | null
  readonly pairs: readonly Pair[]
}

/** What stands on a form. */
export interface Content {
  readonly facts: Facts
  readonly title: string
  readonly parts: readonly Part[]
  /** Labels and values that no schema asks for. */
  readonly others: readonly Pair[]
}

/** A form: blocks of labels and values in several arrangements, with tables and small print between them. */
export function drawSheet(pen: Pen, { facts, title, parts, others }: Content): void {
  const { random, locale } = facts
  const issuer = makeParty(random, locale)
  pen.text(40, 30, issuer.name, { size: random.int(9, 15), bold: random.chance(0.5) })
  pen.text(40, 50, [...issuer.addressLines, issuer.phone ?? ''].join(' · '), { size: 7 })
  pen.text(random.pick([40, 180, 330]), 70, title, { size: random.int(12, 18), bold: true })
  let y = 104
  const tableAt = random.chance(0.3) ? random.int(0, parts.length - 1) : -1
  for (const [at, { heading, pairs }] of parts.entries()) {
    if (heading !== null && pairs.length > 0) {
      pen.text(40, y, heading, { bold: random.chance(0.7), size: 10 })
      y += 18
    }
    const all = at === 0 ? random.sample([...pairs, ...others], pairs.length + others.length) : pairs
    const drawn = heading === null ? all : pairs
    for (let from = 0; from < drawn.length; ) {
      const some = drawn.slice(from, from + random.int(2, 6))
      from += some.length
      y = drawBlock(pen, y, some, random) + 8
    }
    if (at === tableAt) y = drawTable(pen, y + 6, facts)
  }
  drawFoot(pen, y, facts)
}

/** A letter: sender, window with an address, reference lines, sentences, and the facts in sentences or below each other. */
export function drawLetter(pen: Pen, { facts, title, parts, others }: Content): void {
  const { random, locale, dateForm, from } = facts
  const [sender, reader] = [makeParty(random, locale), makeParty(random, locale)]
  pen.text(random.pick([40, 330]), 30, sender.name, { size: 13, bold: true })
  pen.text(40, 92, [sender.name, ...sender.addressLines].join(' · '), { size: 6.5 })
  pen.text(40, 106, [makePersonName(random, locale), ...reader.addressLines].join('\n'))
  const [place] = printedOf('place', facts)
  pen.text(random.pick([40, 330]), 190, `${place}, ${writeDay(addDays(from, random.int(0, 60)), dateForm, locale)}`)
  const all = parts.flatMap(({ heading, pairs }) =>
    pairs.map(([label, value]): Pair => [heading === null ? label : `${heading}: ${label}`, value]),
  )
  const filled = all.filter(([, value]) => /[\p{L}\p{N}]/u.test(value))
  const told = new Set(random.sample(filled, random.int(1, 4)))
  const listed = all.filter((pair) => !told.has(pair))
  const inHead = listed.slice(0, random.int(0, 3))
  let y = pen.pairs([random.pick([40, 330]), 214], [...others, ...inHead], { to: 110 })
  pen.text(40, y + 8, title, { bold: true, size: 11 })
  y += 34
  const sentences = [...told].map(([label, value]) => sentenceOf(label, value, facts))
  const text = [...sentences, locale.pick(random, 'notes')].join(' ')
  pen.text(40, y, text, { width: 500 })
  y += 16 * Math.ceil((text.length * 5) / 500) + 14
  const rest = listed.slice(inHead.length)
  for (let at = 0; at < rest.length; ) {
    const some = rest.slice(at, at + random.int(3, 8))
    at += some.length
    y = drawBlock(pen, y, some, random) + 6
  }
  pen.text(40, y + 10, `${random.pick(locale.printed['closing'] ?? [''])}\n${makePersonName(random, locale)}`)
  drawFoot(pen, y + 50, facts)
}

/** Sentences that tell a labelled value, by language. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  en: ['The {label} is {value}.', 'Please note {value} as the {label}.', 'We confirm your {label}: {value}.'],
  de: ['{label}: {value}.', 'Als {label} haben wir {value} erfasst.', 'Bitte beachten Sie {label} {value}.'],
  fr: ['Nous vous confirmons : {label} {value}.', '{label} : {value}.'],
  es: ['Le confirmamos {label}: {value}.', 'Consta {value} como {label}.'],
  nl: ['Wij bevestigen {label}: {value}.', 'Als {label} is {value} genoteerd.'],
  it: ['Vi confermiamo {label}: {value}.', 'Risulta {value} come {label}.'],
  pt: ['Confirmamos {label}: {value}.', 'Consta {value} como {label}.'],
}

function sentenceOf(label: string, value: string, { random, locale }: Facts): string {
  const language = languageOf(locale)
  const isWord = /^\p{Lu}\p{Ll}/u.test(label) && language !== 'de'
  const inside = isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label
  const sentence = random.pick(sentences[language] ?? [])
  return sentence.replace('{label}', sentence.startsWith('{label}') ? label : inside).replace('{value}', value)
}

/** Rows of goods with amounts and days, which no schema asks for. */
function drawTable(pen: Pen, top: number, facts: Facts): number {
  const y = top > lowest ? pen.nextPage() : top
  const { random, locale, dateForm, from } = facts
  const labels = ['description', 'quantity', 'amount'].map((key) => random.pick(locale.labels[key] ?? [key]))
  const form = random.pick(locale.numberForms)
  const { code, symbol } = locale.currency
  const rows = Array.from({ length: random.int(2, 6) }, () => [
    random.pick([locale.pick(random, 'itemNotes'), random.pick(locale.goods)[0]]),
    random.chance(0.3) ? writeDay(addDays(from, random.int(-300, 0)), dateForm, locale) : String(random.int(1, 40)),
    writeMoney(random.int(300, 90_000), { ...form, code, symbol, place: 'none' }),
  ])
  return pen.rows(y, [44, 330, 450], [labels, ...rows])
}

/** Small print: terms, the account of who made the form, number of the form and of the page. */
function drawFoot(pen: Pen, y: number, { random, locale, dateForm, from }: Facts): void {
  const notes = locale.list('notes')
  if (random.chance(0.6)) pen.text(40, y + 14, random.sample(notes, random.int(1, 3)).join(' '), { size: 8 })
  if (random.chance(0.3)) {
    const { bank, iban, bic } = makeBankAccount(random, locale)
    const { vatId, email } = makeParty(random, locale)
    pen.text(40, 776, [bank, iban, bic, vatId, email].filter((one) => one !== null).join(' · '), { size: 6.5 })
  }
  const printedOn = writeDay(addDays(from, 401), dateForm, locale)
  if (random.chance(0.5)) pen.text(40, 800, `${random.fill('F-###/##')} · ${printedOn}`, { size: 7 })
}

const pageWidth = 515
/** Width of a character of a value, in points. */
const characterWidth = 5.4

/** Below this a block starts on the next page. */
const lowest = 640

/** Draws labels with values in one of several arrangements. Gives the height below. */
function drawBlock(pen: Pen, top: number, pairs: readonly Pair[], random: Random): number {
  const y = top > lowest ? pen.nextPage() : top
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
