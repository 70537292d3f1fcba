import type { StatementFacts } from '../facts/statement.ts'
import { composedAccount } from './composed.ts'
import type { Layout } from './layout.ts'
import * as page from './page.ts'
import { cardAccount, creditsFirst, dayEnds, half, references, supplierAccount, withEverything } from './revisions.ts'
import { statementSheet } from './sheet.ts'

const statement = page.pageOf(statementSheet)
const holder = page.party('to')
const titled = page.party('to', 'titled')
const bank = page.party('from', { name: 1.5, reach: 'run-on', joined: true })
const account = { without: ['holder'] }
const moves = ['credits', 'debits']

export const statementLayouts: readonly Layout<StatementFacts>[] = [
  composedAccount(statement, 'composed-statement'),
  statement('bank-letter', [
    page.party('from', { name: 1.7, joined: true, scale: 0.75, logo: true }),
    page.gap(24),
    page.split(0.46, holder, page.stack(page.title({ scale: 1.6 }), page.about(page.NARROW, account))),
    page.sums({ at: ['full'], look: ['boxes', 'headed-row'] }),
    page.movements({ short: false }),
  ]),
  statement('summary-box', [
    page.band,
    page.beside(
      page.stack(holder, page.about(['columns', 'inline', 'above'], account)),
      page.framed(page.sums({ share: 1, look: ['spread'] }), { accent: true }),
    ),
    page.movements({ ends: true }),
    page.remarks(),
  ]),
  statement('passbook', [
    bank,
    page.rule({ thickness: 1.5 }),
    page.title({ scale: 1.5 }),
    titled,
    page.about(['headed-row', 'boxes'], account),
    page.movements({ ends: true, short: true }),
    page.sums({ at: ['left'], look: ['columns'], share: 0.5, only: moves }),
  ]),
  statement('side-panel', [
    page.sideColumn(
      'left',
      page.stack(
        page.party('from', { scale: 0.85, name: 1.1 }),
        page.about(['above'], { ...account, scale: 0.85 }),
        page.sums({ share: 1, look: ['above'] }),
      ),
      page.stack(
        page.title({ scale: 1.8, accent: true }),
        holder,
        page.movements({ ends: false, table: { padding: 2 } }),
      ),
    ),
  ]),
  statement('period-in-title', [
    page.beside(
      page.stack(page.title({ scale: 1.4, with: 'period' }), page.gap(8), holder),
      page.party('from', { align: 'right', name: 1.4, scale: 0.8 }),
    ),
    page.beside(
      page.about(['columns', 'inline', 'grid']),
      page.sums({ share: 1, look: ['spread'], only: ['opening'] }),
    ),
    page.movements({ ends: false, short: false }),
    page.sums({ look: ['spread'], without: ['opening'] }),
  ]),
  statement('online-print', [
    page.party('from', { logo: true, name: 1.2 }),
    page.title({ scale: 2, accent: true, face: 'regular' }),
    page.party('to', { joined: true }),
    page.about(['stacked'], account),
    page.sums({ at: ['full'], look: ['stacked'] }),
    page.movements({ ends: false, sign: ['minus'], table: { lines: 'none', header: 'rule' } }),
  ]),
  statement(
    'day-end-balances',
    [
      page.beside(page.party('from', { logo: true, name: 1.5 }), page.title({ scale: 1.4, align: ['right'] })),
      page.beside(holder, page.about(['right-colon', 'ruled', 'leaders'], { scale: 0.92 })),
      page.printedLine('summary', { face: 'bold' }),
      page.framed(page.sums({ at: ['full'], look: ['under', 'stacked', 'leaders', 'table'] })),
      page.movements({ cells: ['date', 'details', 'out', 'in', 'balance'], sign: ['minus'], short: true }),
      page.remarks(),
      page.foot({ sender: false }),
    ],
    { revise: dayEnds },
  ),
  statement('day-once', [
    page.party('from', { align: 'center', name: 1.6, joined: true, reach: 'run-on' }),
    page.rule(),
    page.title({ scale: 1.1, align: ['center'], with: 'period' }),
    page.about(['table', 'run-on', 'under'], { without: ['holder', 'period'] }),
    page.part(0.5, holder),
    page.movements({ days: 'once', ends: true, short: true, sign: ['trailing', 'both', 'letters'] }),
    page.sums({ at: ['left'], look: ['spread'], only: moves }),
    page.remarks(),
  ]),
  statement('day-headings', [
    page.beside(
      page.stack(page.title({ scale: 2, accent: true, face: 'regular' }), holder),
      page.party('from', { align: 'right', scale: 0.85 }),
    ),
    page.about(['stacked', 'under', 'run-on'], account),
    page.sums({ at: ['left', 'full'], look: ['leaders', 'ruled', 'table'] }),
    page.movements({ days: 'heading', sign: ['minus', 'both'] }),
    page.remarks(),
  ]),
  statement(
    'two-days-and-references',
    [
      page.party('from', { name: 1.7, joined: true, reach: 'none' }),
      page.gap(16),
      page.beside(page.party('to', 'window'), page.about(['columns', 'right', 'grid'], { ...account, scale: 0.9 })),
      page.title({ scale: 1.3 }),
      page.movements({ ends: true, short: true, carries: true, room: 80 }),
      page.sums({ at: ['left'], look: ['leaders', 'right-colon'], share: 0.55, only: moves }),
      page.remarks(),
      page.foot({ sender: true }),
    ],
    { revise: (facts, random, locale) => ({ ...references(facts, random, locale), withValueDays: true }) },
  ),
  statement(
    'two-lists',
    [
      page.split(
        0.52,
        page.stack(page.party('from'), holder),
        page.about(['right-colon', 'ruled', 'value-first'], { scale: 0.9 }),
      ),
      page.title({ scale: 1.2 }),
      page.sums({ at: ['full'], look: ['stacked', 'leaders', 'table'] }),
      page.twoLists(['moneyIn', 'moneyOut'], {
        cells: ['date', 'details', 'amount'],
        sign: ['unsigned', 'both', 'minus'],
        days: 'each',
        ends: false,
      }),
      page.remarks(),
    ],
    { revise: creditsFirst },
  ),
  statement('figures-first', [
    page.beside(page.party('from'), holder, page.about(['stacked', 'under', 'value-first'], { scale: 0.88 })),
    page.title({ scale: 1.5 }),
    page.sums({ at: ['left'], look: ['right-colon', 'leaders', 'ruled'], share: 0.5 }),
    page.movements({
      cells: ['date', 'value', 'amount', 'balance', 'details'],
      sign: ['minus', 'brackets', 'both'],
      ends: false,
    }),
    page.remarks(),
  ]),
  statement(
    'sign-column',
    [
      page.title({ scale: 1.3, upper: true, align: ['left', 'center'] }),
      page.about(['headed-row', 'boxes', 'columns']),
      page.beside(holder, page.party('from', { reach: 'run-on' })),
      page.movements({
        cells: ['date', 'details', 'amount', 'sign', 'balance'],
        sign: ['unsigned'],
        short: true,
        ends: false,
        room: 110,
      }),
      page.sums({ share: 0.5, look: ['leaders', 'ruled', 'right-colon'] }),
      page.remarks(),
    ],
    { revise: half(references) },
  ),
  statement(
    'carried-over-pages',
    [
      page.runningHead,
      page.split(0.52, holder, page.about(['leaders', 'right-colon', 'ruled'], account)),
      page.movements({ ends: true, carries: true, head: true, short: true, table: { padding: 5 }, room: 80 }),
      page.sums({ at: ['full'], look: ['run-on', 'leaders'], only: moves }),
      page.remarks(),
      page.foot({ sender: true }),
    ],
    { revise: (facts) => ({ ...facts, withBalances: true }) },
  ),
  statement('balances-first', [
    page.beside(page.party('from', { name: 1.4 }), page.party('to', { title: 'bold', align: 'right' })),
    page.sums({ at: ['full'], look: ['boxes'], scale: 1.15 }),
    page.title({ scale: 1, align: ['center'], with: 'period' }),
    page.about(['inline'], { without: ['holder', 'period'] }),
    page.movements({ short: true, sign: ['minus', 'letters'] }),
  ]),
  statement('bracketed', [
    page.title({ scale: 1.4, align: ['center'], upper: true }),
    page.split(0.36, holder, page.about(['grid'], account)),
    page.sums({ look: ['inline', 'spread'], only: ['opening'] }),
    page.movements({ ends: false, short: false }),
    page.sums({ look: ['inline', 'spread'], without: ['opening'] }),
    page.footLine,
  ]),
  statement(
    'card-equation',
    [
      page.split(0.53, bank, page.about(['spread'], account)),
      page.part(0.5, titled),
      page.title({ scale: 1.5 }),
      page.equation,
      page.movements({ ends: false, short: true, sign: ['minus', 'trailing'] }),
      page.remarks(),
    ],
    { revise: cardAccount },
  ),
  statement(
    'supplier-account',
    [
      page.title({ scale: 1.7 }),
      page.beside(page.party('to', { title: 'bold' }), page.party('from')),
      page.about(['headed-row'], account),
      page.movements({
        cells: ['date', 'document', 'details', 'out', 'in', 'balance'],
        sign: ['minus'],
        ends: true,
        days: 'each',
      }),
      page.sums({ look: ['ruled-sums'], share: 0.54, without: ['opening'] }),
    ],
    { revise: supplierAccount },
  ),
  statement('app-export', [
    page.party('from', { name: 1.3, joined: true, reach: 'run-on', logo: true }),
    page.title({ scale: 1.9, with: 'period' }),
    page.party('to', { title: 'bold' }),
    page.about(['spread'], { without: ['holder', 'period'] }),
    page.sums({ at: ['full'], look: ['spread'] }),
    page.movementList('app'),
  ]),
  statement(
    'sideways-statement',
    [
      page.beside(
        page.party('from', { name: 1.3 }),
        page.party('to', { title: 'bold' }),
        page.about(['columns'], account),
      ),
      page.title({ scale: 1.3, align: ['center'] }),
      page.movements({
        cells: ['row', 'date', 'value', 'document', 'details', 'out', 'in', 'balance'],
        sign: ['minus'],
        days: 'each',
      }),
      page.sums({ at: ['full'], look: ['headed-row'] }),
    ],
    { sideways: true, revise: withEverything },
  ),
  statement('halves', [
    page.oneOf(bank, page.party('from', { align: 'right' })),
    page.title({ align: ['left', 'center', 'right'] }),
    titled,
    page.aboutHalves(['columns', 'inline', 'spread'], account),
    page.sums({ at: ['full', 'right'], look: [...page.BROAD, 'grid', 'ruled'] }),
    page.movements(),
    page.remarks(),
  ]),
]
