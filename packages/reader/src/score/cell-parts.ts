import type { Kind } from '../languages/concept.ts'
import { isWordOfForms } from '../languages/form-words.ts'
import type { Cell } from '../layout/layout.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { bordersOf, hasWholeBrackets, partsFrom, shortCellWords, type TextPart, titlesAt } from './parts.ts'
import { idsIn, nextCells, type ReadSpan, readSpanOf, textMax, wordsBetween, wordy } from './read-span.ts'

/** Parts of a text that count where a label is beside the first of them; anywhere without a place. */
export interface PartSpans {
  readonly place: TextPart | null
  readonly found: () => readonly ReadSpan[]
}

/** Words that a label in front of a value may have. */
const labelWordsMax = 5
/** Words of a value that are tried before another label. */
const valueWordsMax = 4
/** The borders that a value may pass: an address has commas. */
const bordersPassed: Readonly<Record<string, number>> = { address: 4 }

/** The parts of a cell between its marks, behind titles of persons and, in short cells, behind each of the first words. */
export function partsOf(cell: Cell, kind: Kind): PartSpans[] {
  const { text } = cell
  const { starts, ends } = bordersOf(text)
  const most = bordersPassed[kind] ?? 2
  const from = starts.flatMap((start) => {
    const titled = kind === 'name' || kind === 'text' ? titlesAt(text.slice(start)) : 0
    return titled === 0 ? [start] : [start, start + titled]
  })
  const parts = from.flatMap((start) => {
    const found = partsFrom(start, ends, most)
    const names = kind === 'name' ? found.filter((part) => namePattern.test(text.slice(part.start, part.end))) : []
    const labelled = found.filter((part) => !names.includes(part))
    return [
      partSpans(cell, kind, { place: null, parts: names }),
      partSpans(cell, kind, { place: labelled[0] ?? null, parts: labelled }),
    ]
  })
  const beyond = kind === 'id' ? [] : partsBeyond(cell, kind, from)
  if (cell.words.length > shortCellWords) return [...parts, ...beyond]
  return [...parts, ...beyond, ...partsAfterWords(cell, kind, ends, new Set(from))]
}

/** Two to five capitalised words, with the small words that names have. */
const namePattern =
  /^\p{Lu}[\p{L}'’.-]*(?: (?:\p{Lu}[\p{L}'’.-]*|de|da|do|dos|das|del|della|di|van|von|den|der|ten|ter|el|al|la|le|y|e|bin|zu|af)){1,4}$/u

/** Up to four capitalised words at the end of a line: a name that may go on. */
const nameAtEnd = /(?<=^|\s)\p{Lu}[\p{L}'’.&-]*(?:\s\p{Lu}[\p{L}'’.&-]*){0,3}$/u

/** Parts that go on in the line below. */
function partsBeyond(cell: Cell, kind: Kind, starts: readonly number[]): PartSpans[] {
  const { text } = cell
  const most = bordersPassed[kind] ?? 1
  return nextCells(cell)
    .filter((next) => next.line !== cell.line)
    .flatMap((next) => {
      const between = kind === 'address' && !text.endsWith(',') ? ', ' : ' '
      const nextStart = text.length + between.length
      const joined = text + between + next.text
      const beyond = bordersOf(joined).ends.filter((end) => end > nextStart)
      const name = nameAtEnd.exec(text)
      return [...new Set([...starts, ...(name === null ? [] : [name.index])])].map((start): PartSpans => {
        const found = partsFrom(start, beyond, most).filter(({ end }) => start > 0 || end < joined.length)
        return {
          place: { start, end: text.length },
          found: remembering(() =>
            found.flatMap((part) => {
              const value = squeeze(trimMarks(joined.slice(part.start, part.end)))
              if (value === '' || value.length > textMax || !wordy(value) || !hasWholeBrackets(value)) return []
              const words = [...wordsBetween(cell, start, text.length), ...wordsBetween(next, 0, part.end - nextStart)]
              const reading = { start, end: text.length, value, printed: value, fit: 0.6 }
              return [readSpanOf(cell, 'part', reading, { words, lines: 2 })]
            }),
          ),
        }
      })
    })
}

function partsAfterWords(cell: Cell, kind: Kind, ends: readonly number[], known: ReadonlySet<number>): PartSpans[] {
  const { text } = cell
  const words = [...text.matchAll(/\S+/gu)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
  return words.slice(1, labelWordsMax + 1).flatMap(({ start }, at) => {
    if (known.has(start)) return []
    const alone = words
      .slice(at + 1, at + 1 + valueWordsMax)
      .filter(({ end }, more) => mayBeginLabel(text, words[at + more + 2]) || isPerson(text.slice(start, end)))
      .map(({ end }) => ({ start, end: end - (/[,;:(]+$/.exec(text.slice(start, end))?.[0].length ?? 0) }))
    return [
      partSpans(cell, kind, {
        place: { start, end: start },
        parts: [...alone, ...partsFrom(start, ends, bordersPassed[kind] ?? 2)],
      }),
    ]
  })
}

/** Two or three capitalised words, which may end before any other: `Dilip Chauhan Clock no.` */
const isPerson = (text: string): boolean => /^\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}'’-]+){1,2}$/u.test(text)

/** Whether a word may end the value before it: a word of forms or a figure. */
function mayBeginLabel(text: string, word: TextPart | undefined): boolean {
  if (word === undefined) return false
  const next = text.slice(word.start, word.end)
  return /\d/.test(next) || isWordOfForms(next.replace(/[^\p{L}\p{N}]/gu, ''))
}

function partSpans(
  cell: Cell,
  kind: Kind,
  { place, parts }: { readonly place: TextPart | null; readonly parts: readonly TextPart[] },
): PartSpans {
  return { place, found: remembering(() => parts.flatMap((part) => partSpan(cell, kind, part))) }
}

/** Parts are the same for all fields that may take them. */
function remembering(find: () => readonly ReadSpan[]): () => readonly ReadSpan[] {
  let known: readonly ReadSpan[] | undefined
  return () => {
    known ??= find()
    return known
  }
}

/** Identifiers are codes of a few words with a figure, or the name of a model. */
const codeWordsMax = 5
const namesOfModelsMax = 3

function partSpan(cell: Cell, kind: Kind, { start, end }: TextPart): ReadSpan[] {
  const raw = cell.text.slice(start, end)
  const value = squeeze(trimMarks(raw))
  if (value === '' || value.length > textMax || !hasWholeBrackets(value)) return []
  if (kind === 'id' && value.split(' ').length > (/\d/.test(value) ? codeWordsMax : namesOfModelsMax)) return []
  if (!wordy(value) && (kind === 'name' || kind === 'address' || !/\d/.test(value))) return []
  const from = start + Math.max(0, raw.indexOf(value.slice(0, 6)))
  const reading = { start: from, end: from + value.length, value, printed: value, fit: wordy(value) ? 0.6 : 0.5 }
  return [readSpanOf(cell, 'part', reading)]
}

/** Tax numbers of persons and of other countries, which have no sign of their own. */
export function idsApart(cell: Cell): PartSpans[] {
  return idsIn(cell.text)
    .filter(({ value }) => String(value).replace(/[^\p{L}\p{N}]/gu, '').length >= taxNumberMin)
    .map((reading) => ({
      place: reading,
      found: remembering(() => [readSpanOf(cell, 'part', { ...reading, fit: Math.min(reading.fit, 0.5) })]),
    }))
}

const taxNumberMin = 7
