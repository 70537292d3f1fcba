/** More texts than this are not kept at a time. */
const textsMax = 100_000
/** Longer texts are rarely seen twice. */
const lettersMax = 400

const caches: { clear(): void }[] = []
let depth = 0

/**
 * A function of a text that is computed once per text while `rememberingTexts` runs: labels, tables, values and checks all read the cells
 * of a document. Its results must not be changed.
 */
export function remembered<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  caches.push(known)
  return (text) => {
    if (depth === 0 || text.length > lettersMax) return read(text)
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as Result
    const result = read(text)
    if (known.size >= textsMax) known.clear()
    known.set(text, result)
    return result
  }
}

/** The same for a function that also depends on its document. */
export function rememberedIn<Document extends object, Result>(
  read: (text: string, document: Document) => Result,
): (text: string, document: Document) => Result {
  const known = new Map<Document, Map<string, Result>>()
  caches.push(known)
  return (text, document) => {
    if (depth === 0 || text.length > lettersMax) return read(text, document)
    let ofDocument = known.get(document)
    if (ofDocument === undefined || ofDocument.size >= textsMax) {
      ofDocument = new Map()
      known.set(document, ofDocument)
    }
    const found = ofDocument.get(text)
    if (found !== undefined || ofDocument.has(text)) return found as Result
    const result = read(text, document)
    ofDocument.set(text, result)
    return result
  }
}

/** Runs `work` and keeps what is read of texts until it ends. */
export function rememberingTexts<Result>(work: () => Result): Result {
  depth++
  try {
    return work()
  } finally {
    depth--
    if (depth === 0) for (const known of caches) known.clear()
  }
}

/** A value that is made when it is first asked for: a process that never does starts sooner. */
export function madeOnce<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A function whose results are kept for each argument, as long as it is. */
export function keptBy<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const seen = known.get(key)
    if (seen !== undefined || known.has(key)) return seen as Result
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** A function whose result is kept as long as its argument. */
export function keptWeakly<Key extends object, Result extends object>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, Result>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) {
      found = make(key)
      known.set(key, found)
    }
    return found
  }
}
