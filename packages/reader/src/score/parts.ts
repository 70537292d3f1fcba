/** A stretch `[start, end)` of a text. */
export interface TextPart {
  readonly start: number
  readonly end: number
}

/** Cells of more words are running text, which is parted at its marks only. */
export const shortCellWords = 12

/** What parts the facts of a text: commas, brackets, bars, dashes between spaces, a colon, the end of a sentence. */
const separators =
  /(?<![,;|·•])[,;|·•]+(?:\s+|$)|[()[\]„“”"«»]+\s*|:\s+|(?<=\s)[-–—/]\s+|(?<=\p{L}{3}|\d|\))\.\s+(?=\p{Lu})/gu

/** Titles of persons in seven languages, which are no part of their names, with the subjects of doctors behind them. */
const titleWords =
  'Mr Mrs Ms Mme Mmes MM Mlle Miss Mx Me Dr Dra Dre Drs Prof Profa Sr Sra Srta Dña Sig Dott Avv Ing Eng Arch Geom Rag Lic Mag Dhr Mevr Mw Rev Hon Cllr Pr Ds Master Messrs Madam Monsieur Madame Mademoiselle Maître Herr Herrn Frau Señor Señora Senhor Senhora Signor Signora Don Doña Dona Meneer Mevrouw Professor Professora Docteur Doctor Councillor'.split(
    ' ',
  )
/** In capitals these are parts of names of companies too. */
const titlesInSmallLetters = new Set('Me Ms Master Arch Hon Don Ds Pr Eng Mag Lic'.split(' '))
const inCapitals = titleWords.filter((word) => !titlesInSmallLetters.has(word)).map((word) => word.toUpperCase())
const anyTitle = [...titleWords, ...inCapitals].join('|')
const titles = new RegExp(
  String.raw`^(?:M|D|C|${anyTitle}|[Dd]en? heer|D\.?ª|Sig\.?ra|Dott\.?ssa|Eng\.?ª|Dipl\.-\p{L}+)\.?\s+(?:(?:med|dent|vet|iur|jur|phil|rer|nat|pol|h|c)\.\s+)*(?=\p{Lu})`,
  'u',
)

const isOneCapital = /^\p{Lu}\.\s/u

/** True for a text with as many opening brackets as closing ones. */
export const hasWholeBrackets = (text: string): boolean =>
  !/[()[\]]/.test(text) || (text.split(/[([]/).length === text.split(/[)\]]/).length && !/^[^([]*[)\]]/.test(text))

/** Characters that titles may take: a hostile text has nothing else. */
const titlesLengthMax = 60

/** The length of the titles at the start of a text: `Mme Dr. Huppertz` → 8. */
export function titlesAt(text: string): number {
  let length = 0
  for (
    let match = titles.exec(text);
    match !== null && length < titlesLengthMax;
    match = titles.exec(text.slice(length))
  ) {
    // `D. Tillman` and `C. Fonseca` are initials as often as titles, but behind a title they are initials.
    if (length > 0 && isOneCapital.test(match[0])) break
    length += match[0].length
  }
  return length
}

/** Borders of a text that count: a hostile one has thousands. */
const bordersCounted = 60

/** The places where a value may begin and end in a text, at what parts its facts. */
export function bordersOf(text: string): { readonly starts: readonly number[]; readonly ends: readonly number[] } {
  const starts = [0]
  const ends: number[] = []
  for (const match of text.matchAll(separators)) {
    if (match.index > 0) ends.push(match.index)
    const after = match.index + match[0].length
    if (after < text.length) starts.push(after)
    if (starts.length > bordersCounted) break
  }
  ends.push(text.length)
  return { starts, ends }
}

/** The parts that begin at a place and end at one of the next `most` borders, or at the end of the text. */
export function partsFrom(start: number, ends: readonly number[], most: number): TextPart[] {
  const next = ends.filter((end) => end > start)
  return [...next.slice(0, most), ...next.slice(most).slice(-1)].map((end) => ({ start, end }))
}
