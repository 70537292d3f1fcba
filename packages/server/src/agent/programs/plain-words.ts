/** The words of a text for comparison: letters only, so that amounts and dates are ignored. */
export const plainWords = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/\p{L}{3,}/gu) ?? [],
  )

/** The words of lines; null without lines. */
export const wordsOfLines = (
  lines: readonly { readonly cells: readonly { readonly text: string }[] }[],
): ReadonlySet<string> | null =>
  lines.length === 0 ? null : plainWords(lines.map(({ cells }) => cells.map(({ text }) => text).join(' ')).join('\n'))
