import { drawPairs, drawParty, type Pair, type PairsLook, type Place } from '../blocks.ts'
import { drawTotals, type TotalsLook } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import { frameOf } from './layout.ts'
import type { ItemCell, ItemSpec } from './wide-items.ts'
import { drawName, drawReach, drawTitledName, drawWidePairs, drawWindow, type WidePairsLook } from './wide-parts.ts'

const SHORT_LOOKS: readonly PairsLook[] = ['columns', 'inline', 'above', 'right', 'spread', 'grid']
const SHORT_WIDE: readonly WidePairsLook[] = ['right-colon', 'value-first', 'leaders', 'ruled', 'under', 'stacked']
const BROAD_LOOKS: readonly PairsLook[] = ['boxes', 'headed-row']
const BROAD_WIDE: readonly WidePairsLook[] = ['table', 'under', 'stacked', 'run-on']

/** Pairs in any of the looks that fit a narrow or a broad place. */
export function drawAnyPairs(press: Press, at: Place & { pairs: readonly Pair[]; isBroad: boolean }): number {
  const { random } = press
  const plain = at.isBroad ? BROAD_LOOKS : SHORT_LOOKS
  const wide = at.isBroad ? BROAD_WIDE : SHORT_WIDE
  const look = random.pick([...plain, ...wide])
  const known = plain.find((one) => one === look)
  if (known !== undefined) return drawPairs(press, { ...at, look: known })
  return drawWidePairs(press, { ...at, look: wide.find((one) => one === look) ?? 'ruled' })
}

/** Sums in any of the looks that they have. */
export function drawAnyTotals(press: Press, at: Place & { pairs: readonly Pair[] }): number {
  const { random } = press
  const totals: readonly TotalsLook[] = ['plain', 'ruled', 'boxed', 'band-last', 'grid']
  const wide: readonly WidePairsLook[] = ['leaders', 'ruled', 'right-colon']
  const look = random.pick([...totals, ...wide])
  const known = totals.find((one) => one === look)
  if (known !== undefined) return drawTotals(press, { ...at, look: known })
  return drawWidePairs(press, { ...at, look: wide.find((one) => one === look) ?? 'ruled' }) + 4
}

/** The side that sends the document, at the head of the page. */
export function drawHead(press: Press, sender: Party, title: string): number {
  const { random, style } = press
  const frame = frameOf(press)
  const half = frame.width * 0.5
  const isMirrored = random.chance(0.35)
  const [near, far] = isMirrored ? [frame.x + half, frame.x] : [frame.x, frame.x + half]
  const titleAt = random.pick(['beside', 'under', 'over', 'centre'] as const)
  const size = style.size * random.pick([1.3, 1.7, 2.2])
  let { y } = frame
  if (titleAt === 'over') y = write(press, title, { ...frame, y, size, face: 'bold' }) + 8
  if (random.chance(0.3)) drawLogo(press, { x: far, y, size: 28 })
  const align = isMirrored ? random.pick(['left', 'right'] as const) : 'left'
  const look = random.pick(['lines', 'joined', 'name-first'] as const)
  const place = { x: near, y, width: half - 10 }
  let end: number
  if (look === 'name-first') {
    end = drawName(press, { ...place, party: sender, align, face: 'bold', size: style.size * 1.1 })
    end = drawReach(press, { ...place, y: end, party: sender, align })
  } else
    end = drawParty(press, {
      ...place,
      party: sender,
      look: {
        align,
        nameSize: style.size * random.pick([1, 1.4, 1.8]),
        ...(look === 'joined' ? { joined: random.pick([', ', ' · ', ' - ']) } : {}),
      },
    })
  if (titleAt === 'beside')
    end = Math.max(end, write(press, title, { x: far, y: y + 34, width: half - 10, size, face: 'bold' }))
  if (titleAt === 'under' || titleAt === 'centre')
    end = write(press, title, {
      ...frame,
      y: end + 10,
      size,
      face: 'bold',
      align: titleAt === 'centre' ? 'center' : 'left',
    })
  if (random.chance(0.3)) drawRule(press, { x: frame.x, y: end + 4, width: frame.width, colour: style.accent })
  return end + 12
}

export interface Titled {
  readonly title: string
  readonly party: Party
}

/** Parties beside or under each other, each under a title, with or without a window for the first. */
export function drawParties(press: Press, at: Place & { parties: readonly Titled[]; sender: Party }): number {
  const { random } = press
  const { parties, x, width } = at
  const tone = random.pick(['bold', 'small', 'band', 'colon'] as const)
  const [first] = parties
  if (parties.length === 1 && first !== undefined && random.chance(0.3))
    return drawWindow(press, { ...at, width: width * 0.5, sender: at.sender, to: first.party }) + 8
  const isStacked = random.chance(0.2)
  let { y } = at
  let deepest = y
  for (const [n, { title, party }] of parties.entries()) {
    const cell = width / (isStacked ? 1 : parties.length)
    const place = { x: isStacked ? x : x + n * cell, y, width: cell - 12 }
    const hasReach = party.email !== null || party.phone !== null || party.vatId !== null
    const end = hasReach
      ? drawParty(press, {
          ...place,
          party,
          look: { title, titleLook: tone === 'colon' ? 'bold' : tone },
        })
      : drawTitledName(press, { ...place, title, party, tone })
    deepest = Math.max(deepest, end)
    if (isStacked) y = end + 8
  }
  return deepest + 8
}

/** Draws each block where the last one ended, now and then in a frame. */
export function stackBlocks(press: Press, at: Place, blocks: readonly ((place: Place) => number)[]): number {
  let { y } = at
  for (const block of blocks) {
    const framed = press.random.chance(0.12)
    const inner = framed ? { x: at.x + 6, y: y + 6, width: at.width - 12 } : { ...at, y }
    const end = block(inner)
    if (framed) drawBox(press, { x: at.x, y, width: at.width, height: end - y + 2, stroke: press.style.grey })
    y = end + press.random.int(6, 16)
  }
  return y
}

/** Columns of items in an order of the document's own: words left of the figures, the amount last. */
export function anyItemSpec(random: Random): ItemSpec {
  const words: ItemCell[] = random.chance(0.3) ? ['description', 'sku'] : ['sku', 'description']
  const counts: ItemCell[] = random.chance(0.3)
    ? ['quantityUnit']
    : random.chance(0.3)
      ? ['unit', 'quantity']
      : ['quantity', 'unit']
  const figures: ItemCell[] = random.chance(0.2) ? ['price', ...counts] : [...counts, 'price']
  const order = random.chance(0.25)
    ? [...figures.filter((cell) => cell !== 'price'), ...words, 'price' as const]
    : [...words, ...figures]
  const extra: ItemCell[] = random.chance(0.3) ? ['discount', 'rate'] : []
  return {
    cells: [...(random.chance(0.4) ? ['position' as const] : []), ...order, ...extra, 'amount'],
    money: random.pick(['none', 'none', 'all', 'amount'] as const),
    text: random.weighted([
      [7, 'cell'],
      [1, 'over'],
      [1, 'under'],
    ]),
    sections: random.chance(0.08),
    numbering: random.pick(['plain', 'tens', 'zeros', 'dots'] as const),
  }
}
