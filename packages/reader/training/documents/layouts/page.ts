import { drawItemList, drawItems, type ItemListLook, type ItemsLook, pickTableLook } from '../blocks/items.ts'
import { drawMovementList, drawMovements, type MovementsLook } from '../blocks/movements.ts'
import { drawPairs, drawTotals, type Pair, type PairsLook, type TotalsLook } from '../blocks/pairs.ts'
import { addressLinesOf, drawParty, type PartyLook, reachLines } from '../blocks/parties.ts'
import { drawTable } from '../blocks/table.ts'
import type { Canvas } from '../canvas.ts'
import type { Movement } from '../facts/statement.ts'
import { drawBox, drawLogo, drawRule, frameOf, lineHeight, makeRoom, type Place, type TextLook, write } from '../ink.ts'
import type { Layout } from './layout.ts'
import { ratesOf, type Sheet, wholeAddress } from './sheet.ts'

/**
 * The building blocks of page layouts. A block draws one part of a page at a position and returns the y below it; a
 * layout is a list of blocks, drawn one below the other. Anything that a declaration leaves open is chosen at random
 * per document.
 */
export type Block = (sheet: Sheet, at: Place) => number

type Make<Facts> = (canvas: Canvas, facts: Facts) => Sheet
type Options<Facts> = Partial<Pick<Layout<Facts>, 'revise' | 'sideways' | 'weight'>>

/** Declares layouts of one kind of document. Most have page numbers. */
export const pageOf =
  <Facts>(make: Make<Facts>) =>
  (name: string, blocks: readonly Block[], options: Options<Facts> = {}): Layout<Facts> => ({
    name,
    ...options,
    draw(canvas, facts) {
      stack(...blocks)(make(canvas, facts), frameOf(canvas))
      numberPages(canvas)
    },
  })

/** Blocks one below the other. */
export const stack =
  (...blocks: readonly Block[]): Block =>
  (sheet, at) => {
    let { y } = at
    for (const block of blocks) {
      const end = block(sheet, { ...at, y })
      y = end === y ? y : end + sheet.canvas.random.int(6, 14)
    }
    return y
  }

const GUTTER = 14

function drawBeside(sheet: Sheet, at: Place, blocks: readonly (readonly [share: number, Block])[]): number {
  const y = makeRoom(sheet.canvas, at.y, 90)
  let { x } = at
  const ends = blocks.map(([share, block], n) => {
    const width = at.width * share
    const end = block(sheet, { x, y, width: width - (n < blocks.length - 1 ? GUTTER : 0) })
    x += width
    return end
  })
  return Math.max(...ends)
}

/** Blocks side by side, in columns of equal width. */
export const beside =
  (...blocks: readonly Block[]): Block =>
  (sheet, at) =>
    drawBeside(
      sheet,
      at,
      blocks.map((block) => [1 / blocks.length, block]),
    )

/** Two blocks side by side; `share` of the width for the left one. */
export const split =
  (share: number, left: Block, right: Block): Block =>
  (sheet, at) =>
    drawBeside(sheet, at, [
      [share, left],
      [1 - share, right],
    ])

/** A random one of the blocks. */
export const oneOf =
  (...blocks: readonly Block[]): Block =>
  (sheet, at) =>
    sheet.canvas.random.pick(blocks)(sheet, at)

/** The block with the given probability. */
export const maybe =
  (probability: number, block: Block): Block =>
  (sheet, at) =>
    sheet.canvas.random.chance(probability) ? block(sheet, at) : at.y

/** The block in a part of the width, at one side. */
export const part =
  (share: number, block: Block, side: 'left' | 'right' = 'left'): Block =>
  (sheet, at) =>
    block(sheet, { ...at, x: side === 'left' ? at.x : at.x + at.width * (1 - share), width: at.width * share })

/** The block in a frame. */
export const framed =
  (block: Block, look: { radius?: number; accent?: boolean } = {}): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const end = block(sheet, { x: at.x + 8, y: at.y + 6, width: at.width - 16 }) + 4
    const stroke = look.accent ? canvas.style.accent : canvas.style.grey
    drawBox(canvas, { ...at, height: end - at.y, stroke, radius: look.radius ?? 0 })
    return end
  }

