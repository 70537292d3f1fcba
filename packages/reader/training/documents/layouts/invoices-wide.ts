import type { InvoiceFacts } from '../invoice-facts.ts'
import { wideInvoices as one } from './invoices-wide-1.ts'
import { wideInvoicesTwo as two } from './invoices-wide-2.ts'
import { wideInvoicesThree as three } from './invoices-wide-3.ts'
import { wideInvoicesFour as four } from './invoices-wide-4.ts'
import type { Layout } from './layout.ts'

/** Layouts of the train part only. */
export const wideInvoices: readonly Layout<InvoiceFacts>[] = [...one, ...two, ...three, ...four]
