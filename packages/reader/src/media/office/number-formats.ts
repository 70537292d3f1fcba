import { Parser } from 'htmlparser2'
import type * as Formatter from 'numfmt'
import { escaped } from './xml-to-html.ts'

/** Formats that a file names by number alone and that are the same everywhere. */
const builtIn: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}

/** What a cell with a number shows beyond its bare value; undefined: nothing. */
type Shown = (value: number) => string | undefined

/**
 * The sheets of a workbook with each number whose format says more than the bare value as a text: percent, times,
 * durations, leading zeros, currencies and units. Digits that a format only rounds away are kept.
 */
export async function withShownNumbers(parts: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, Buffer>> {
  const styles = [...parts.values()].find((part) => part.includes('<cellXfs') || part.includes(':cellXfs'))
  if (styles === undefined) return parts
  const formatter = await import('numfmt')
  const shown = formatsOf(styles.toString('utf8')).map((format) => shownBy(format, formatter))
  if (!shown.some((one) => one !== undefined)) return parts
  return new Map(
    [...parts].map(([name, part]) => [name, part.includes('sheetData') ? Buffer.from(rewritten(part, shown)) : part]),
  )
}

/** The number format of each cell style of a workbook. */
function formatsOf(xml: string): readonly (string | undefined)[] {
  const codes = new Map(Object.entries(builtIn))
  const ids: (string | undefined)[] = []
  let isInCells = false
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag(name, { numFmtId, formatCode }) {
        if (local(name) === 'cellXfs') isInCells = true
        else if (local(name) === 'numFmt' && numFmtId && formatCode) codes.set(numFmtId, formatCode)
        else if (local(name) === 'xf' && isInCells) ids.push(numFmtId)
      },
      onclosetag(name) {
        if (local(name) === 'cellXfs') isInCells = false
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return ids.map((id) => (id === undefined ? undefined : codes.get(id)))
}

const numberCell =
  /<((?:[\w.-]{1,20}:)?)c(\s(?:[^<>"'/]|"[^"<]*"|'[^'<]*'){0,4000})>(\s*(?:<\1f(?:\s[^<>]{0,4000})?(?:\/>|>[^<]*<\/\1f>)\s*)?<\1v>)([^<]*)(?=<\/\1v>)/g
const typeOf = /\st\s*=\s*["']([^"']*)["']/
const styleOf = /\ss\s*=\s*["'](\d{1,6})["']/

const rewritten = (part: Buffer, shown: readonly (Shown | undefined)[]): string =>
  part.toString('utf8').replace(numberCell, (cell: string, prefix, attributes: string, between, written: string) => {
    if ((typeOf.exec(attributes)?.[1] ?? 'n') !== 'n' || written.trim() === '') return cell
    const value = Number(written)
    const text = Number.isFinite(value) ? shown[Number(styleOf.exec(attributes)?.[1])]?.(value) : undefined
    return text === undefined ? cell : `<${prefix}c${attributes.replace(typeOf, '')} t="str">${between}${escaped(text)}`
  })

function shownBy(format: string | undefined, formatter: typeof Formatter): Shown | undefined {
  if (format === undefined || !formatter.isValidFormat(format)) return undefined
  const { type, isPercent, scale } = formatter.getFormatInfo(format)
  const show = (pattern: string, value: number): string =>
    String(formatter.format(pattern, value, { throws: false }))
      .replace(/\s+/g, ' ')
      .trim()
  if (type === 'time') return (value) => shownTime(format, value, show)
  if (!['number', 'grouped', 'currency', 'percent', 'general'].includes(type)) return undefined
  // A format in thousands or millions hides digits, and its letter says nothing without them.
  if (!isPercent && scale !== 1) return undefined
  return (value) => shownNumber(value, show(format, value), isPercent)
}

const secondsOfDay = 86_400

function shownTime(
  format: string,
  value: number,
  show: (pattern: string, value: number) => string,
): string | undefined {
  const hasSeconds = Math.round(value * secondsOfDay) % 60 !== 0
  if (/\[[hms]+\]/i.test(format)) return show(hasSeconds && !/s/i.test(format) ? '[h]:mm:ss' : format, value)
  // From 1 on there is a day, which the format hides.
  return value >= 0 && value < 1 ? show(hasSeconds ? 'hh:mm:ss' : 'hh:mm', value) : undefined
}

const digitsOf = /\d(?:[\d.,'’\s]*\d)?/g

/** The text of a number with all its digits and without signs between thousands. */
function shownNumber(value: number, shown: string, isPercent: boolean): string | undefined {
  const bare = String(Number((isPercent ? value * 100 : value).toPrecision(15)))
  if (bare.includes('e')) return undefined
  const runs = shown.match(digitsOf) ?? []
  // Zeros in front and digits in groups, such as 00417 or 555-0100, are no quantity.
  const isCode = runs.length > 1 || /^0\d/.test(runs[0] ?? '')
  if (isCode) return value >= 0 && Number(shown.replace(/\D/g, '')) === value ? shown : undefined
  if (runs.length === 0) return undefined
  const number = value < 0 ? bare : bare.replace('-', '')
  const around = value < 0 ? shown.replace(/[-−()]/g, '') : shown
  const text = around.replace(digitsOf, () => number).trim()
  return text === bare ? undefined : text
}