export interface TitleLook {
  readonly scale?: number
  readonly align?: readonly NonNullable<TextLook['align']>[]
  readonly accent?: boolean
  readonly upper?: boolean
  readonly face?: TextLook['face']
  /** Adds the number, after its label or the title, or the period of an account. */
  readonly with?: 'number' | 'label+number' | 'period'
  readonly logo?: 'left' | 'right'
}

export const title =
  (look: TitleLook = {}): Block =>
  ({ canvas, title, number, about }, at) => {
    const { style, random } = canvas
    const period = about.find(({ key }) => key === 'period')?.value ?? ''
    const words = {
      number: `${title} ${number?.value ?? ''}`,
      'label+number': number === null ? title : `${number.label} ${number.value}`,
      period: `${title}  ${period}`,
      none: title,
    }[look.with ?? 'none']
    if (look.logo === 'right') drawLogo(canvas, { x: at.x + at.width - 32, y: at.y, size: 32 })
    if (look.logo === 'left') drawLogo(canvas, { x: at.x, y: at.y, size: 32 })
    const inset = look.logo === undefined ? 0 : 42
    return write(canvas, look.upper ? words.toUpperCase() : words, {
      x: look.logo === 'left' ? at.x + inset : at.x,
      y: at.y,
      width: at.width - inset,
      size: style.size * (look.scale ?? random.pick([1.3, 1.7, 2.2])),
      face: look.face ?? 'bold',
      align: random.pick(look.align ?? ['left']),
      ...(look.accent ? { colour: style.accent } : {}),
    })
  }

/** A coloured band across the page with the sender's name and the title. */
export const band: Block = (sheet, at) => {
  const { canvas, title, from } = sheet
  const { doc, style, random } = canvas
  const height = random.int(50, 84)
  drawBox(canvas, { x: 0, y: 0, width: doc.page.width, height, fill: style.accent })
  const white = { face: 'bold', colour: '#ffffff', width: at.width * 0.5 } as const
  write(canvas, from.party.name, { ...white, x: at.x, y: height / 2 - style.size, size: style.size * 1.4 })
  const size = style.size * 1.8
  write(canvas, title, { ...white, x: at.x + at.width / 2, y: height / 2 - size / 2, size, align: 'right' })
  return height + 10
}

const whoLooks: readonly NonNullable<PartyLook['title']>[] = ['bold', 'small', 'band', 'colon']

/** A party, with one of the usual titles if `titled`. Draws nothing when the document has none. */
export const party =
  (who: 'from' | 'to' | 'shipTo', look: PartyLook | 'titled' | 'window' = {}): Block =>
  (sheet, at) => {
    const entry = sheet[who]
    if (entry === null) return at.y
    const drawn =
      look === 'titled'
        ? { title: sheet.canvas.random.fork('titles').pick(whoLooks) }
        : look === 'window'
          ? { window: sheet.from.party }
          : look
    return drawParty(sheet.canvas, { ...at, ...entry, look: drawn })
  }

/** Title and full address of each party on a line. */
export const partyLines =
  (look: 'stacked' | 'beside'): Block =>
  ({ canvas, ...sheet }, at) => {
    let { y } = at
    for (const entry of [sheet.to, sheet.from, sheet.shipTo]) {
      if (entry === null) continue
      const end = write(canvas, `${entry.title}:`, { x: at.x, y, width: 108, face: 'bold' })
      const inset = look === 'beside' ? 114 : 14
      if (look === 'stacked') y = end
      y = Math.max(y, write(canvas, wholeAddress(entry.party), { x: at.x + inset, y, width: at.width - inset })) + 3
      for (const line of entry === sheet.from ? reachLines(canvas, entry.party) : [])
        y = write(canvas, line, { x: at.x + inset, y })
    }
    return y
  }

interface PairsOptions {
  readonly only?: readonly string[]
  readonly without?: readonly string[]
  readonly scale?: number
}

const chosen = (pairs: readonly Pair[], { only, without = [] }: PairsOptions) =>
  pairs.filter(({ key }) => !without.includes(key) && (only === undefined || only.includes(key)))

