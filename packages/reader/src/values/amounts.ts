/** An amount in minor units, such as cents. */
export const minorUnits = (amount: number): number => Math.round(amount * 100)

/** An amount rounded to a whole minor unit. */
export const toMinorUnit = (amount: number): number => minorUnits(amount) / 100

/**
 * The difference below which two amounts of a document agree, in currency units. `units` is the rounding error in minor units: half a
 * unit where both are printed or are sums of printed amounts, one where one is computed by a rate or a price, two where parts of a sum
 * were rounded separately. A tenth of a unit is added for floating-point errors.
 */
export const toleranceOf = (units = 0.5): number => units / 100 + 0.001

/** True when two amounts agree within the rounding error of `toleranceOf`. */
export const sameAmount = (a: number, b: number, units?: number): boolean => Math.abs(a - b) < toleranceOf(units)

/** The rounding error of a price per piece, in currency units. */
export const priceError = 0.0051

/** True when quantity × price equals the amount within the rounding errors of the price and the amount. */
export const isProduct = (quantity: number, price: number, amount: number): boolean =>
  Math.abs(quantity * price - amount) <= Math.max(toleranceOf(1), Math.abs(quantity) * priceError + toleranceOf())
