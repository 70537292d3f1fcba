import type { ReceiptFacts } from '../receipt-facts.ts'
import type { Layout } from './layout.ts'
import { wideReceipts as one } from './receipts-wide-1.ts'
import { wideReceiptsTwo as two } from './receipts-wide-2.ts'
import { wideReceiptsThree as three } from './receipts-wide-3.ts'
import { wideReceiptsFour as four } from './receipts-wide-4.ts'

/** Layouts of the train part only. */
export const wideReceipts: readonly Layout<ReceiptFacts>[] = [...one, ...two, ...three, ...four]