export const NARROW: readonly PairsLook[] = [
  'columns',
  'inline',
  'above',
  'right',
  'right-colon',
  'spread',
  'leaders',
  'ruled',
  'value-first',
  'grid',
]
export const BROAD: readonly PairsLook[] = ['boxes', 'headed-row', 'under', 'stacked', 'table', 'run-on']

const pairsBlock =
  (which: 'about' | 'bank') =>
  (looks: readonly PairsLook[], options: PairsOptions = {}): Block =>
  (sheet, at) => {
    const { random, style } = sheet.canvas
    const size = style.size * (options.scale ?? 1)
    return drawPairs(sheet.canvas, { ...at, size, look: random.pick(looks), pairs: chosen(sheet[which], options) })
  }

/** The document's own data: number, dates, terms. */
export const about = pairsBlock('about')
export const bank = pairsBlock('bank')

/** The document's own data in two halves side by side. */
export const aboutHalves =
  (looks: readonly PairsLook[], options: PairsOptions = {}): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const pairs = chosen(sheet.about, options)
    const middle = Math.ceil(pairs.length / 2)
    const look = canvas.random.pick(looks)
    const width = at.width * 0.46
    return Math.max(
      drawPairs(canvas, { ...at, width, look, pairs: pairs.slice(0, middle) }),
      drawPairs(canvas, { ...at, x: at.x + at.width - width, width, look, pairs: pairs.slice(middle) }),
    )
  }

const TOTALS: readonly TotalsLook[] = ['plain', 'rule-last', 'boxed', 'band-last', 'total-grid', 'ruled-sums']

interface SumsLook extends PairsOptions {
  readonly look?: readonly (TotalsLook | PairsLook)[]
  readonly at?: readonly ('right' | 'left' | 'full')[]
  readonly share?: number
}

/** Sums below the items, or the balances of an account. */
export const sums =
  ({ look = TOTALS, at: sides = ['right'], share = 0.46, ...options }: SumsLook = {}): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const pairs = chosen(sheet.sums, options)
    const drawn = canvas.random.pick(look)
    const side = canvas.random.pick(sides)
    const width = side === 'full' ? at.width : at.width * share
    const y = makeRoom(canvas, at.y, (pairs.length + 1) * lineHeight(canvas) * 1.5)
    const place = { x: side === 'right' ? at.x + at.width - width : at.x, y, width, pairs }
    const total = TOTALS.find((one) => one === drawn)
    if (total !== undefined) return drawTotals(canvas, { ...place, look: total })
    return drawPairs(canvas, { ...place, look: drawn as PairsLook })
  }

/** Balances and sums in a row with operators between them. */
export const equation: Block = ({ canvas, sums }, at) => {
  const signs: Readonly<Record<string, string>> = { credits: '+', debits: '−', closing: '=' }
  const gap = 16
  const cell = (at.width - gap * (sums.length - 1)) / sums.length
  const ends = sums.map((pair, n) => {
    const x = at.x + n * (cell + gap)
    write(canvas, signs[pair.key] ?? '', { x: x - gap, y: at.y + 16, width: gap, align: 'center', face: 'bold' })
    return drawPairs(canvas, { x: x + 6, y: at.y + 4, width: cell - 12, pairs: [pair], look: 'above', size: 8.5 })
  })
  const height = Math.max(...ends) - at.y + 2
  for (const n of ends.keys()) drawBox(canvas, { x: at.x + n * (cell + gap), y: at.y, width: cell, height, radius: 3 })
  return at.y + height
}

