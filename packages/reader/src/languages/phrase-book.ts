/** A possible meaning of a phrase, with a weight from 0 to 1. */
export interface PhraseTarget {
  readonly target: string
  readonly weight: number
}

interface Node {
  readonly next: Map<string, Node>
  targets: PhraseTarget[] | null
}

/** A trie of phrases by word, which finds all phrases of a text in one pass. */
export interface PhraseBook {
  /** A book whose phrases this one has too. */
  readonly base: PhraseBook | null
  readonly root: Node
  /** Known words by each variant with one letter removed, to match words that OCR misread. */
  near: Map<string, string> | null
  readonly words: Set<string>
}

/** Shorter words have too many neighbours for correction. */
const correctableLettersMin = 5

const newNode = (): Node => ({ next: new Map(), targets: null })

export const newPhraseBook = (base: PhraseBook | null = null): PhraseBook => ({
  base,
  root: newNode(),
  near: null,
  words: new Set(),
})

const hasWord = (book: PhraseBook, word: string): boolean =>
  book.words.has(word) || (book.base !== null && hasWord(book.base, word))

const nearWord = (book: PhraseBook, word: string): string | undefined =>
  (book.base === null ? undefined : nearWord(book.base, word)) ?? nearWords(book).get(word)

function insert(book: PhraseBook, words: readonly string[], entry: PhraseTarget): void {
  let node = book.root
  for (const word of words) {
    let next = node.next.get(word)
    if (next === undefined) {
      next = newNode()
      node.next.set(word, next)
    }
    node = next
    book.words.add(word)
    book.near = null
  }
  node.targets ??= []
  const known = node.targets.findIndex((target) => target.target === entry.target)
  if (known < 0) node.targets.push(entry)
  else if ((node.targets[known]?.weight ?? 0) < entry.weight) node.targets[known] = entry
}

/** Known words by each variant with one letter removed; built when the first misread word is met. */
function nearWords(book: PhraseBook): ReadonlyMap<string, string> {
  if (book.near !== null) return book.near
  const near = new Map<string, string>()
  for (const word of book.words) {
    if (word.length < correctableLettersMin) continue
    for (const rest of withoutOneLetter(word)) if (!near.has(rest)) near.set(rest, word)
  }
  book.near = near
  return near
}

function* withoutOneLetter(word: string): Generator<string> {
  for (let index = 0; index < word.length; index++) yield word.slice(0, index) + word.slice(index + 1)
}

/** Adds a folded phrase. A phrase of several words also matches when written as one word. */
export function addPhrase(book: PhraseBook, phrase: string, entry: PhraseTarget): void {
  const words = phrase.split(' ').filter((word) => word !== '')
  if (words.length === 0) return
  insert(book, words, entry)
  const joined = words.join('')
  if (words.length > 1 && joined.length >= correctableLettersMin) insert(book, [joined], entry)
}

/** The known word with at most one letter wrong, missing or added. */
export function correctWord(book: PhraseBook, word: string): string {
  if (hasWord(book, word) || word.length < correctableLettersMin) return word
  const missing = nearWord(book, word)
  if (missing !== undefined) return missing
  for (const rest of withoutOneLetter(word)) {
    if (rest.length >= correctableLettersMin && hasWord(book, rest)) return rest
    const near = nearWord(book, rest)
    if (near !== undefined && near.length === word.length) return near
  }
  return word
}

/** The longest phrase that starts at `from`, or null. */
export function longestPhrase(
  book: PhraseBook,
  words: readonly string[],
  from: number,
): { readonly length: number; readonly targets: readonly PhraseTarget[] } | null {
  let node: Node | undefined = book.root
  let found = book.base === null ? null : longestPhrase(book.base, words, from)
  for (let at = from; at < words.length; at++) {
    node = node.next.get(words[at] ?? '')
    if (node === undefined) break
    const length = at - from + 1
    if (node.targets === null || length < (found?.length ?? 0)) continue
    found = { length, targets: found?.length === length ? [...found.targets, ...node.targets] : node.targets }
  }
  return found
}
