import { itemColumns, pickItemTableOptions, pickTableLook } from '../commerce.ts'
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
  return flowTable(press, {
    ...itemColumns(press, facts.items, options),
    look,
    x: at.x,
    y: at.y,
    width: at.width,
    room: ROOM,
  })
}
