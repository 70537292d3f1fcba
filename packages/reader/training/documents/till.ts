import { two } from './dates.ts'
import { drawRule, lineHeight, textWidth, write } from './ink.ts'
import type { Press } from './press.ts'
import type { ReceiptFacts, ReceiptItem } from './receipt-facts.ts'

/** A roll of paper that lines are printed on from top to bottom. */
export interface Roll {
  readonly press: Press
  readonly x: number
  readonly width: number
  y: number
}

export function openRoll(press: Press): Roll {
  const { margin } = press.style
  return { press, x: margin, width: press.doc.page.width - 2 * margin, y: margin + 4 }
}

export interface LineLook {
  /** Shift to the right, in character widths. */
  readonly indent?: number
  readonly bold?: boolean
  readonly scale?: number
  readonly align?: 'left' | 'center' | 'right'
}

export function printLine(roll: Roll, text: string, look: LineLook = {}): void {
  const { press, x, y, width } = roll
  const size = press.style.size * (look.scale ?? 1)
  const indent = (look.indent ?? 0) * size * 0.6
  roll.y = write(press, text, {
    x: x + indent,
    y,
    width: width - indent,
    size,
    align: look.align ?? 'left',
    face: look.bold ? 'bold' : 'regular',
  })
}

/** Text at the left and a value at the right edge of the same line. */
export function printSpread(roll: Roll, left: string, right: string, look: LineLook = {}): void {
  const { press, x, y, width } = roll
  const text = { size: press.style.size * (look.scale ?? 1), face: look.bold ? 'bold' : 'regular' } as const
  const rightWidth = textWidth(press, right, text)
  const indent = (look.indent ?? 0) * text.size * 0.6
  const end = write(press, left, { x: x + indent, y, width: width - rightWidth - 6 - indent, ...text })
  write(press, right, { x: x + width - rightWidth, y, ...text })
  roll.y = end
}

export function printRule(roll: Roll, look: 'dashes' | 'stars' | 'line' | 'gap'): void {
  const { press, x, width } = roll
  if (look === 'line') drawRule(press, { x, y: roll.y + 2, width, thickness: 0.6 })
  else if (look !== 'gap') {
    const mark = look === 'stars' ? '*' : '-'
    const count = Math.floor(width / textWidth(press, mark))
    write(press, mark.repeat(count), { x, y: roll.y })
    roll.y += lineHeight(press)
    return
  }
  roll.y += 6
}

export type ItemLook = 'one-line' | 'price-below' | 'price-above' | 'quantity-first' | 'times'

/** Prints one item in the way that many tills do. */
export function printItem(roll: Roll, item: ReceiptItem, look: ItemLook): void {
  const { press } = roll
  const amount = press.bare(item.amountCents)
  if (item.quantity === null || item.unitCents === null) {
    printSpread(roll, item.description, amount)
    return
  }
  const quantity = press.quantity(item.quantity)
  const price = press.bare(item.unitCents)
  switch (look) {
    case 'one-line':
      printSpread(roll, `${quantity} x ${item.description} ${price}`, amount)
      break
    case 'price-below':
      printLine(roll, item.description)
      printSpread(roll, `${quantity} x ${price}`, amount, { indent: 2 })
      break
    case 'price-above':
      printLine(roll, `${quantity} @ ${price}`)
      printSpread(roll, item.description, amount, { indent: 2 })
      break
    case 'quantity-first':
      printSpread(roll, `${quantity}  ${item.description}`, amount)
      printLine(roll, `@ ${price}`, { indent: 3 })
      break
    case 'times':
      printSpread(roll, item.description, amount)
      printLine(roll, `${quantity} X ${price}`, { indent: 3 })
      break
  }
}

/** Prints items under titles in columns: quantity, name, price, amount. */
export function printItemColumns(
  roll: Roll,
  items: readonly ReceiptItem[],
  order: 'quantity-first' | 'name-first',
): void {
  const { press, x, width } = roll
  const { label } = press
  const hasQuantity = items.some((item) => item.quantity !== null)
  const amountWidth = width * 0.22
  const numberWidth = hasQuantity ? width * 0.15 : 0
  const priceWidth = hasQuantity ? width * 0.2 : 0
  const nameWidth = width - amountWidth - numberWidth - priceWidth
  const nameX = order === 'quantity-first' ? x + numberWidth : x
  const quantityX = order === 'quantity-first' ? x : x + nameWidth
  const priceX = x + width - amountWidth - priceWidth
  const row = (cells: readonly [string, string, string, string], face: 'regular' | 'bold') => {
    const { y } = roll
    const ends = [
      write(press, cells[0], { x: quantityX, y, width: numberWidth, face }),
      write(press, cells[1], { x: nameX, y, width: nameWidth - 4, face }),
      write(press, cells[2], { x: priceX, y, width: priceWidth, align: 'right', face }),
      write(press, cells[3], { x: x + width - amountWidth, y, width: amountWidth, align: 'right', face }),
    ]
    roll.y = Math.max(...ends)
  }
  row(
    hasQuantity
      ? [label('receiptQuantity'), label('receiptItem'), label('receiptPrice'), label('receiptAmount')]
      : ['', label('receiptItem'), '', label('receiptAmount')],
    'bold',
  )
  for (const item of items) {
    const numbers =
      item.quantity === null || item.unitCents === null
        ? ['', '']
        : [press.quantity(item.quantity), press.bare(item.unitCents)]
    row([numbers[0] ?? '', item.description, numbers[1] ?? '', press.bare(item.amountCents)], 'regular')
  }
}

/** Subtotal, tax, rounding and total, then how it was paid. */
export function printSums(roll: Roll, facts: ReceiptFacts): void {
  const { label, money, quantity, random } = roll.press
  const taxBefore = !facts.taxIncluded
  const taxKey = facts.taxIncluded ? 'includedTax' : 'tax'
  const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`
  const printTax = () => facts.taxCents !== null && printSpread(roll, label(taxKey) + rate, money(facts.taxCents))
  if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), money(facts.subtotalCents))
  if (taxBefore) printTax()
  if (facts.roundingCents !== null) printSpread(roll, label('rounding'), money(facts.roundingCents))
  printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: random.pick([1, 1.2, 1.35]) })
  if (!taxBefore) printTax()
}

export function printPayment(roll: Roll, facts: ReceiptFacts): void {
  const { label, money } = roll.press
  if (facts.method === 'cash') printSpread(roll, label('cash'), money(facts.cashCents ?? facts.totalCents))
  if (facts.method === 'card') {
    printSpread(roll, label('card'), money(facts.totalCents))
    if (facts.cardSlip !== null) for (const line of facts.cardSlip) printLine(roll, line, { scale: 0.9 })
  }
  if (facts.changeCents !== null) printSpread(roll, label('change'), money(facts.changeCents))
}

export function writeTime(facts: ReceiptFacts, look: '24' | '24-seconds' | '12'): string | null {
  if (facts.time === null) return null
  const { hour, minute, second } = facts.time
  if (look === '12') return `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? 'AM' : 'PM'}`
  return `${two(hour)}:${two(minute)}${look === '24-seconds' ? `:${two(second)}` : ''}`
}

/** The forms of time that the document's country uses. */
export function pickTimeLook(press: Press): '24' | '24-seconds' | '12' {
  return press.random.pick(
    press.locale.id.startsWith('en') ? (['24', '12', '24-seconds', '12'] as const) : (['24', '24-seconds'] as const),
  )
}
