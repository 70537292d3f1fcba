import type { OrderFacts } from '../order-facts.ts'
import type { Layout } from './layout.ts'
import { wideOrders as one } from './orders-wide-1.ts'
import { wideOrdersTwo as two } from './orders-wide-2.ts'
import { wideOrdersThree as three } from './orders-wide-3.ts'

/** Layouts of the train part only. */
export const wideOrders: readonly Layout<OrderFacts>[] = [...one, ...two, ...three]
