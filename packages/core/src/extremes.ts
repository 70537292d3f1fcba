/** The smallest of any number of numbers; Infinity of none. `Math.min(...)` fails for more than some 100,000. */
export function least(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const number of numbers) if (number < found) found = number
  return found
}

/** The largest of any number of numbers; -Infinity of none. */
export function greatest(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY
  for (const number of numbers) if (number > found) found = number
  return found
}
