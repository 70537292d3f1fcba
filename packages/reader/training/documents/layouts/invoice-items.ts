import { itemColumns, pickItemTableOptions, pickTableLook } from '../commerce.ts'
import { write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { Press } from '../press.ts'
import type { TableLook } from '../table.ts'
import { flowTable } from './layout.ts'

/** Points that sums and remarks may take under the items. */
const ROOM = 190

/** Draws the items with a look and an order of columns of the document's own, but for what `fixed` says. */
export function drawInvoiceItems(
  press: Press,
  facts: InvoiceFacts,
  at: { x: number; y: number; width: number },
  fixed: Partial<TableLook> = {},
): number {
  const options = pickItemTableOptions(press, facts.totals)
  const look = { ...pickTableLook(press), ...fixed }
  const carries = press.random.chance(0.5)
  const leavePage = (rowsDone: number, y: number) => {
    if (!carries) return
    const sum = facts.items.slice(0, rowsDone).reduce((cents, { amountCents }) => cents + amountCents, 0)
    write(press, press.label('carried'), { x: at.x + look.padding, y: y + 3, face: 'italic' })
    write(press, press.bare(sum), { x: at.x, y: y + 3, width: at.width - look.padding, align: 'right', face: 'italic' })
  }
  return flowTable(press, {
    leavePage,
    ...itemColumns(press, facts.items, options),
    look,
    x: at.x,
    y: at.y,
    width: at.width,
    room: ROOM,
  })
}
