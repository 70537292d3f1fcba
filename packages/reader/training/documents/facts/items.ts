import type { Day } from '../dates.ts'
import type { Random } from '../random.ts'
import type { Locale, Product } from '../words.ts'

/** One line of an invoice or order. Money in cents; null where it is not printed. */
export interface LineItem {
  readonly description: string
  /** A smaller second line below the description. */
  readonly note: string | null
  readonly sku: string | null
  readonly quantity: number | null
  readonly unit: string | null
  readonly unitCents: number | null
  readonly amountCents: number
  /** Percent, when lines have their own rates. */
  readonly taxRate?: number
  /** Percent, when lines have their own discounts. */
  readonly discountPercent?: number
  /** The amount with tax, when a line prints both. */
  readonly grossCents?: number
  /** The delivery date of the line, when lines have their own. */
  readonly wantedDay?: Day
}

export interface Totals {
  readonly subtotalCents: number | null
  readonly discountCents: number | null
  readonly shippingCents: number | null
  /** Percent. */
  readonly taxRate: number | null
  readonly taxCents: number | null
  readonly totalCents: number
  /** An earlier payment, printed with the remaining amount below the total. */
  readonly paidCents: number | null
}

/** A price in cents between two bounds in whole currency units, with a typical ending. */
export function priceCents(random: Random, [, low, high]: Product): number {
  const cents = Math.round((low + (high - low) * random.next() ** 1.6) * 100)
  if (cents < 500) return Math.max(1, cents)
  return random.weighted(
    [3, cents],
    [3, Math.round(cents / 100) * 100 - 1],
    [2, Math.round(cents / 50) * 50],
    [2, Math.round(cents / 100) * 100],
  )
}

export interface ItemPlan {
  readonly count: number
  /** Only amounts are printed, no quantities and prices. */
  readonly amountsOnly: boolean
  readonly withSku: boolean
  readonly withUnit: boolean
  readonly withNotes: boolean
}

export function pickItemPlan(random: Random): ItemPlan {
  const amountsOnly = random.chance(0.12)
  return {
    count: random.weighted(
      [5, random.int(1, 4)],
      [5, random.int(3, 9)],
      [1.2, random.int(12, 22)],
      [0.8, random.int(28, 60)],
    ),
    amountsOnly,
    withSku: !amountsOnly && random.chance(0.45),
    withUnit: !amountsOnly && random.chance(0.25),
    withNotes: random.chance(0.25),
  }
}

export function makeItems(random: Random, locale: Locale, plan: ItemPlan): LineItem[] {
  const { goods, services } = locale
  const isService = random.chance(0.35)
  const list = isService ? services : goods
  const skuForm = random.pick(['@@-####', '######', '@###.##', '##-####-@', '#######', '@@@####'])
  const chosen: Product[] = []
  while (chosen.length < plan.count) chosen.push(...random.sample(list, plan.count - chosen.length))
  return chosen.map((product) => {
    const price = priceCents(random, product)
    const quantity = pickQuantity(random, product, isService)
    return {
      description: product[0],
      note: plan.withNotes && random.chance(0.5) ? locale.pick(random, 'itemNotes') : null,
      sku: plan.withSku ? random.fill(skuForm) : null,
      quantity: plan.amountsOnly ? null : quantity,
      unit: plan.withUnit ? (product[3] ?? '') : null,
      unitCents: plan.amountsOnly ? null : price,
      amountCents: Math.round(price * quantity),
    }
  })
}

function pickQuantity(random: Random, [, , high]: Product, isService: boolean): number {
  if (high < 1) return random.pick([500, 1000, 250, 1200, 3450, 2000])
  if (isService) return random.weighted([4, random.int(1, 12)], [2, random.int(1, 40) / 2], [1, random.int(5, 60) / 4])
  if (high < 20) return random.pick([5, 10, 12, 20, 24, 25, 48, 50, 100, random.int(2, 90)])
  return random.weighted([5, 1], [5, random.int(2, 6)], [1, random.int(5, 30)])
}

/**
 * The sums below the items: subtotal − discount + shipping, tax on that, and the total. Each step is rounded to the
 * cent. Sums that are not printed are null; the total is always printed.
 */
export function makeTotals(random: Random, locale: Locale, items: readonly LineItem[]): Totals {
  const subtotal = items.reduce((sum, item) => sum + item.amountCents, 0)
  const discount = random.chance(0.15) ? Math.round((subtotal * random.pick([2, 3, 5, 10])) / 100) : 0
  const shipping = random.chance(0.3) ? random.pick([490, 595, 750, 990, 1200, 1500, 2500, 3900]) : 0
  const rate = random.chance(0.9) ? random.pick(locale.taxRates) : 0
  const taxable = subtotal - discount + shipping
  const tax = Math.round((taxable * rate) / 100)
  const hasParts = discount > 0 || shipping > 0 || rate > 0
  const showsSubtotal = hasParts || random.chance(0.5)
  return {
    subtotalCents: showsSubtotal ? subtotal : null,
    discountCents: discount > 0 ? discount : null,
    shippingCents: shipping > 0 ? shipping : null,
    taxRate: rate > 0 && random.chance(0.85) ? rate : null,
    taxCents: rate > 0 ? tax : null,
    totalCents: taxable + tax,
    paidCents: null,
  }
}
