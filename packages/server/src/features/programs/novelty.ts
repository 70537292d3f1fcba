/**
 * What the documents looked like that a program was proved on: words that most of them share, and how few of these one of
 * them had; all words that they have, and how many unseen ones one of them had when it was held against the others.
 */
export interface Familiar {
  readonly words: readonly string[]
  /** A document with a smaller share of the shared words is of a kind that was not seen. */
  readonly shareMin: number
  readonly seen: readonly string[]
  /** A document in which a larger share of the words was never seen says something new. */
  readonly unseenMax: number
}

/** A word counts as shared when it stands in this part of the documents. */
const sharedBy = 0.6
const wordsMax = 200
/** Beyond so many words a vocabulary tells nothing, and takes long to load for each run. */
const seenMax = 2_000
/** Of what the least familiar document had, so much is asked: documents of one kind vary. */
const slack = 0.75
/** Fewer documents, or fewer shared words, tell nothing of their kind. */
const documentsMin = 3
const wordsMin = 3

/** Vocabularies as sets: a guard that serves is asked again and again. */
const seenSets = new WeakMap<readonly string[], ReadonlySet<string>>()

function setOf(seen: readonly string[]): ReadonlySet<string> {
  const known = seenSets.get(seen)
  if (known) return known
  const made = new Set(seen)
  seenSets.set(seen, made)
  return made
}

/** What is familiar after these documents, each as its words. With too few of them everything is. */
export function familiarOf(documents: readonly ReadonlySet<string>[]): Familiar {
  const words = sharedWords(documents)
  if (documents.length < documentsMin || words.length < wordsMin)
    return { words: [], shareMin: 0, seen: [], unseenMax: 1 }
  // Each is held against the others, too: what it was learned from would flatter it.
  const others = documents.map((_, n) => documents.toSpliced(n, 1))
  const shares = documents.flatMap((one, n) => [shareOf(one, words), shareOf(one, sharedWords(others[n] ?? []))])
  const seen = union(documents)
  const unseen = documents.map((one, n) => unseenShare(one, union(others[n] ?? [])))
  const isTelling = seen.size <= seenMax
  return {
    words,
    shareMin: Math.min(...shares) * slack,
    seen: isTelling ? [...seen].toSorted() : [],
    unseenMax: isTelling ? Math.max(...unseen) / slack : 1,
  }
}

function sharedWords(documents: readonly ReadonlySet<string>[]): string[] {
  const counts = new Map<string, number>()
  for (const one of documents) for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= documents.length * sharedBy)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, wordsMax)
    .map(([word]) => word)
}

const union = (documents: readonly ReadonlySet<string>[]): Set<string> => new Set(documents.flatMap((one) => [...one]))

const shareOf = (document: ReadonlySet<string>, words: readonly string[]): number =>
  words.length === 0 ? 1 : words.filter((word) => document.has(word)).length / words.length

const unseenShare = (document: ReadonlySet<string>, seen: ReadonlySet<string>): number =>
  document.size === 0 ? 0 : [...document].filter((word) => !seen.has(word)).length / document.size

/** Whether a document is of a kind that was not seen, or says more that is new than those that were seen did. */
export const isNovel = (document: ReadonlySet<string>, { words, shareMin, seen, unseenMax }: Familiar): boolean =>
  shareOf(document, words) < shareMin || (unseenMax < 1 && unseenShare(document, setOf(seen)) > unseenMax)
