/** What a SKILL.md says of itself between its first two lines of `---`, as far as a form is filled with it. */
export interface Told {
  readonly name?: string
  readonly description?: string
}

/**
 * The name and description that stand in the front matter of a SKILL.md: texts on their own line, in quotes, or in indented lines
 * below (YAML 1.2.2, sections 7.3 and 8.1). Anything else is left out; the server reads the whole of it.
 */
export function toldBy(markdown: string): Told {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown)?.[1]
  if (front === undefined) return {}
  const told: { name?: string; description?: string } = {}
  for (const match of front.matchAll(/^(name|description):[ \t]*(.*(?:\r?\n(?:[ \t]+.*|[ \t]*(?=\r?\n)))*)/gm)) {
    const text = textOf(match[2] ?? '')
    if (text !== '') told[match[1] as keyof Told] = text
  }
  return told
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
