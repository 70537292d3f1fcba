/**
 * The position of the first error in invalid JSON: the index of the first character that no JSON text could have there, or
 * the text's length when it ends too early. `JSON.parse` reports the position of some errors only. The grammar is RFC 8259.
 */
export function findJsonBreak(text: string): number {
  const closers: string[] = []
  let wanted: Wanted = 'value'
  let at = 0
  for (;;) {
    at = endOf(space, text, at)
    const character = text[at]
    if (character === undefined) return at
    const closer = closers.at(-1)
    const mayClose = wanted === 'next' || wanted === 'first value' || wanted === 'first name'
    if (mayClose && character === closer) {
      closers.pop()
      wanted = 'next'
      at += 1
    } else if (wanted === 'next') {
      if (character !== ',' || closer === undefined) return at
      wanted = closer === '}' ? 'name' : 'value'
      at += 1
    } else if (wanted === 'colon') {
      if (character !== ':') return at
      wanted = 'value'
      at += 1
    } else if (wanted === 'name' || wanted === 'first name') {
      if (character !== '"') return at
      const read = readText(text, at)
      if (!read.isWhole) return read.end
      wanted = 'colon'
      at = read.end
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']')
      wanted = character === '{' ? 'first name' : 'first value'
      at += 1
    } else {
      const read = character === '"' ? readText(text, at) : readWord(text, at)
      if (!read.isWhole) return read.end
      wanted = 'next'
      at = read.end
    }
  }
}

type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next'

/** The end of the valid part of a token, and whether the token is complete. */
interface Read {
  readonly end: number
  readonly isWhole: boolean
}

const space = /[ \t\n\r]*/y
const numberBegun = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/y
const escapeBegun = /\\(?:["\\/bfnrt]|u[\da-fA-F]{0,4})?/y
const escapeWhole = /^\\(?:[^u]|u.{4})$/

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

function readText(text: string, from: number): Read {
  let at = from + 1
  while (at < text.length) {
    const character = text.charCodeAt(at)
    if (character === 0x22) return { end: at + 1, isWhole: true }
    if (character < 0x20) break
    if (character === 0x5c) {
      const end = endOf(escapeBegun, text, at)
      if (!escapeWhole.test(text.slice(at, end))) return { end, isWhole: false }
      at = end
    } else at += 1
  }
  return { end: at, isWhole: false }
}

function readWord(text: string, from: number): Read {
  const word = ['true', 'false', 'null'].find((one) => one[0] === text[from])
  if (word === undefined) {
    const end = endOf(numberBegun, text, from)
    return { end, isWhole: /\d/.test(text.charAt(end - 1)) && end > from }
  }
  let length = 1
  while (length < word.length && text[from + length] === word[length]) length += 1
  return { end: from + length, isWhole: length === word.length }
}