/** The amount due and its date, in large type or as a sentence. Draws nothing when the document has neither. */
export const dueNote =
  (look: 'box' | 'sentence'): Block =>
  ({ canvas, due, about }, at) => {
    const { style, printed } = canvas
    if (due === null) return at.y
    const sentence = printed('dueBy')[0] ?? ''
    if (look === 'sentence') {
      if (due.day === null || due.amount.key !== 'total') return at.y
      const text = sentence.replace('{amount}', due.amount.value).replace('{date}', due.day)
      return write(canvas, text, { ...at, size: style.size * 1.5, face: 'bold' })
    }
    const day = about.find(({ key }) => key === 'dueDate')
    const height = style.size * 5
    drawBox(canvas, { ...at, height, fill: '#eef3ee', radius: 6 })
    for (const [n, pair] of [due.amount, ...(day === undefined ? [] : [day])].entries()) {
      const x = at.x + 14 + (n * at.width) / 2
      const y = write(canvas, pair.label, { x, y: at.y + 10, width: at.width / 2 - 20 })
      write(canvas, pair.value, { x, y: y + 2, size: style.size * 1.7, face: 'bold' })
    }
    return at.y + height
  }

/** Starts a new page of the document's items. */
const newPageOf = (sheet: Sheet, head: boolean | undefined) => () => {
  const { canvas } = sheet
  canvas.doc.addPage()
  return head ? runningHead(sheet, frameOf(canvas)) : frameOf(canvas).y
}

/** A short line at the top of a page: sender, title and number. */
export const runningHead: Block = ({ canvas, from, title, number }, at) => {
  const look = { size: canvas.style.size * 0.85, colour: canvas.style.grey, x: at.x, y: at.y - 8, width: at.width }
  write(canvas, from.party.name, look)
  return write(canvas, `${title} ${number?.value ?? ''}`.trim(), { ...look, align: 'right' }) + 6
}

interface Flow {
  /** True for a line with sender and number at the top of later pages. */
  readonly head?: boolean
  /** Points to keep free below the table on its last page. */
  readonly room?: number
}

export const items =
  ({ inTable = 0, head, room = 190, ...look }: ItemsLook & Flow & { readonly inTable?: number } = {}): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const withSums = canvas.random.chance(inTable)
    const pairs = withSums ? { sums: sheet.sums } : {}
    const end = drawItems(canvas, { ...at, ...pairs, items: sheet.items, look, newPage: newPageOf(sheet, head) })
    if (withSums || inTable === 1) return makeRoom(canvas, end, 90)
    return inTable === 0 ? makeRoom(canvas, end, room) : sums()(sheet, { ...at, y: makeRoom(canvas, end + 8, room) })
  }

export const itemList =
  (look: ItemListLook): Block =>
  ({ canvas, items }, at) =>
    makeRoom(canvas, drawItemList(canvas, { ...at, items, look }), 190)

/** Items in two tables, each with a heading. */
export const itemHalves =
  (headings: readonly [string, string], look: ItemsLook): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const cut = sheet.items.length > 2 ? Math.ceil(sheet.items.length / 2) : sheet.items.length
    let { y } = at
    for (const [key, part] of [
      [headings[0], sheet.items.slice(0, cut)],
      [headings[1], sheet.items.slice(cut)],
    ] as const) {
      if (part.length === 0) continue
      y = write(canvas, canvas.printed(key)[0] ?? '', { x: at.x, y: makeRoom(canvas, y, 80), face: 'bold' }) + 2
      y = drawItems(canvas, { ...at, y, items: part, look, newPage: newPageOf(sheet, false) }) + 10
    }
    return makeRoom(canvas, y, 190)
  }

export const movements =
  ({ head, room = 60, ...look }: MovementsLook & Flow = {}): Block =>
  (sheet, at) => {
    const { canvas, statement } = sheet
    if (statement === null) return at.y
    return makeRoom(
      canvas,
      drawMovements(canvas, { ...at, facts: statement, look, newPage: newPageOf(sheet, head) }),
      room,
    )
  }

export const movementList =
  (look: 'app' | 'by-day'): Block =>
  ({ canvas, statement }, at) =>
    statement === null ? at.y : drawMovementList(canvas, { ...at, facts: statement, look })

