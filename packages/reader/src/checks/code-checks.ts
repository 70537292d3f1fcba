import { groupBy } from '@skillrun/core/group-by.ts'
import type { Finding } from '../extract/assemble.ts'
import { findField, type ListField } from '../schema/fields.ts'

/** One form is the form of all codes of an OCR list from this many codes on, when this share of them has it. */
const codesMin = 4
const formShare = 0.6

/** Letters that OCR confuses with digits, and the digit. */
const figureOf: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  I: '1',
  l: '1',
  i: '1',
  Z: '2',
  S: '5',
  s: '5',
  B: '8',
}

/** The form of a code: `A999.99` of `Z326.38`. */
const formOf = (code: string): string => code.replace(/\p{L}/gu, 'A').replace(/\d/g, '9')

/** The code with lookalike letters replaced by digits where the form has digits; null when it still differs from the form. */
function inForm(code: string, form: string): string | null {
  if (code.length !== form.length) return null
  const settled = [...code].map((sign, at) => (form[at] === '9' ? (figureOf[sign] ?? sign) : sign)).join('')
  return formOf(settled) === form ? settled : null
}

/**
 * Compares the codes of an OCR list. Where most have one form, a letter is replaced by the digit it resembles where the
 * form has a digit. A code of another form is withdrawn, because a digit in the place of a letter does not say which
 * letter it was. Modifies the rows.
 */
export function checkCodes(list: ListField, rows: readonly Map<string, Finding>[]): void {
  const pointer = findField(list.columns, 'item_code')?.pointer
  if (pointer === undefined) return
  const codes = rows.flatMap((row) => {
    const finding = row.get(pointer)
    return typeof finding?.value === 'string' ? [{ row, finding, code: finding.value }] : []
  })
  if (codes.length < codesMin || !codes.some(({ finding }) => finding.ocrConfidence !== undefined)) return
  const [most] = [...groupBy(codes, ({ code }) => formOf(code))].toSorted((a, b) => b[1].length - a[1].length)
  if (most === undefined || most[1].length < codes.length * formShare) return
  const [form] = most
  for (const { row, finding, code } of codes) {
    const settled = inForm(code, form)
    if (settled === code) continue
    if (settled === null) row.delete(pointer)
    else
      row.set(pointer, {
        ...finding,
        value: settled,
        evidence: {
          ...finding.evidence,
          status: 'derived',
          note: 'A letter is where the other codes have a digit.',
        },
      })
  }
}
