/** Documents of a bundle that may name scripts. */
export const documentFile = /\.(md|markdown|txt|rst)$/i

/**
 * Whether a skill declares a script: skill.yaml lists it, or SKILL.md names it, or a document does that SKILL.md leads to, by its path
 * or its file name. `documents` are the texts of the bundle's documents by path.
 */
export function isDeclaredScript(
  script: string,
  skill: {
    readonly scripts: readonly string[]
    readonly instructions: string
    readonly documents: ReadonlyMap<string, string>
  },
): boolean {
  if (skill.scripts.includes(script)) return true
  const seen = new Set<string>()
  const texts = [skill.instructions]
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    if (names(text, script)) return true
    for (const [path, document] of skill.documents) {
      if (seen.has(path) || !names(text, path)) continue
      seen.add(path)
      texts.push(document)
    }
  }
  return false
}

const names = (text: string, path: string): boolean => text.includes(path.split('/').at(-1) ?? path)