/** Credits and debits in two lists, each with a heading. */
export const twoLists =
  (headings: readonly string[], look: MovementsLook): Block =>
  (sheet, at) => {
    const { canvas, statement } = sheet
    if (statement === null) return at.y
    const isIn = ({ amountCents }: Movement) => amountCents >= 0
    const lists = [statement.movements.filter(isIn), statement.movements.filter((one) => !isIn(one))]
    let { y } = at
    for (const [n, list] of lists.entries()) {
      if (list.length === 0) continue
      const key = headings[n] ?? ''
      const heading = canvas.locale.printed[key]?.[0] ?? canvas.label(key)
      y = write(canvas, heading, { x: at.x, y: makeRoom(canvas, y + 6, 80), face: 'bold' }) + 2
      const place = { ...at, y, facts: statement, movements: list, look }
      y = drawMovements(canvas, { ...place, newPage: newPageOf(sheet, false) }) + 6
    }
    return makeRoom(canvas, y, 60)
  }

/** A tax table by rate: rate, base, tax. Draws nothing when all lines have the same rate. */
export const rates: Block = (sheet, at) => {
  const { label, quantity, bare, random, printed } = sheet.canvas
  const list = ratesOf(sheet.items)
  if (list.length === 0) return at.y
  return drawTable(sheet.canvas, {
    ...at,
    columns: [
      { title: random.pick(printed('rate')), align: 'left' },
      { title: random.pick(printed('net')), align: 'right' },
      { title: label('tax'), align: 'right' },
    ],
    rows: list.map(({ rate, baseCents, taxCents }) => ({
      cells: [`${quantity(rate)} %`, bare(baseCents), bare(taxCents)],
    })),
    look: pickTableLook(sheet.canvas, { padding: 2 }),
    newPage: () => at.y,
  })
}

/** Notes and thanks, optionally with bank data above. */
export const remarks =
  (look: { bank?: readonly PairsLook[]; share?: number } = {}): Block =>
  (sheet, at) => {
    const { canvas } = sheet
    const place = { ...at, width: at.width * (look.share ?? 1) }
    let y = makeRoom(canvas, at.y, sheet.notes.length * 14 + (look.bank === undefined ? 0 : 50))
    if (look.bank !== undefined) y = bank(look.bank)(sheet, { ...place, y }) + 4
    for (const line of sheet.notes) y = write(canvas, line, { ...place, y, size: canvas.style.size * 0.92 })
    return y
  }

/** A sentence or word that no schema asks for. */
export const printedLine =
  (key: string, look: TextLook = {}): Block =>
  ({ canvas }, at) =>
    write(canvas, canvas.random.pick(canvas.printed(key)), { ...look, ...at })

/** The opening sentence of a letter. */
export const opening: Block = (sheet, at) => printedLine(sheet.opening)(sheet, at)

export const heading =
  (key: string, n: number): Block =>
  ({ canvas }, at) => {
    const y = makeRoom(canvas, at.y, 110)
    const height = lineHeight(canvas) + 5
    drawBox(canvas, { ...at, y, height, fill: '#e8edf2' })
    write(canvas, `${n + 1}.  ${canvas.printed(key)[n] ?? ''}`, { x: at.x + 6, y: y + 4, face: 'bold' })
    return y + height
  }

export const signature: Block = ({ canvas }, at) => {
  const { random, style, label } = canvas
  const signers = ['signature', 'date'].slice(0, random.int(0, 2))
  const y = makeRoom(canvas, at.y, 50)
  for (const [n, key] of signers.entries()) {
    drawRule(canvas, { x: at.x + n * 190, y: y + 30, width: 160, thickness: 0.5 })
    write(canvas, label(key), { x: at.x + n * 190, y: y + 33, size: style.size * 0.8, colour: style.grey })
  }
  return signers.length === 0 ? at.y : y + 46
}

export const rule =
  (look: { thickness?: number; accent?: boolean; dash?: boolean } = {}): Block =>
  ({ canvas }, at) => {
    drawRule(canvas, { ...at, ...look, ...(look.accent ? { colour: canvas.style.accent } : {}) })
    return at.y + 2
  }

export const gap =
  (height: number): Block =>
  (_, at) =>
    at.y + height

