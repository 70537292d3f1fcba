import type { CellWords } from './csv.ts'
import { type GridWord, wordsIn } from './grid.ts'
import { jsonToken, wordsOfToken } from './json-tokens.ts'

/** With more columns or deeper objects it is no table: its objects have little in common. */
const columnsMax = 1_000
const levelsMax = 30

/** The text of an object. */
export interface ObjectText {
  readonly text: string
  /** Its offset in the source. */
  readonly start: number
}

/**
 * The rows of a table below its header: an object each, with a column for each name. Undefined when the objects have too many names or levels.
 */
export function tableOfObjects(objects: readonly ObjectText[]): CellWords[][] | undefined {
  const header: CellWords[] = []
  const columns = new Map<string, number>()
  const rows: CellWords[][] = []
  for (const object of objects) {
    const row: CellWords[number][][] = []
    const values = valuesOf(object)
    if (values === undefined) return undefined
    for (const { path, key, words } of values) {
      const id = path.map(({ name }) => (typeof name === 'string' ? JSON.stringify(name) : name)).join()
      const column = columns.get(id) ?? columns.size
      if (column >= columnsMax) return undefined
      if (!columns.has(id)) {
        const name = path.map((member) => member.name).join(' ')
        header.push(wordsIn(name).map((word) => ({ text: word.text, span: key })))
        columns.set(id, column)
      }
      row[column] ??= []
      for (const word of words) row[column]?.push(word)
    }
    rows.push(row)
  }
  return [header, ...rows]
}

/** A member of an object by its name, or of a list by its number from 1. */
interface Member {
  readonly name: string | number
  /** True when a later one of its object has its name, which then counts alone. */
  isReplaced: boolean
}

interface Value {
  /** The members that it is in from the outside in; single values of lists have none in their list. */
  readonly path: readonly Member[]
  /** The place of the last name. */
  readonly key: GridWord['span']
  /** None for null. */
  readonly words: CellWords
}

/** The single values of an object; undefined if it has too many levels. */
function valuesOf({ text, start }: ObjectText): Value[] | undefined {
  const values: Value[] = []
  const open: { isList: boolean; member: Member; members: Map<string, Member> }[] = []
  let key: GridWord['span'] = [start, start]
  let isName = false
  let hasReplaced = false
  for (const { 0: token, index } of text.matchAll(jsonToken)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({ isList: token === '[', member: { name: 1, isReplaced: false }, members: new Map() })
      isName = token === '{'
      if (open.length > levelsMax) return undefined
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (typeof inner?.member.name === 'number') inner.member = { name: inner.member.name + 1, isReplaced: false }
      isName = inner?.isList === false
    } else if (token === ':') isName = false
    else if (isName && inner) {
      const name = String(JSON.parse(token))
      const earlier = inner.members.get(name)
      if (earlier) {
        earlier.isReplaced = true
        hasReplaced = true
      }
      inner.member = { name, isReplaced: false }
      inner.members.set(name, inner.member)
      key = [start + index + 1, start + index + token.length - 1]
    } else {
      const around = inner?.isList ? open.slice(0, -1) : open
      const words = token === 'null' ? [] : wordsOfToken(token, start + index)
      values.push({ path: around.map(({ member }) => member), key, words })
    }
  }
  return hasReplaced ? values.filter(({ path }) => !path.some(({ isReplaced }) => isReplaced)) : values
}
