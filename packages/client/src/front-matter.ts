/** Name and description in the front matter of a SKILL.md. */
export interface FrontMatter {
  readonly name?: string
  readonly description?: string
}

/**
 * Reads name and description from the front matter of a SKILL.md: texts on one line, in quotes, or in indented lines below (YAML 1.2.2,
 * sections 7.3 and 8.1). Ignores everything else; the server parses all of it.
 */
export function frontMatterOf(markdown: string): FrontMatter {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown)?.[1]
  if (front === undefined) return {}
  const found: { name?: string; description?: string } = {}
  for (const match of front.matchAll(/^(name|description):[ \t]*(.*(?:\r?\n(?:[ \t]+.*|[ \t]*(?=\r?\n)))*)/gm)) {
    const text = textOf(match[2] ?? '')
    if (text !== '') found[match[1] as keyof FrontMatter] = text
  }
  return found
}

function textOf(value: string): string {
  const plain = value
    .replace(/^[>|][+-]?[ \t]*(?:\r?\n|$)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (/^'.*'$/.test(plain)) return plain.slice(1, -1).replaceAll("''", "'").trim()
  if (/^".*"$/.test(plain)) {
    try {
      return String(JSON.parse(plain)).trim()
    } catch {
      return plain.slice(1, -1).trim()
    }
  }
  return plain.replace(/ #.*$/, '').trim()
}
