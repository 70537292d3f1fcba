import { pointerStep } from '@skillrun/core/json.ts'
import { findJsonBreak } from '@skillrun/core/json-break.ts'
import type { DataPlace } from '../document.ts'
import { damaged } from '../faults.ts'
import { wordsOfCells } from './csv.ts'
import type { GridWord } from './grid.ts'
import { withoutMark } from './is-json.ts'
import { type ObjectText, tableOfObjects } from './json-table.ts'
import { jsonToken, wordsOfToken } from './json-tokens.ts'

/** Cells of indentation per level, and between a key and its value. */
const indent = 2
const valueGap = 3
/** The maximum number of indented levels; deeper ones align with the last. */
const indentLevelsMax = 30
/** Values with a longer pointer are read by their place alone: many of them would take too much memory. */
const pointerMax = 500

/** An object or array that has not ended yet. */
interface Open {
  readonly pointer: string
  /** Its offset in the text. */
  readonly start: number
  /** The name of its current member, or the number of its current item. */
  step: string | number
  /** The items of an array that has nothing but objects so far. */
  objects?: ObjectText[] | undefined
}

/** An array of objects. */
interface ObjectArray {
  readonly start: number
  readonly end: number
  readonly objects: readonly ObjectText[]
}

const pointerIn = (inner: Open | undefined): string =>
  inner === undefined || inner.pointer.length > pointerMax
    ? (inner?.pointer ?? '')
    : inner.pointer + pointerStep(inner.step)

/**
 * The words of a JSON text laid out as a form: each key and array item on its own row, values to the right of their
 * keys, without quotes and brackets. An array of objects is a table below its key, with an empty row behind it. Spans refer to the
 * source. The words of a value have its pointer and type.
 */
export function wordsOfJson(text: string): { words: GridWord[]; hasTable: boolean } {
  const { words, arrays } = formOf(text)
  const laidOut: GridWord[] = []
  let next = 0
  /** How far down the rows of the form have moved. */
  let moved = 0
  let hasTable = false
  const takeUntil = (offset: number): GridWord[] => {
    const from = next
    while ((words[next]?.span[0] ?? Number.POSITIVE_INFINITY) < offset) next += 1
    return words.slice(from, next)
  }
  for (const { start, end, objects } of arrays) {
    const rows = tableOfObjects(objects)
    if (rows === undefined) continue
    hasTable = true
    for (const word of takeUntil(start)) laidOut.push({ ...word, row: word.row + moved })
    const replaced = takeUntil(end)
    const first = replaced[0]?.row ?? 0
    const dataAt = new Map(replaced.map(({ span, data }) => [span[0], data]))
    for (const word of wordsOfCells(rows)) {
      const data = dataAt.get(word.span[0])
      laidOut.push({ ...word, row: word.row + first + moved, ...(data && { data }) })
    }
    moved += first + rows.length + 1 - ((replaced.at(-1)?.row ?? first) + 1)
  }
  for (const word of takeUntil(text.length)) laidOut.push({ ...word, row: word.row + moved })
  return { words: laidOut, hasTable }
}

function formOf(text: string): { words: GridWord[]; arrays: ObjectArray[] } {
  const words: GridWord[] = []
  const arrays: ObjectArray[] = []
  const open: Open[] = []
  let row = -1
  let column = 0
  let isName = false
  for (const { 0: token, index } of text.matchAll(jsonToken)) {
    const inner = open.at(-1)
    if (/^[{}[\],]$/.test(token)) column = -1
    if (inner?.objects && !/^[{},\]]$/.test(token)) inner.objects = undefined
    if (token === '{') open.push({ pointer: pointerIn(inner), start: index, step: '' })
    else if (token === '[') open.push({ pointer: pointerIn(inner), start: index, step: 0, objects: [] })
    else if (token === '}' || token === ']') {
      open.pop()
      const parent = open.at(-1)
      if (token === '}' && inner)
        parent?.objects?.push({ text: text.slice(inner.start, index + 1), start: inner.start })
      const objects = inner?.objects ?? []
      // A single object that is the whole document is a form.
      if (inner && (objects.length > 1 || (objects.length === 1 && parent))) {
        while ((arrays.at(-1)?.start ?? -1) > inner.start) arrays.pop()
        arrays.push({ start: inner.start, end: index, objects })
      }
    } else if (token === ',' && typeof inner?.step === 'number') inner.step += 1
    if (/^[{}[\],:]$/.test(token)) {
      isName = token === '{' || (token === ',' && typeof inner?.step === 'string')
      continue
    }
    if (column < 0 || row < 0) {
      row += 1
      column = Math.min(open.length, indentLevelsMax) * indent
    } else column += valueGap - 1
    if (isName && inner) inner.step = String(JSON.parse(token))
    const pointer = isName ? '' : pointerIn(inner)
    const data = pointer === '' || pointer.length > pointerMax ? undefined : { pointer, type: typeOf(token) }
    for (const word of wordsOfToken(token, index)) {
      words.push({ ...word, row, column, ...(data && { data }) })
      column += word.text.length + 1
    }
  }
  return { words, arrays }
}

const typeOf = (token: string): DataPlace['type'] =>
  token.startsWith('"') ? 'string' : token === 'null' ? 'null' : /^[tf]/.test(token) ? 'boolean' : 'number'

/** Throws `unreadable_document` with the place of the first error unless a text is JSON; `line` is the number of its first line. */
export function requireJson(text: string, line = 1): void {
  try {
    JSON.parse(withoutMark(text))
  } catch {
    const at = findJsonBreak(text)
    const before = text.slice(0, at).split('\n')
    const place = `line ${line + before.length - 1}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw damaged(`The JSON is damaged at ${place}: ${at < text.length ? 'unexpected text' : 'it ends too early'}.`)
  }
}
