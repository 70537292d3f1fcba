import type { Layout } from './layout.ts'
import {
  about,
  type Block,
  BROAD,
  beside,
  framed,
  items,
  maybe,
  movements,
  NARROW,
  oneOf,
  type pageOf,
  party,
  remarks,
  rule,
  signature,
  split,
  stack,
  sums,
  title,
} from './page.ts'

const sender = oneOf(
  party('from', { name: 1.4 }),
  party('from', { name: 1.8, joined: true }),
  party('from', { reach: 'run-on' }),
  party('from', { logo: true, name: 1.2 }),
)
const heading = title({ align: ['left', 'left', 'center'] })
const toLooks = oneOf(party('to', 'titled'), party('to', 'titled'), party('to', 'window'))
const shipping = party('shipTo', 'titled')

const head = stack(
  oneOf(
    stack(heading, sender),
    stack(sender, heading),
    beside(sender, heading),
    beside(heading, party('from', { align: 'right' })),
  ),
  maybe(0.3, rule({ accent: true })),
)

const parties = oneOf(beside(toLooks, shipping), stack(toLooks, shipping))
const body = oneOf(
  split(0.53, stack(toLooks, shipping), about(NARROW)),
  split(0.47, about(NARROW), stack(toLooks, shipping)),
  stack(parties, about(BROAD)),
  stack(about(BROAD), parties),
  stack(framed(about(NARROW)), parties),
)

const wideSums = sums({
  at: ['right', 'right', 'right', 'left', 'full'],
  look: ['plain', 'rule-last', 'boxed', 'band-last', 'total-grid', 'ruled-sums', 'leaders', 'ruled', 'right-colon'],
})
const end = oneOf(
  stack(wideSums, remarks({ bank: ['columns', 'inline', 'above'], share: 0.7 })),
  beside(remarks({ bank: ['columns', 'inline', 'above'] }), sums({ share: 0.95 })),
)

/** The weight of a layout with random blocks; other layouts have 1. */
const WEIGHT = 8

/** Pages of blocks in a fixed order, with random looks and places. */
export const composed = <Facts>(page: ReturnType<typeof pageOf<Facts>>, name: string): Layout<Facts> =>
  page(name, [head, body, items({ carries: true, room: 220 }), end, maybe(0.5, signature)], { weight: WEIGHT })

const balances: Block = oneOf(sums({ at: ['full'], look: BROAD }), sums({ at: ['left', 'right'], look: NARROW }))

/** The same for account statements: the balances above or below the movements. */
export const composedAccount = <Facts>(page: ReturnType<typeof pageOf<Facts>>, name: string): Layout<Facts> =>
  page(
    name,
    [
      head,
      body,
      oneOf(
        stack(balances, movements()),
        stack(movements({ carries: true }), balances),
        stack(balances, movements({ ends: true })),
      ),
      remarks(),
    ],
    { weight: WEIGHT },
  )
