/** The similarity of two words, 0 to 1: equal, or one begins with the other's stem. */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return 1
  const shorter = Math.min(a.length, b.length)
  if (shorter < 3) return 0
  let shared = 0
  while (shared < shorter && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++
  if (shared >= 4 && shared / Math.max(a.length, b.length) >= 0.55) return 0.85
  if (shared === shorter && shared >= 3) return 0.75
  return 0
}

/** The share of `wanted` that `given` covers, and the share of `given` that is wanted; each word counts by its best match. */
export function overlap(wanted: readonly string[], given: readonly string[]): { recall: number; precision: number } {
  if (wanted.length === 0 || given.length === 0) return { recall: 0, precision: 0 }
  let recall = 0
  for (const word of wanted) recall += best(word, given)
  let precision = 0
  for (const word of given) precision += best(word, wanted)
  return { recall: recall / wanted.length, precision: precision / given.length }
}

function best(word: string, others: readonly string[]): number {
  let most = 0
  for (const other of others) {
    const now = wordLikeness(word, other)
    if (now > most) most = now
    if (most === 1) return 1
  }
  return most
}
