import { bankPairs, drawPairs, drawParty, type Pair, type Place, reachLines } from '../blocks.ts'
import { drawBox, drawRule, lineHeight, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import { releasedWordsOf } from '../words/locales-released.ts'
import { frameOf } from './layout.ts'

/** Words in the document's language that only these layouts print. */
export const printed = (press: Press) => releasedWordsOf(press.locale).printed

/** Nothing has been paid before: layouts that name one amount to pay. */
export const unpaid = (facts: InvoiceFacts): InvoiceFacts => ({
  ...facts,
  totals: { ...facts.totals, paidCents: null },
})

/** A party in two lines: its name, then address and how to reach it, parted by dots. */
export function drawPartyLine(press: Press, at: Place & { party: Party; size?: number; nameSize?: number }): number {
  const { party, x, width } = at
  const size = at.size ?? press.style.size * 0.85
  const y = write(press, party.name, { x, y: at.y, width, face: 'bold', size: at.nameSize ?? press.style.size * 1.5 })
  const address = [...party.addressLines, ...(party.country === null ? [] : [party.country])].join(', ')
  const end = write(press, address, { x, y, width, size })
  const reach = reachLines(press, party)
  return reach.length === 0 ? end : write(press, reach.join('  ·  '), { x, y: end, width, size })
}

/** Lines of a label at the left and a value at the right, each under a thin rule; the last one bold. */
export function drawRuledSums(press: Press, at: Place & { pairs: readonly Pair[] }): number {
  const { x, width, pairs } = at
  let { y } = at
  for (const [n, [label, value]] of pairs.entries()) {
    const face = n === pairs.length - 1 ? 'bold' : 'regular'
    drawRule(press, { x, y, width, thickness: 0.5, colour: '#bbbbbb' })
    const valueWidth = textWidth(press, value, { face })
    const end = write(press, label, { x, y: y + 4, width: width - valueWidth - 10, face })
    write(press, value, { x, y: y + 4, width, align: 'right', face })
    y = end + 2
  }
  return y
}

/** A numbered heading on a tinted bar. */
export function drawHeading(press: Press, at: Place & { text: string }): number {
  const height = lineHeight(press) + 5
  drawBox(press, { x: at.x, y: at.y, width: at.width, height, fill: '#e8edf2' })
  write(press, at.text, { x: at.x + 6, y: at.y + 4, face: 'bold' })
  return at.y + height + 6
}

/** A label in a narrow column and a party beside it, over a rule. */
export function drawPartyRow(press: Press, at: Place & { label: string; party: Party }): number {
  const { x, y, width, label, party } = at
  const side = width * 0.28
  const labelEnd = write(press, label, { x, y, width: side - 8, face: 'bold' })
  const end = Math.max(labelEnd, drawParty(press, { x: x + side, y, width: width - side, party, look: {} }))
  drawRule(press, { x, y: end + 1, width, thickness: 0.4, colour: '#bbbbbb' })
  return end + 6
}

/** Starts a page where less than `room` points are left under `y`. */
export function makeRoom(press: Press, y: number, room: number): number {
  const frame = frameOf(press)
  if (y + room <= frame.bottom) return y
  press.doc.addPage()
  return frame.y
}

/** The slip at the foot of the page that goes with the payment: who gets how much for what. */
export function drawSlip(press: Press, facts: InvoiceFacts): void {
  const { label, plainLabel, style, day, money } = press
  const frame = frameOf(press)
  const [title, note] = printed(press).slip
  const y = frame.bottom - slipHeight
  drawRule(press, { x: 0, y, width: press.doc.page.width, dash: true })
  write(press, title, { x: frame.x, y: y + 8, face: 'bold' })
  write(press, note, { x: frame.x, y: y + 8, width: frame.width, align: 'right', size: style.size * 0.8 })
  const third = frame.width / 3
  const size = style.size * 0.88
  const top = y + 28
  const look = 'above' as const
  const account = facts.account === null ? [] : bankPairs(press, facts.account)
  const payee: Pair[] = [[printed(press).payee, facts.vendor.name], ...account]
  drawPairs(press, { x: frame.x, y: top, width: third - 12, pairs: payee, look, size })
  const about: Pair[] = [
    [printed(press).payer, facts.customer.name],
    [label('invoiceNumber'), facts.number],
    ...(facts.dueDate === null ? [] : [[label('dueDate'), day(facts.dueDate)] as const]),
  ]
  drawPairs(press, { x: frame.x + third, y: top, width: third - 12, pairs: about, look, size })
  const boxX = frame.x + 2 * third
  drawBox(press, { x: boxX, y: top, width: third, height: 46, stroke: style.ink })
  write(press, plainLabel('total'), { x: boxX + 8, y: top + 6, size })
  write(press, money(facts.totals.totalCents), {
    x: boxX,
    y: top + 22,
    width: third - 8,
    align: 'right',
    size: style.size * 1.4,
    face: 'bold',
  })
}

/** Points that the slip takes at the foot. */
export const slipHeight = 142
