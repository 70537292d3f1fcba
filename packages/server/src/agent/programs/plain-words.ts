/** The words of a text for comparison: letters only, so that amounts and dates are ignored. */
export const plainWords = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/\p{L}{3,}/gu) ?? [],
  )
