import PDFDocument from 'pdfkit'
import type { Random } from '../documents/random.ts'
import type { Split } from '../documents/words.ts'
import { type Wording, wordings } from './wordings.ts'

/** The kinds of documents drawn here, besides those of `documents/document.ts`. */
export const plainKinds = ['letter', 'delivery note', 'payslip'] as const
export type PlainKind = (typeof plainKinds)[number]

/** Who writes a document, and how its pages look. Several documents of a packet may have the same. */
export interface House {
  readonly name: string
  readonly street: string
  readonly contact: string
  readonly wording: Wording
  readonly font: string
  readonly size: number
  readonly align: 'left' | 'right' | 'center'
  /** How pages are numbered. */
  readonly numbers: 'none' | 'of' | 'slash' | 'dashes' | 'word' | 'from second'
  readonly numbersAt: 'top' | 'bottom'
  /** What the pages after the first repeat at the top. */
  readonly repeats: 'nothing' | 'letterhead' | 'reference'
  readonly footer: boolean
}

const names = ['Harbour', 'Linden', 'Corvus', 'Meridian', 'Falk', 'Tamarisk', 'Orion', 'Belmont', 'Kessler', 'Aurora']
const trades = ['Logistics', 'Insurance', 'Housing', 'Partners', 'Systems', 'Clinic', 'Energy', 'Trading']
const streets = ['Station Road', 'Market Street', 'Rue du Port', 'Lindenallee', 'Calle Mayor', 'Kerkstraat']
const legalForms = ['Ltd', 'GmbH', 'S.A.', 'B.V.', 'Inc.']

/** A sender with a look of its own. */
export function makeHouse(random: Random, split: Split): House {
  return {
    name: `${random.pick(names)} ${random.pick(trades)} ${random.pick(legalForms)}`,
    street: `${random.pick(streets)} ${random.int(1, 180)}, ${random.digits(5)} ${random.pick(['Ashford', 'Neustadt', 'Villiers', 'Rozendaal'])}`,
    contact: `Tel. +${random.int(31, 49)} ${random.digits(3)} ${random.digits(6)} · ${random.pick(['info', 'office', 'mail'])}@example.org`,
    wording: random.pick(wordings[split]),
    font: random.pick(['Helvetica', 'Times-Roman', 'Courier']),
    size: random.pick([9, 10, 11]),
    align: random.pick(['left', 'right', 'center']),
    numbers: random.weighted(
      [3, 'none' as const],
      [3, 'of' as const],
      [1, 'slash' as const],
      [1, 'dashes' as const],
      [1, 'word' as const],
      [1, 'from second' as const],
    ),
    numbersAt: random.pick(['top', 'bottom']),
    repeats: random.weighted([2, 'nothing' as const], [1, 'letterhead' as const], [1, 'reference' as const]),
    footer: random.chance(0.5),
  }
}

const margin = 60
const pageHeight = 841
const pageWidth = 595
const columnsAt = [0, 60, 150, 400]

/** A letter, delivery note or payslip as PDF. The same random draws give the same bytes. */
export function drawPlain(kind: PlainKind, house: House, random: Random): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    info: { CreationDate: new Date(Date.UTC(2025, 0, 1)) },
  })
  const ended = collect(doc)
  doc.font(house.font).fontSize(house.size)
  const reference = random.fill('@@-####/##')
  const day = `${random.int(10, 28)}.${random.pick(['01', '03', '06', '09', '11'])}.202${random.int(3, 6)}`
  const pen = new Pen(doc, house, `${house.wording.reference}: ${reference}`)
  pen.letterhead()
  if (kind === 'letter') letter(pen, random, { reference, day })
  else if (kind === 'delivery note') deliveryNote(pen, random, { reference, day })
  else payslip(pen, random, { reference, day })
  pen.finish()
  return ended
}

interface Heading {
  readonly reference: string
  readonly day: string
}

function letter(pen: Pen, random: Random, { reference, day }: Heading): void {
  const { wording } = pen.house
  pen.block([
    `${random.pick(['Ms', 'Mr', 'Dr'])} ${random.pick(names)}`,
    `${random.pick(streets)} ${random.int(1, 99)}`,
    `${random.digits(5)} Weston`,
  ])
  pen.gap(20)
  pen.line(`${wording.reference}: ${reference}`)
  pen.line(`${wording.date}: ${day}`)
  pen.gap(14)
  pen.line(`${wording.subject} ${random.int(100, 999)}`, true)
  pen.gap(10)
  pen.line(wording.dear)
  for (let left = random.weighted([4, 3], [3, 8], [2, 15], [1, 22]); left > 0; left -= 1) {
    pen.gap(8)
    pen.paragraph(Array.from({ length: random.int(4, 7) }, () => random.pick(wording.sentences)).join(' '))
  }
  pen.gap(18)
  pen.line(wording.regards)
  pen.gap(26)
  pen.line(`${random.pick(['A.', 'M.', 'J.'])} ${random.pick(names)}`)
}

