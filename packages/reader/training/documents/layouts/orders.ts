import type { OrderFacts } from '../facts/order.ts'
import { composed } from './composed.ts'
import type { Layout } from './layout.ts'
import * as page from './page.ts'
import { byRates, half, netOnly, wantedDays, withDiscounts } from './revisions.ts'
import { orderSheet } from './sheet.ts'

const order = page.pageOf(orderSheet)
const supplier = page.party('to', 'titled')
const delivery = page.party('shipTo', 'titled')
const buyer = page.party('from', 'titled')
const end = page.stack(page.remarks({ share: 0.6 }), page.signature)

export const orderLayouts: readonly Layout<OrderFacts>[] = [
  composed(order, 'composed-order'),
  order('buyer-head', [
    page.party('from', { name: 1.4 }),
    page.title({ scale: 2, accent: true, align: ['left', 'center'], logo: 'right' }),
    page.about(['boxes', 'headed-row']),
    page.beside(supplier, delivery),
    page.items(),
    page.sums(),
    end,
  ]),
  order('three-parties', [
    page.beside(page.title({ scale: 2.2 }), page.about(['columns', 'grid', 'right', 'spread'])),
    page.rule({ accent: true }),
    page.beside(buyer, supplier, delivery),
    page.items(),
    page.sums({ look: ['plain', 'band-last', 'rule-last'] }),
    end,
  ]),
  order('boxed-form', [
    page.title({ scale: 1.7, align: ['center'], upper: true }),
    page.beside(page.framed(page.party('from')), page.about(['grid'])),
    page.framed(page.beside(page.party('to', { title: 'small' }), page.party('shipTo', { title: 'small' }))),
    page.items(),
    page.sums({ look: ['total-grid'] }),
    end,
  ]),
  order('order-letter', [
    page.party('from', { name: 1.6, joined: true, scale: 0.8, logo: true }),
    page.gap(20),
    page.split(
      0.52,
      page.oneOf(page.party('to'), page.party('to', { title: 'small' })),
      page.about(['columns', 'inline', 'spread', 'right']),
    ),
    page.title({ scale: 1.5, with: 'number' }),
    page.party('shipTo', { title: 'bold', joined: true }),
    page.items(),
    page.sums({ look: ['plain', 'rule-last'] }),
    end,
  ]),
  order('panel-right', [
    page.band,
    page.split(0.62, page.stack(buyer, supplier, delivery), page.framed(page.about(['above']), { accent: true })),
    page.items(),
    page.sums({ look: ['band-last', 'plain'] }),
    end,
  ]),
  order('centred-head', [
    page.party('from', { align: 'center', name: 1.6, joined: true }),
    page.rule(),
    page.title({ scale: 1.6, align: ['left', 'center'] }),
    page.aboutHalves(['columns', 'inline']),
    page.beside(page.party('to', { title: 'bold' }), page.party('shipTo', { title: 'bold' })),
    page.items(),
    page.sums({ at: ['full'], look: ['rule-last', 'total-grid'] }),
    end,
  ]),
  order(
    'window-order',
    [
      page.title({ scale: 1.4, accent: true, align: ['right', 'center', 'left'] }),
      page.gap(26),
      page.split(
        0.52,
        page.party('to', 'window'),
        page.about(['right-colon', 'ruled', 'stacked'], { without: ['orderNumber'] }),
      ),
      page.title({ scale: 1.35, with: 'label+number' }),
      page.opening,
      page.items({
        cells: ['position', 'sku', 'description', 'wanted', 'quantity+unit', 'price', 'amount'],
        money: 'none',
        room: 230,
      }),
      page.sums({ look: ['plain', 'rule-last', 'leaders'] }),
      page.party('shipTo', { title: 'colon', joined: true }),
      page.printedLine('closing'),
      page.remarks(),
      page.foot({ sender: true }),
    ],
    { revise: half(wantedDays) },
  ),
  order('ruled-data-table', [
    page.title({ scale: 1.9, upper: true, logo: 'right' }),
    page.beside(
      page.party('to', { title: 'band' }),
      page.party('shipTo', { title: 'band' }),
      page.party('from', { title: 'band' }),
    ),
    page.about(['table'], { scale: 0.92 }),
    page.items({ inTable: 1 }),
    end,
  ]),
  order('buyer-at-foot', [
    page.title({ scale: 1.8, with: 'number', logo: 'left' }),
    page.printedLine('revision', { align: 'right' }),
    page.about(['under', 'stacked']),
    page.beside(supplier, delivery),
    page.items({ sections: true, cells: ['description', 'sku', 'quantity', 'unit', 'price', 'amount'], room: 220 }),
    page.sums({ look: ['boxed', 'plain', 'right-colon', 'ruled'], share: 0.5 }),
    end,
    page.foot({ sender: true }),
  ]),
  order(
    'memo',
    [
      page.title({ scale: 1.3, align: ['center', 'left'] }),
      page.oneOf(page.partyLines('stacked'), page.partyLines('beside')),
      page.about(['columns', 'inline']),
      page.rule({ dash: true }),
      page.oneOf(
        page.items({
          text: 'over',
          cells: ['position', 'sku', 'quantity+unit', 'price', 'amount'],
          numbering: 'zeros',
        }),
        page.items({ text: 'under', cells: ['quantity', 'unit', 'sku', 'price', 'amount'] }),
      ),
      page.sums({ at: ['left'], look: ['leaders', 'plain', 'right-colon'] }),
      end,
    ],
    { revise: half(netOnly) },
  ),
  order('side-column-left', [
    page.sideColumn(
      'left',
      page.stack(page.gap(30), page.about(['above'], { scale: 0.95 })),
      page.stack(
        page.title({ scale: 2, align: ['left', 'right'] }),
        page.party('from'),
        supplier,
        delivery,
        page.items({ cells: ['position', 'description', 'quantity+unit', 'price', 'amount'], table: { padding: 2.5 } }),
        page.sums({ share: 0.7, look: ['plain', 'rule-last', 'ruled'] }),
        end,
      ),
    ),
  ]),
  order('parties-in-column', [
    page.about(['boxes', 'headed-row']),
    page.title({ scale: 2, align: ['right'], face: 'regular', accent: true }),
    page.split(
      0.28,
      page.stack(
        page.party('from', { title: 'small', scale: 0.85 }),
        page.party('to', { title: 'small', scale: 0.85 }),
        page.party('shipTo', { title: 'small', scale: 0.85 }),
      ),
      page.stack(
        page.items({ cells: ['description', 'quantity', 'price', 'amount'], room: 150 }),
        page.sums({ share: 0.6 }),
      ),
    ),
    end,
  ]),
  order(
    'line-discounts',
    [
      page.split(
        0.52,
        page.party('from', { reach: 'run-on' }),
        page.stack(
          page.title({ scale: 1.6, align: ['right'], accent: true }),
          page.about(['value-first', 'right-colon', 'ruled', 'leaders']),
        ),
      ),
      page.rule({ thickness: 1.5, accent: true }),
      page.beside(supplier, delivery),
      page.items({
        cells: ['position', 'sku', 'description', 'quantity', 'unit', 'price', 'discount', 'amount'],
        money: 'none',
      }),
      page.sums(),
      end,
    ],
    { revise: withDiscounts },
  ),
  order(
    'long-order',
    [
      page.title({ scale: 1.5, align: ['center'] }),
      page.framed(
        page.beside(
          page.stack(page.party('to', { title: 'small' }), page.party('from', { title: 'small' })),
          page.stack(
            page.about(['leaders', 'right-colon', 'stacked'], { scale: 0.92 }),
            page.party('shipTo', { title: 'small' }),
          ),
        ),
      ),
      page.items({ carries: true, head: true, money: 'none', table: { padding: 5 } }),
      page.sums({ share: 0.5, look: ['rule-last', 'plain', 'leaders'] }),
      end,
    ],
    { revise: half(byRates) },
  ),
  order('cell-form', [
    page.title({ scale: 1.6, align: ['left', 'right', 'center'] }),
    page.beside(page.framed(page.party('from', { title: 'small' })), page.framed(page.party('to', { title: 'small' }))),
    page.party('shipTo', { title: 'small' }),
    page.about(['numbered', 'boxes', 'strip']),
    page.items(),
    page.sums({ at: ['full'], look: ['strip', 'boxes'] }),
    end,
  ]),
  order('data-below', [
    page.title({ scale: 1.3, with: 'number' }),
    page.part(0.5, page.about(['columns'], { only: ['orderNumber', 'orderDate'] })),
    page.beside(page.party('to', { title: 'band' }), page.party('from', { title: 'band' })),
    page.items(),
    page.beside(
      page.about(['columns', 'above'], { without: ['orderNumber', 'orderDate'] }),
      page.sums({ share: 1, look: ['boxed', 'plain'] }),
    ),
    page.party('shipTo', { title: 'small' }),
    end,
  ]),
  order('numbered-sections', [
    page.title({ scale: 1.7 }),
    page.heading('formSections', 0),
    page.about(['columns'], { only: ['orderNumber', 'orderDate', 'contact', 'reference'] }),
    page.heading('formSections', 1),
    page.party('from', { title: 'beside' }),
    page.party('to', { title: 'beside' }),
    page.heading('formSections', 2),
    page.items(),
    page.sums({ look: ['ruled-sums'], share: 0.55 }),
    page.heading('formSections', 3),
    page.party('shipTo', { title: 'beside' }),
    page.about(['columns'], { only: ['deliveryDate', 'shippingTerms'] }),
    page.heading('formSections', 4),
    page.about(['columns'], { only: ['terms', 'currency'] }),
    end,
  ]),
  order(
    'sideways-order',
    [
      page.title({ scale: 1.5, accent: true }),
      page.framed(
        page.beside(
          page.about(['above'], { scale: 0.9 }),
          page.party('to', { title: 'bold', scale: 0.9 }),
          page.party('from', { title: 'bold', scale: 0.9 }),
          page.party('shipTo', { title: 'bold', scale: 0.9 }),
        ),
      ),
      page.items({ room: 130 }),
      page.split(0.62, page.remarks(), page.sums({ share: 1, look: ['total-grid', 'boxed'] })),
    ],
    { sideways: true },
  ),
  order('parties-last', [
    page.title({ scale: 1.8, align: ['center'] }),
    page.part(0.6, page.about(['inline', 'columns'], { only: ['orderNumber', 'orderDate'] })),
    page.items(),
    page.sums({ at: ['full'], look: ['plain', 'band-last'] }),
    page.rule({ thickness: 1.5, accent: true }),
    page.beside(
      page.party('from', { title: 'bold' }),
      page.party('to', { title: 'bold' }),
      page.party('shipTo', { title: 'bold' }),
    ),
    page.about(['inline'], { without: ['orderNumber', 'orderDate'] }),
    end,
  ]),
  order('broad-data', [
    page.maybe(0.5, page.band),
    page.beside(page.stack(page.title(), page.party('from')), page.stack(supplier, delivery)),
    page.about(['run-on', 'stacked', 'under', 'table']),
    page.items({ inTable: 0.4 }),
    end,
  ]),
]
