import { isWordOfForms } from '../languages/form-words.ts'
import { yes } from './feature-row.ts'
import { titlesAt } from './parts.ts'
import type { Span } from './read-span.ts'

/** Marks between a text and what is before and after it, by what they part. */
const marks: Readonly<Record<string, RegExp>> = {
  comma: /[,;]/u,
  colon: /[:：]/u,
  bracket: /[()[\]„“”"«»]/u,
  stop: /[.!?]/u,
  dash: /[-–—·|•/]/u,
  word: /[\p{L}\p{N}]/u,
}

/** The features of how a text is cut from its cell. */
export const textEdgeNames: readonly string[] = [
  ...Object.keys(marks).map((mark) => `start.${mark}`),
  ...Object.keys(marks).map((mark) => `behind.${mark}`),
  ...['start.title', 'title', 'first.isForm', 'last.isForm', 'previous.isForm', 'next.isForm', 'next.capital'],
]

const firstWord = (text: string): string => /[\p{L}\p{N}]+/u.exec(text)?.[0] ?? ''
const lastWord = (text: string): string => /[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u.exec(text)?.[0] ?? ''

/**
 * How a text begins and ends: at which marks, behind a title of a person, beside words of forms. In running text the words on the lines
 * before and after its cell are beside it too.
 */
export function textEdgesOf(
  lineBefore: string,
  lineAfter: string,
  { cell: { text }, start, end, printed }: Span,
): number[] {
  const before = `${lineBefore} ${text.slice(0, start)}`.trim()
  const after = `${text.slice(end)} ${lineAfter}`.trim()
  const own = start === end ? printed : text.slice(start, end)
  const patterns = Object.values(marks)
  const [previous, next] = [lastWord(before.slice(-30)), firstWord(after.slice(0, 30))]
  return [
    ...patterns.map((pattern) => yes(pattern.test(before.slice(-1)))),
    ...patterns.map((pattern) => yes(pattern.test(after.slice(0, 1)))),
    yes(isBehindTitle(before, own)),
    yes(titlesAt(own) > 0),
    yes(isForm(firstWord(own))),
    yes(isForm(lastWord(own.slice(-30)))),
    yes(isForm(previous)),
    yes(isForm(next)),
    yes(/^\p{Lu}/u.test(next)),
  ]
}

/** Words of titles: `Dr. h. c.` */
const titleWordsMax = 3

/** Whether one to three words before a text are titles of who it names. */
function isBehindTitle(before: string, own: string): boolean {
  const words = before.slice(-30).split(' ').slice(-titleWordsMax)
  return words.some((_, at) => {
    const title = words.slice(at).join(' ')
    return title !== '' && titlesAt(`${title} ${own}`) > title.length
  })
}

const isForm = (word: string): boolean => word.length > 1 && isWordOfForms(word)
