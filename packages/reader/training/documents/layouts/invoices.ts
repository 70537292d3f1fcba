import type { InvoiceFacts } from '../facts/invoice.ts'
import { composed } from './composed.ts'
import type { Layout } from './layout.ts'
import * as page from './page.ts'
import { byRates, half, partPaid, stay, unpaid, withDiscounts, withGross } from './revisions.ts'
import { invoiceSheet } from './sheet.ts'

const invoice = page.pageOf(invoiceSheet)
const parties = page.beside(page.party('to', 'titled'), page.party('shipTo', 'titled'))
const lines = ['inline', 'columns', 'run-on'] as const

export const invoiceLayouts: readonly Layout<InvoiceFacts>[] = [
  composed(invoice, 'composed-invoice'),
  invoice('letterhead-left', [
    page.split(
      0.56,
      page.oneOf(page.party('from', { name: 1.5, logo: true }), page.party('from', { name: 1.5 })),
      page.stack(page.title({ scale: 2.2, align: ['left', 'right'], accent: true }), page.about(page.NARROW)),
    ),
    parties,
    page.items({ carries: true }),
    page.sums(),
    page.remarks({ bank: lines, share: 0.5 }),
  ]),
  invoice('business-letter', [
    page.title({ scale: 1.7, accent: true, logo: 'right' }),
    page.gap(30),
    page.split(0.56, page.party('to', 'window'), page.about(['columns', 'spread', 'inline'])),
    page.gap(14),
    page.title({ scale: 1.5, with: 'number' }),
    page.items(),
    page.sums({ look: ['plain', 'rule-last', 'total-grid'] }),
    page.remarks({ share: 0.8 }),
    page.foot({ sender: true }),
  ]),
  invoice('colour-band', [
    page.band,
    page.about(['boxes', 'headed-row']),
    page.beside(page.party('from', 'titled'), page.party('to', 'titled')),
    page.items(),
    page.beside(page.remarks({ bank: ['above', 'inline', 'columns'] }), page.sums({ share: 1 })),
  ]),
  invoice('side-column-left', [
    page.sideColumn(
      'left',
      page.stack(
        page.party('from', { scale: 0.85, name: 1.15 }),
        page.about(['above'], { scale: 0.9 }),
        page.bank(['above'], { scale: 0.8 }),
      ),
      page.stack(
        page.title({ scale: 2.4, accent: true }),
        page.party('to', 'titled'),
        page.items({ text: 'cell', cells: ['description', 'quantity', 'price', 'amount'] }),
        page.sums({ share: 0.65, look: ['plain', 'rule-last', 'band-last'] }),
        page.remarks(),
      ),
    ),
  ]),
  invoice('side-column-right', [
    page.sideColumn(
      'right',
      page.stack(page.title({ scale: 1.2 }), page.about(['above']), page.bank(['above'], { scale: 0.8 })),
      page.stack(
        page.party('from'),
        page.gap(16),
        page.oneOf(page.party('to'), page.party('to', 'titled')),
        page.items({ cells: ['quantity+unit', 'description', 'price', 'amount'], table: { padding: 2.5 } }),
        page.sums({ share: 0.7, look: ['plain', 'rule-last', 'leaders'] }),
        page.remarks(),
      ),
    ),
  ]),
  invoice('captions', [
    page.party('from', { reach: 'run-on', joined: true, name: 1.3 }),
    page.title({ scale: 3, face: 'regular', accent: true }),
    page.about(['stacked']),
    parties,
    page.items({ table: { lines: 'none' } }),
    page.sums({ at: ['left'] }),
    page.remarks({ bank: lines, share: 0.7 }),
  ]),
  invoice('centred-head', [
    page.party('from', { align: 'center', name: 1.8, joined: true }),
    page.rule({ thickness: 1.2, accent: true }),
    page.title({ scale: 1.8, align: ['center'] }),
    page.aboutHalves(['columns', 'inline', 'spread']),
    page.party('to', { title: 'bold', joined: true }),
    page.items(),
    page.sums({ at: ['full'], look: ['total-grid', 'rule-last', 'plain'] }),
    page.remarks({ bank: ['inline'] }),
  ]),
  invoice('boxed-form', [
    page.title({ scale: 1.7, align: ['center', 'right'], upper: true }),
    page.beside(page.framed(page.party('from')), page.about(['grid'])),
    page.beside(page.framed(page.party('to', { title: 'small' })), page.party('shipTo', { title: 'small' })),
    page.items({ table: { lines: 'grid', header: 'tint' } }),
    page.split(0.58, page.remarks({ bank: ['columns'] }), page.sums({ share: 1, look: ['total-grid'] })),
  ]),
  invoice('window-letter', [
    page.party('from', { name: 2, align: 'right', joined: true, reach: 'run-on', scale: 0.85 }),
    page.gap(24),
    page.split(
      0.54,
      page.party('to', 'window'),
      page.about(['right-colon', 'ruled', 'leaders'], { without: ['invoiceNumber'] }),
    ),
    page.title({ scale: 1.3, with: 'label+number' }),
    page.opening,
    page.items({ cells: ['position', 'quantity+unit', 'description', 'price', 'amount'], carries: true, room: 240 }),
    page.sums({ look: ['plain', 'rule-last', 'ruled'] }),
    page.remarks(),
    page.printedLine('closing'),
    page.foot({ sender: true }),
  ]),
  invoice('ruled-data-table', [
    page.party('from', { align: 'center', reach: 'run-on' }),
    page.title({ scale: 1.5, align: ['center'], upper: true }),
    parties,
    page.about(['table'], { scale: 0.92 }),
    page.items({ inTable: 1, table: { lines: 'grid' } }),
    page.remarks({ bank: ['run-on', 'table', 'under'] }),
  ]),
  invoice('sender-at-foot', [
    page.title({ scale: 2.2, face: 'regular', logo: 'left' }),
    page.oneOf(
      page.split(0.58, page.about(['stacked', 'under', 'value-first']), page.party('to')),
      page.beside(page.party('to', 'titled'), page.about(page.NARROW)),
    ),
    page.items({ sections: true, room: 260 }),
    page.sums({ look: ['leaders', 'right-colon', 'plain', 'boxed'], at: ['right', 'left'] }),
    page.remarks({ share: 0.8 }),
    page.foot({ sender: true }),
  ]),
  invoice('sender-line-at-foot', [
    page.title({ scale: 1.6, align: ['right'], accent: true, with: 'label+number' }),
    page.party('to', { title: 'bold' }),
    page.part(0.62, page.about(['columns', 'grid'], { without: ['invoiceNumber'] })),
    page.items(),
    page.beside(page.sums({ share: 1, look: ['boxed'] }), page.framed(page.bank(['above']), { radius: 4 })),
    page.remarks(),
    page.footLine,
  ]),
  invoice(
    'tax-by-rate',
    [
      page.beside(
        page.party('from', { reach: 'run-on' }),
        page.party('to', 'titled'),
        page.about(['above', 'inline', 'spread'], { scale: 0.9 }),
      ),
      page.rule({ thickness: 2, accent: true }),
      page.title({ scale: 1.7 }),
      page.items({ head: true }),
      page.split(0.45, page.maybe(0.6, page.rates), page.sums({ share: 0.9 })),
      page.remarks({ bank: ['run-on', 'under', 'stacked'] }),
    ],
    { revise: byRates },
  ),
  invoice('due-box', [
    page.beside(
      page.stack(page.title({ scale: 1.3, face: 'regular' }), page.party('to')),
      page.party('from', { align: 'right', reach: 'run-on' }),
    ),
    page.dueNote('box'),
    page.about(['run-on', 'stacked', 'under']),
    page.items({ inTable: 1, cells: ['description', 'quantity+unit', 'price', 'amount'] }),
    page.remarks({ bank: ['run-on', 'leaders'] }),
  ]),
  invoice(
    'due-sentence',
    [
      page.title({ scale: 2.1, logo: 'right' }),
      page.part(0.5, page.about(['columns'])),
      page.beside(page.party('from'), page.party('to', { title: 'bold' })),
      page.dueNote('sentence'),
      page.items({ table: { lines: 'none', header: 'rule' } }),
      page.sums({ look: ['ruled-sums'], share: 0.5 }),
      page.remarks({ bank: ['columns'] }),
    ],
    { revise: unpaid },
  ),
  invoice(
    'net-and-gross',
    [
      page.title({ scale: 1.8, with: 'number', align: ['left', 'right', 'center'] }),
      page.about(['run-on', 'table', 'stacked'], { without: ['invoiceNumber'] }),
      page.oneOf(
        page.beside(page.party('from', 'titled'), page.party('to', 'titled')),
        page.beside(page.party('to', 'titled'), page.party('from', 'titled')),
      ),
      page.items({ money: 'none', table: { padding: 2 } }),
      page.maybe(0.5, page.part(0.6, page.rates)),
      page.sums({ look: ['plain', 'right-colon', 'rule-last', 'band-last'] }),
      page.remarks({ bank: ['leaders', 'ruled', 'run-on'] }),
    ],
    { revise: withGross },
  ),
  invoice(
    'line-discounts',
    [
      page.beside(
        page.party('from', { logo: true }),
        page.stack(page.party('to', 'titled'), page.party('shipTo', { title: 'small' })),
        page.stack(
          page.title({ scale: 1.6, align: ['right'], accent: true }),
          page.about(['right-colon', 'ruled', 'value-first'], { scale: 0.92 }),
        ),
      ),
      page.items({ cells: ['position', 'sku', 'description', 'quantity', 'price', 'discount', 'amount'] }),
      page.split(0.52, page.remarks({ bank: lines }), page.sums({ share: 1 })),
    ],
    { revise: withDiscounts },
  ),
  invoice(
    'text-over-figures',
    [
      page.oneOf(
        page.party('from', { joined: true, name: 1.5 }),
        page.party('from', { joined: true, name: 1.5, align: 'right' }),
      ),
      page.rule(),
      page.beside(page.party('to', 'titled'), page.about(['columns', 'spread', 'right', 'inline'])),
      page.title({ scale: 1.5 }),
      page.oneOf(
        page.items({ text: 'over', cells: ['position', 'sku', 'quantity', 'unit', 'price', 'amount'] }),
        page.items({ text: 'under', cells: ['sku', 'quantity+unit', 'price', 'amount'] }),
      ),
      page.sums({ at: ['left'], look: ['plain', 'leaders', 'ruled', 'boxed'] }),
      page.remarks({ bank: ['run-on', 'stacked'] }),
    ],
    { revise: half(partPaid) },
  ),
  invoice('long-table', [
    page.framed(
      page.beside(
        page.party('from', { reach: 'run-on' }),
        page.stack(page.title({ scale: 1.5 }), page.about(['leaders', 'ruled', 'right-colon'], { scale: 0.9 })),
      ),
    ),
    page.oneOf(page.part(0.5, page.party('to')), page.part(0.48, page.party('to'), 'right')),
    page.items({ carries: true, head: true, sections: true, table: { padding: 5 }, money: 'none' }),
    page.sums({ share: 0.5 }),
    page.remarks(),
    page.foot({ sender: false }),
  ]),
  invoice('total-in-panel', [
    page.beside(
      page.party('from', { logo: true }),
      page.framed(
        page.stack(page.title({ scale: 1.5 }), page.about(['spread']), page.sums({ only: ['total'], share: 1 })),
        {
          radius: 6,
          accent: true,
        },
      ),
    ),
    page.party('to', { title: 'small' }),
    page.items(),
    page.sums({ at: ['full'], look: ['boxes', 'headed-row'] }),
    page.remarks({ bank: ['inline'] }),
  ]),
  invoice('data-beside-items', [
    page.title({ scale: 2 }),
    page.rule({ thickness: 2, accent: true }),
    page.beside(page.party('to', { title: 'bold' }), page.party('from', { title: 'bold', align: 'right' })),
    page.split(
      0.78,
      page.items({ cells: ['description', 'quantity', 'price', 'amount'], room: 60 }),
      page.about(['above'], { scale: 0.88 }),
    ),
    page.part(0.78, page.sums({ look: ['rule-last', 'plain'] })),
    page.remarks({ bank: ['columns'] }),
  ]),
  invoice(
    'payment-slip',
    [
      page.party('from', { joined: true, reach: 'run-on', name: 1.5, logo: true }),
      page.rule({ thickness: 3, accent: true }),
      page.beside(page.party('to', { title: 'small' }), page.about(['spread'])),
      page.title({ scale: 1.6 }),
      page.items({ room: 220 }),
      page.sums({ look: ['plain'] }),
      page.remarks(),
      page.slip,
    ],
    { revise: unpaid },
  ),
  invoice(
    'hotel-folio',
    [
      page.party('from', { align: 'center', name: 1.8, joined: true }),
      page.printedLine('folio', { align: 'center', face: 'bold' }),
      page.title({ scale: 1.2, align: ['center'] }),
      page.beside(page.party('to', { title: 'bold' }), page.about(['right'])),
      page.items({ cells: ['description', 'amount'], money: 'none' }),
      page.sums({ look: ['ruled-sums'], share: 0.54 }),
      page.remarks(),
    ],
    { revise: stay },
  ),
  invoice('item-cards', [
    page.title({ scale: 1.7, align: ['right'], accent: true, face: 'regular' }),
    page.about(['headed-row']),
    page.beside(
      page.party('to', { title: 'small' }),
      page.party('shipTo', { title: 'small' }),
      page.party('from', { title: 'small' }),
    ),
    page.itemList('cards'),
    page.sums({ at: ['full'], look: ['plain', 'rule-last'] }),
    page.remarks({ bank: ['inline'] }),
  ]),
  invoice(
    'sideways-invoice',
    [
      page.title({ scale: 1.5, align: ['center'] }),
      page.beside(
        page.party('from', { title: 'band' }),
        page.party('to', { title: 'band' }),
        page.about(['columns', 'grid']),
      ),
      page.items({ table: { padding: 2.5 }, room: 120 }),
      page.split(
        0.6,
        page.remarks({ bank: ['columns'] }),
        page.sums({ share: 0.9, look: ['boxed', 'total-grid', 'band-last'] }),
      ),
    ],
    { sideways: true },
  ),
]
