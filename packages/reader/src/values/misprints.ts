/** Characters that OCR confuses with digits, and the digit. */
const digitOf: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  l: '1',
  I: '1',
  i: '1',
  '|': '1',
  '!': '1',
  Z: '2',
  z: '2',
  A: '4',
  S: '5',
  s: '5',
  G: '6',
  b: '6',
  T: '7',
  B: '8',
  g: '9',
  q: '9',
}

/** Shorter numbers have too many neighbours to be corrected. */
const digitsMin = 3
/** From this many digits on, two may be misread. */
const twoErrorsDigits = 6

/** Letters after an amount that mark debit or credit are not digits. */
const creditOrDebit = /(?<=\d[.,]\d{2}\s?|\d\s)(?:CR|DR|[CDHSA])\.?\s*$/u

/** The digits of a printed text, with lookalike letters read as digits. */
const digitsOf = (print: string): string =>
  [...print.replace(creditOrDebit, '')]
    .map((sign) => digitOf[sign] ?? sign)
    .join('')
    .replace(/\D/g, '')

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * True when OCR may have read this text from an amount: the digits differ in one, or in two from six digits on; marks
 * and signs may be lost.
 */
export function mayBePrintOf(print: string, amount: number): boolean {
  const wanted = Math.abs(amount).toFixed(2).replace('.', '')
  const given = digitsOf(print)
  if (given === wanted) return true
  const plain = Number.isInteger(amount) ? String(Math.abs(amount)) : wanted
  if (given === plain && !/[.,]\d{2}\D*$/.test(print)) return true
  if (wanted.length < digitsMin || Math.abs(given.length - wanted.length) > 1) return false
  return editDistance(given, wanted) <= (wanted.length >= twoErrorsDigits ? 2 : 1)
}
