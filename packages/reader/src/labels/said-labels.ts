import type { Kind } from '../languages/concept.ts'
import type { Cell } from '../layout/layout.ts'
import type { Field } from '../layout/sheet.ts'
import { spanFrom, spanOfCell, spanUntil } from '../layout/spans.ts'
import { findDates } from '../values/dates.ts'
import type { LabelHit } from './labels.ts'

const words = "(?<![\\p{L}'’-])(?<words>(?:\\p{L}[\\p{L}'’-]{1,30}\\s){1,2})"
const number = '(?:n\\.?\\s?[º°]\\.?|nr\\.?|no\\.|n[uú]m\\.|nummer|number|#)'
const code = '(?<code>(?=\\S{0,40}\\d)[\\p{L}\\d][\\p{L}\\d./_-]{0,40}[\\p{L}\\d](?:\\s\\d+(?!\\S))*)'
const day =
  '(?<link>le|il|op|am|on|el|em|du|dal|del|de|of|vom|van|ab|since|seit|from|vanaf|bis|until|by|to|tot|al|au|até)\\s(?=\\d)'

const isCode = (kind: Kind): boolean => kind === 'id' || kind === 'text'
const isDay = (kind: Kind): boolean => kind === 'date'

/** How running text names a value: the words of the label with what makes them one, and the kinds of value that follow. */
const sayings: readonly {
  pattern: RegExp
  labelOf: (words: string, link: string) => string
  fits: (kind: Kind) => boolean
}[] = [
  // `contrat n° HAB-77`
  { pattern: new RegExp(`${words}${number}\\s?${code}`, 'giu'), labelOf: (words) => `${words} number`, fits: isCode },
  // `née le 19/05/2003`
  { pattern: new RegExp(`${words}${day}`, 'giu'), labelOf: (words, link) => `${words} ${link} date`, fits: isDay },
  // `facture n° 31 du 12/05/2026`
  {
    pattern: new RegExp(`${words}${number}\\s?${code.replace('?<code>', '')}\\s${day}`, 'giu'),
    labelOf: (words) => `${words} date`,
    fits: isDay,
  },
]

interface Said {
  readonly field: Field
  readonly weight: number
}

/** The length of the date that a text begins with; 0 without one. */
function dayLength(text: string): number {
  const [first] = findDates(text)
  return first?.start === 0 ? first.end : 0
}

/** Labels within running text, each of a value that follows it directly. */
export function saidLabels(cell: Cell, fieldOf: (label: string) => Said | null): LabelHit[] {
  // To look for a figure after a word costs less than to search for all.
  if (!/\d/.test(cell.text) || !/[\p{L}'’-]\s/iu.test(cell.text)) return []
  return sayings.flatMap(({ pattern, labelOf, fits }) =>
    [...cell.text.matchAll(pattern)].flatMap((match) => {
      const { words = '', code, link = '' } = match.groups ?? {}
      const all = words.trim()
      const found = [all, all.split(' ').at(-1) ?? '']
        .flatMap((words) => fieldOf(labelOf(words, link)) ?? [])
        .filter(({ field }) => fits(field.plan.meaning.kind))
        .reduce<Said | null>((best, one) => (one.weight > (best?.weight ?? 0) ? one : best), null)
      if (found === null) return []
      const from = match.index + match[0].length - (code?.length ?? 0)
      const stop = from + (code?.length ?? dayLength(cell.text.slice(from)))
      if (stop === from) return []
      const [start, end] = [match.index, match.index + words.length]
      const targets = [{ target: `f:${found.field.id}`, weight: found.weight }]
      const rest = spanFrom(spanUntil(spanOfCell(cell), stop), from)
      return [{ targets, cell, start, end, rest, coverage: 1, startsCell: true, isWhole: false, hasColon: true }]
    }),
  )
}
