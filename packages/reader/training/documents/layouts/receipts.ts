import type { ReceiptFacts } from '../facts/receipt.ts'
import type { Layout } from './layout.ts'
import { cardPaid, fuel, parking, taxLetters, weighed, withoutPrices } from './revisions.ts'
import * as roll from './roll.ts'

const left = { align: ['left'] } as const
const paid = [roll.sums(), roll.payment]

export const receiptLayouts: readonly Layout<ReceiptFacts>[] = [
  roll.rollOf('till-classic', [
    roll.shop(),
    roll.ruled([], roll.maybe(0.5, roll.receiptTitle()), roll.data(['lines', 'spread']), roll.when('joined', 'ends')),
    roll.ruled([], roll.items(['one-line', 'price-below', 'price-above', 'quantity-first', 'times'])),
    roll.ruled([], ...paid),
    roll.rule(),
  ]),
  roll.rollOf('till-columns', [
    roll.maybe(0.3, roll.logo),
    roll.receiptTitle({ align: 'center', face: 'bold', scale: 1.2 }),
    roll.shop({ align: ['left', 'center'] }),
    roll.ruled('line', roll.data(['spread', 'lines'], roll.EVERYTHING)),
    roll.ruled('line', roll.itemColumns('quantity-first', 'name-first')),
    roll.ruled('line', ...paid),
    roll.ruled('line', roll.maybe(0.4, roll.itemCount)),
  ]),
  roll.rollOf('cafe', [
    roll.shop(),
    roll.ruled('gap', roll.data(['lines'], ['till', 'cashier'])),
    roll.ruled('dashes', roll.items(['quantity-first', 'one-line', 'times'])),
    roll.ruled('dashes', ...paid),
    roll.ruled('gap', roll.when('ends'), roll.data(['lines'], ['receiptNumber'])),
  ]),
  roll.rollOf('market', [
    roll.shop(),
    roll.ruled('gap', roll.items(['times'], { letters: true })),
    roll.ruled(['dashes', 'line'], ...paid),
    roll.ruled('dashes', roll.when('middle'), roll.data(['run-on', 'lines'])),
  ]),
  roll.rollOf('modern-slip', [
    roll.logo,
    roll.shop(left),
    roll.ruled('line', roll.data(['spread'], roll.EVERYTHING)),
    roll.ruled('line', roll.receiptTitle({ face: 'bold' }), roll.items(['price-below', 'times', 'quantity-first'])),
    roll.ruled('line', roll.sums()),
    roll.ruled('line', roll.payment),
  ]),
  roll.rollOf('dense', [
    roll.shop({ name: 'only', scale: [1.25] }),
    roll.ruled('stars', roll.when('ends'), roll.data(['two'])),
    roll.ruled('stars', roll.itemColumns('quantity-first', 'name-first', 'untitled')),
    roll.ruled('dashes', ...paid),
    roll.ruled('stars', roll.shop({ name: 'hidden' })),
  ]),
  roll.rollOf('date-first', [
    roll.when('ends'),
    roll.data(['spread']),
    roll.ruled('gap', roll.shop()),
    roll.ruled('line', roll.items(['price-above', 'one-line']), roll.sums({ total: 'middle' }), roll.payment),
  ]),
  roll.rollOf('foot-data', [
    roll.shop(left),
    roll.ruled('dashes', roll.itemColumns('name-first')),
    roll.ruled('dashes', roll.itemCount, ...paid),
    roll.ruled('dashes', roll.data(['lines'], roll.EVERYTHING)),
  ]),
  roll.rollOf('code-lines', [
    roll.shop({ align: ['left', 'center'], scale: [1, 1.3] }),
    roll.ruled(
      ['stars', 'dashes', 'line'],
      roll.when('ends', 'labelled', 'joined'),
      roll.data(['lines', 'run-on', 'spread']),
    ),
    roll.ruled(['dashes', 'gap'], roll.items(['coded'])),
    roll.ruled('dashes', ...paid, roll.maybe(0.5, roll.bars)),
  ]),
  roll.rollOf(
    'foot-shop',
    [
      roll.maybe(0.6, roll.logo),
      roll.receiptTitle(),
      roll.data(['lines', 'spread']),
      roll.when('ends', 'middle', 'labelled'),
      roll.ruled('line', roll.itemColumns('name-first', 'untitled')),
      roll.ruled('line', ...paid),
      roll.ruled(['dashes', 'gap'], roll.shop({ scale: [1] })),
    ],
    { revise: withoutPrices },
  ),
  roll.rollOf(
    'tax-letters',
    [
      roll.shop({ scale: [1.2, 1.5] }),
      roll.ruled('gap', roll.items(['times', 'price-above', 'price-below'], { letters: true })),
      roll.ruled('dashes', roll.sums({ tax: 'classes' })),
      roll.ruled(['stars', 'gap', 'line'], roll.payment, roll.taxTable),
      roll.ruled('gap', roll.when('ends', 'joined', 'middle'), roll.data(['lines', 'run-on'])),
    ],
    { revise: taxLetters },
  ),
  roll.rollOf('loyalty', [
    roll.shop({ scale: [1.6] }),
    roll.when('middle', 'ends'),
    roll.ruled(['stars', 'dashes'], roll.items(['at'])),
    roll.ruled(['stars', 'dashes'], roll.itemCount, ...paid),
    roll.ruled('dashes', roll.made('points', '###'), roll.data(['run-on', 'lines']), roll.bars),
  ]),
  roll.rollOf(
    'card-slip',
    [
      roll.shop({ align: ['left', 'center', 'right'], scale: [1.2] }),
      roll.ruled('line', roll.data(['spread']), roll.when('ends', 'labelled')),
      roll.ruled('line', roll.items(['price-below'])),
      roll.ruled('line', roll.sums()),
      roll.ruled('dashes', roll.words('copy', { align: 'center', face: 'bold' }), roll.payment),
      roll.rule('dashes'),
    ],
    { revise: cardPaid },
  ),
  roll.rollOf('two-sides', [
    roll.sides(
      [roll.shop({ align: ['left'], scale: [1] })],
      [roll.receiptTitle({ face: 'bold', align: 'right' }), roll.data(['titled'], ['receiptNumber', 'date', 'time'])],
    ),
    roll.data(['run-on'], ['till', 'cashier']),
    roll.ruled('line', roll.itemColumns('quantity-first'), roll.boxed(roll.sums()), roll.payment),
  ]),
  roll.rollOf('restaurant', [
    roll.shop({ scale: [1.7] }),
    roll.ruled(
      'gap',
      roll.made('guests', '#'),
      roll.data(['lines', 'run-on']),
      roll.when('ends', 'joined', 'labelled'),
    ),
    roll.ruled('line', roll.items(['brackets', 'quantity-first', 'price-below'])),
    roll.ruled('line', ...paid),
    roll.rule('gap'),
  ]),
  roll.rollOf(
    'weighed-goods',
    [
      roll.shop({ align: ['left', 'center'], scale: [1, 1.4] }),
      roll.ruled('dashes', roll.data(['lines', 'spread']), roll.when('ends', 'labelled', 'middle')),
      roll.ruled('dashes', roll.items(['price-below', 'times'])),
      roll.ruled('dashes', roll.maybe(0.4, roll.itemCount), ...paid),
    ],
    { revise: weighed },
  ),
  roll.rollOf('total-first', [
    roll.shop(left),
    roll.ruled('gap', roll.bigTotal({ labelled: false })),
    roll.ruled('line', roll.when('labelled', 'ends'), roll.data(['spread'])),
    roll.ruled('line', roll.items(['numbered'])),
    roll.ruled('line', ...paid),
  ]),
  roll.rollOf(
    'filling-station',
    [
      roll.shop({ scale: [1.2] }),
      roll.ruled('stars', roll.when('ends', 'joined'), roll.data(['lines', 'run-on'])),
      roll.ruled('gap', roll.items(['labelled', 'times'])),
      roll.ruled('dashes', ...paid),
      roll.rule('stars'),
    ],
    { revise: fuel },
  ),
  roll.rollOf(
    'parking',
    [
      roll.shop(),
      roll.ruled('line', roll.entryAndExit, roll.data(['spread'], ['receiptNumber'])),
      roll.ruled('gap', roll.items(['one-line'])),
      roll.ruled('line', roll.bigTotal({ labelled: true }), roll.sums({ total: 'elsewhere' })),
      roll.ruled('line', roll.payment),
    ],
    { revise: parking },
  ),
  roll.rollOf('takeaway', [
    roll.made('callNumber', '##', { align: 'center', face: 'bold', scale: 2.2 }),
    roll.words('eating'),
    roll.ruled('gap', roll.shop(), roll.data(['run-on', 'lines'], roll.EVERYTHING)),
    roll.ruled('dashes', roll.items(['at']), roll.maybe(0.4, roll.words('extras', { indent: 4, scale: 0.9 }))),
    roll.ruled('dashes', ...paid),
  ]),
  roll.rollOf(
    'terminal-first',
    [
      roll.shop(),
      roll.ruled('stars', roll.terminal),
      roll.ruled('stars', roll.when('ends'), roll.data(['spread'])),
      roll.ruled('gap', roll.items(['right'])),
      roll.ruled('line', roll.sums()),
    ],
    { revise: (facts) => ({ ...facts, method: 'card', cashCents: null, changeCents: null, cardSlip: null }) },
  ),
  roll.rollOf('dot-leaders', [
    roll.shop({ name: 'only', scale: [1.4] }),
    roll.when('bar'),
    roll.data(['run-on', 'slashes']),
    roll.ruled('gap', roll.items(['leaders'])),
    roll.ruled('gap', roll.sums({ leaders: true })),
    roll.ruled('line', roll.payment),
    roll.ruled('gap', roll.shop({ name: 'hidden' })),
  ]),
  roll.rollOf('ruled-table', [
    roll.receiptTitle({ face: 'bold', scale: 1.2 }),
    roll.shop(left),
    roll.ruled('gap', roll.data(['two'], roll.EVERYTHING)),
    roll.ruled('gap', roll.itemColumns('grid'), roll.sums({ total: 'bar' }), roll.payment),
  ]),
]