/** A column along the full height of the page, beside the main part. */
export const sideColumn =
  (side: 'left' | 'right', column: Block, main: Block): Block =>
  (sheet, at) => {
    const { doc, random, style } = sheet.canvas
    const width = random.pick([140, 152, 168])
    const x = side === 'left' ? 0 : doc.page.width - width
    const edge = side === 'left' ? width : x
    if (random.chance(0.75))
      drawBox(sheet.canvas, {
        x,
        y: 0,
        width,
        height: doc.page.height,
        fill: random.pick(['#f2f2ee', '#eaf0f5', '#f6efe9']),
      })
    else doc.lineWidth(0.8).moveTo(edge, at.y).lineTo(edge, frameOf(sheet.canvas).bottom).stroke(style.accent)
    column(sheet, { x: x + 14, y: at.y, width: width - 26 })
    const inner =
      side === 'left' ? { x: width + 16, width: at.x + at.width - width - 16 } : { x: at.x, width: x - at.x - 16 }
    return main(sheet, { ...inner, y: at.y })
  }

/** Small columns below a rule at the bottom of every page: sender, contact data, bank. */
export const foot =
  (look: { sender: boolean }): Block =>
  ({ canvas, from, bank }, at) => {
    const { doc, style } = canvas
    const lists = [
      look.sender ? [from.party.name, ...addressLinesOf(from.party)] : [],
      reachLines(canvas, from.party),
      bank.map(({ label, value }) => `${label}: ${value}`),
    ].filter((lines) => lines.length > 0)
    const frame = frameOf(canvas)
    const cell = frame.width / Math.max(1, lists.length)
    const text = { size: 6.8, colour: style.grey, gap: 1.2, width: cell - 8 }
    const top =
      doc.page.height - 22 - Math.max(0, ...lists.map(({ length }) => length)) * lineHeight(canvas, text) * 1.1
    const { start, count } = doc.bufferedPageRange()
    for (let n = 0; n < count; n += 1) {
      doc.switchToPage(start + n)
      drawRule(canvas, { x: frame.x, y: top - 4, width: frame.width, thickness: 0.5 })
      for (const [i, lines] of lists.entries())
        write(canvas, lines.join('\n'), { ...text, x: frame.x + i * cell, y: top })
    }
    return at.y
  }

/** The sender on one line at the bottom of the last page. */
export const footLine: Block = ({ canvas, from }, at) => {
  const frame = frameOf(canvas)
  const look = { joined: true, align: 'center', scale: 0.78, reach: 'run-on' } as const
  drawParty(canvas, { ...frame, y: frame.bottom - 30, ...from, look })
  return at.y
}

function numberPages(canvas: Canvas): void {
  const { doc, label, style, random } = canvas
  const { start, count } = doc.bufferedPageRange()
  const least = random.pick([1, 1, 2, 2, 99])
  const align = random.pick(['left', 'center', 'right'] as const)
  for (let n = 0; n < count && count >= least; n += 1) {
    doc.switchToPage(start + n)
    const text = `${label('page')} ${n + 1} ${label('of')} ${count}`
    write(canvas, text, { ...frameOf(canvas), y: doc.page.height - 16, align, size: 7.5, colour: style.grey })
  }
}

/** A payment slip at the bottom of the page. */
export const slip: Block = ({ canvas, from, to, bank, number, due, about }, at) => {
  const { printed, style, doc } = canvas
  const frame = frameOf(canvas)
  const y = Math.max(makeRoom(canvas, at.y, 150), frame.bottom - 142)
  const [name = '', note = ''] = printed('slip')
  drawRule(canvas, { x: 0, y, width: doc.page.width, dash: true })
  write(canvas, name, { x: frame.x, y: y + 8, face: 'bold' })
  write(canvas, note, { ...frame, y: y + 8, align: 'right', size: style.size * 0.8 })
  const third = frame.width / 3
  const own = (key: string, value: string): Pair => ({ key, label: printed(key)[0] ?? '', value })
  const dueDay = about.filter(({ key }) => key === 'dueDate')
  const lists = [
    [own('payee', from.party.name), ...bank],
    [own('payer', to.party.name), ...(number === null ? [] : [number]), ...dueDay],
    due === null ? [] : [due.amount],
  ]
  for (const [n, pairs] of lists.entries())
    drawPairs(canvas, {
      x: frame.x + n * third,
      y: y + 28,
      width: third - 12,
      pairs,
      look: 'above',
      size: style.size * 0.88,
    })
  return frame.bottom
}
