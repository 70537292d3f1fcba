import { type Mark, type Rates, rates, tally } from './score.ts'

/** The scores of all documents of one kind in one variant. */
export interface Group {
  readonly name: string
  readonly documents: number
  readonly marks: readonly Mark[]
  readonly seconds: number
}

export interface FieldRates extends Rates {
  readonly field: string
}

/** The minimum number of values for the rate of a field to be meaningful. */
const fieldsMin = 5
const worstCount = 8

/** The rates of each field, worst first. */
function fieldRates(marks: readonly Mark[]): FieldRates[] {
  const byField = Map.groupBy(marks, ({ field }) => field)
  return [...byField]
    .map(([field, own]) => ({ field, ...rates(tally(own)) }))
    .toSorted((a, b) => a.right - b.right || b.wrong - a.wrong)
}

/** A table of all groups, followed by the worst fields of each unless `quiet`. */
export function writeReport(groups: readonly Group[], { quiet }: { quiet: boolean }): string {
  const lines = [row(['kind × variant', 'documents', 'fields', 'right %', 'missing %', 'wrong %', 's/document'])]
  for (const group of groups) lines.push(groupRow(group))
  if (quiet) return lines.join('\n')
  for (const group of groups) {
    const worst = fieldRates(group.marks)
      .filter(({ fields }) => fields >= fieldsMin)
      .slice(0, worstCount)
    lines.push('', `worst fields of ${group.name}`)
    for (const { field, fields, right, missing, wrong } of worst)
      lines.push(row([`  ${field}`, '', String(fields), percent(right), percent(missing), percent(wrong)]))
  }
  return lines.join('\n')
}

function groupRow({ name, documents, marks, seconds }: Group): string {
  const { fields, right, missing, wrong } = rates(tally(marks))
  const each = documents === 0 ? 0 : seconds / documents
  return row([
    name,
    String(documents),
    String(fields),
    percent(right),
    percent(missing),
    percent(wrong),
    each.toFixed(2),
  ])
}

const percent = (value: number) => value.toFixed(1)

const widths = [36, 10, 8, 9, 10, 9, 11]

const row = (cells: readonly string[]) =>
  cells
    .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 10) : cell.padStart(widths[n] ?? 10)))
    .join(' ')
    .trimEnd()