function deliveryNote(pen: Pen, random: Random, { reference, day }: Heading): void {
  const { title, number, columns } = pen.house.wording.deliveryNote
  pen.title(title)
  pen.line(`${number} ${reference}`)
  pen.line(`${pen.house.wording.date}: ${day}`)
  pen.block([random.pick(names), `${random.pick(streets)} ${random.int(1, 99)}`])
  pen.gap(14)
  const rows = random.weighted([4, random.int(3, 10)], [3, random.int(30, 60)], [1, random.int(70, 110)])
  pen.row(columns, true)
  for (let n = 1; n <= rows; n += 1) {
    if (pen.isFull) {
      pen.newPage()
      pen.row(columns, true)
    }
    pen.row([
      String(n),
      random.fill('@##-###'),
      `${random.pick(names)} ${random.pick(trades)}`,
      String(random.int(1, 90)),
    ])
  }
}

function payslip(pen: Pen, random: Random, { day }: Heading): void {
  const { title, number, rows, sum } = pen.house.wording.payslip
  pen.title(title)
  pen.line(`${number} ${random.digits(6)}`)
  pen.line(`${pen.house.wording.date}: ${day}`)
  pen.line(`${random.pick(['Anna', 'Peter', 'Maria', 'Jan'])} ${random.pick(names)}`)
  pen.gap(14)
  for (const row of rows) pen.row([row, '', '', `${random.int(100, 3900)}.${random.digits(2)}`])
  pen.gap(6)
  pen.row([sum, '', '', `${random.int(1500, 4900)}.${random.digits(2)}`], true)
}

/** Writes from the top down and starts pages as needed. */
class Pen {
  readonly #doc: PDFKit.PDFDocument
  readonly house: House
  readonly #reference: string
  #y = margin

  constructor(doc: PDFKit.PDFDocument, house: House, reference: string) {
    this.#doc = doc
    this.house = house
    this.#reference = reference
  }

  get isFull(): boolean {
    return this.#y > pageHeight - margin - 40
  }

  letterhead(): void {
    const { name, street, contact, align, size } = this.house
    this.#doc.fontSize(size * 1.5).text(name, margin, this.#y, { width: pageWidth - 2 * margin, align })
    this.#y += size * 2
    this.#doc.fontSize(size * 0.85)
    for (const text of [street, contact]) {
      this.#doc.text(text, margin, this.#y, { width: pageWidth - 2 * margin, align })
      this.#y += size * 1.2
    }
    this.#doc.fontSize(size)
    this.#y += 24
  }

  newPage(): void {
    this.#doc.addPage()
    this.#doc.font(this.house.font).fontSize(this.house.size)
    this.#y = margin
    if (this.house.repeats === 'letterhead') this.letterhead()
    else if (this.house.repeats === 'reference') {
      this.#write(`${this.#reference} – ${this.house.wording.continued}`)
      this.gap(10)
    }
  }

  gap(points: number): void {
    this.#y += points
  }

  title(text: string): void {
    this.#doc.fontSize(this.house.size * 1.7)
    this.#write(text)
    this.#doc.fontSize(this.house.size)
    this.gap(14)
  }

  line(text: string, isBold = false): void {
    if (this.isFull) this.newPage()
    if (isBold) this.#doc.font(bolds[this.house.font] ?? this.house.font)
    this.#write(text)
    this.#doc.font(this.house.font)
  }

  block(lines: readonly string[]): void {
    for (const text of lines) this.line(text)
  }

  paragraph(text: string): void {
    const width = pageWidth - 2 * margin
    const words = text.split(' ')
    let line = ''
    for (const word of [...words, '\n']) {
      const longer = line === '' ? word : `${line} ${word}`
      if (word !== '\n' && this.#doc.widthOfString(longer) <= width) line = longer
      else {
        this.line(line)
        line = word
      }
    }
  }

  row(cells: readonly string[], isBold = false): void {
    if (isBold) this.#doc.font(bolds[this.house.font] ?? this.house.font)
    for (const [at, text] of cells.entries())
      this.#doc.text(text, margin + (columnsAt[at] ?? 0), this.#y, { lineBreak: false })
    this.#doc.font(this.house.font)
    this.#y += this.house.size * 1.6
  }

  #write(text: string): void {
    this.#doc.text(text, margin, this.#y, { lineBreak: false })
    this.#y += this.house.size * 1.35
  }

  finish(): void {
    const { start, count } = this.#doc.bufferedPageRange()
    const { numbers, numbersAt, footer, name, street, contact, wording } = this.house
    for (let n = 0; n < count; n += 1) {
      this.#doc.switchToPage(start + n)
      this.#doc.font(this.house.font).fontSize(8)
      if (footer) this.#doc.text(`${name} · ${street} · ${contact}`, margin, pageHeight - 34, { lineBreak: false })
      const text = numberText(numbers, { page: n + 1, count, wording })
      const y = numbersAt === 'top' ? 24 : pageHeight - 22
      if (text !== null) this.#doc.text(text, margin, y, { width: pageWidth - 2 * margin, align: 'right' })
    }
    this.#doc.end()
  }
}

const bolds: Readonly<Record<string, string>> = {
  Helvetica: 'Helvetica-Bold',
  'Times-Roman': 'Times-Bold',
  Courier: 'Courier-Bold',
}

function numberText(
  numbers: House['numbers'],
  { page, count, wording }: { page: number; count: number; wording: Wording },
): string | null {
  if (numbers === 'of') return `${wording.page} ${page} ${wording.of} ${count}`
  if (numbers === 'slash') return `${page}/${count}`
  if (numbers === 'dashes') return `- ${page} -`
  if (numbers === 'word') return `${wording.page} ${page}`
  return numbers === 'from second' && page > 1 ? `${wording.page} ${page}` : null
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
