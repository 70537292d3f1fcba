/** More texts than this are not kept at a time. */
const textsMax = 100_000
/** Longer texts are rarely seen twice. */
const lettersMax = 400

const caches: Map<string, unknown>[] = []
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
