/**
 * A summary of the documents that proved a program: words that most of them share, and the smallest share of these in one document; their
 * vocabulary, and the largest share of words in one document that the others lack.
 */
export interface Familiar {
  readonly words: readonly string[]
  /** A document with a smaller share of the shared words is of an unknown kind. */
  readonly shareMin: number
  readonly seen: readonly string[]
  /** A document with a larger share of unknown words contains something new. */
  readonly unseenMax: number
}

/** A word is shared when this share of the documents contains it. */
const sharedBy = 0.6
const wordsMax = 200
/** A larger vocabulary discriminates nothing, and slows down every run. */
const seenMax = 2_000
/** Tolerance below the least familiar document, because documents of one kind vary. */
const slack = 0.75
/** A single new word is an item or a name that the known documents happen to lack: where each of their words occurs twice, their share of new ones is 0. */
const newWordsMin = 2
/** With fewer documents, or fewer words in common, the kind of the documents is unknown. */
const documentsMin = 3
const wordsMin = 3

/** Vocabularies as sets, cached for a guard in use. */
const seenSets = new WeakMap<readonly string[], ReadonlySet<string>>()

function setOf(seen: readonly string[]): ReadonlySet<string> {
  const known = seenSets.get(seen)
  if (known) return known
  const made = new Set(seen)
  seenSets.set(seen, made)
  return made
}

/** Learns the vocabulary of these documents, each given as its words. With too few documents, or words that they share, everything is familiar. */
export function familiarOf(documents: readonly ReadonlySet<string>[]): Familiar {
  const words = sharedWords(documents)
  if (documents.length < documentsMin || words.length < wordsMin)
    return { words: [], shareMin: 0, seen: [], unseenMax: 1 }
  // Compare each with the others only: its own words would make it look familiar.
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

const unseenIn = (document: ReadonlySet<string>, seen: ReadonlySet<string>): string[] =>
  [...document].filter((word) => !seen.has(word))

const unseenShare = (document: ReadonlySet<string>, seen: ReadonlySet<string>): number =>
  document.size === 0 ? 0 : unseenIn(document, seen).length / document.size

/**
 * The new words of a document that has more of them than those seen before; none if its kind is unknown by the words that it lacks. Undefined: the document is
 * familiar. `accepted`: words of documents whose answers were judged right since.
 */
export function noveltyOf(
  document: ReadonlySet<string>,
  { words, shareMin, seen, unseenMax }: Familiar,
  accepted: readonly string[] = [],
): readonly string[] | undefined {
  if (shareOf(document, words) < shareMin) return []
  const unseen = unseenMax < 1 ? unseenIn(document, setOf(seen)).filter((word) => !accepted.includes(word)) : []
  return unseen.length >= newWordsMin && unseen.length / document.size > unseenMax ? unseen : undefined
}
