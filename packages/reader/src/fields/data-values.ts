import { greatest } from '@skillrun/core/extremes.ts'
import { pointerSteps } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import type { PageLayout } from '../layout/layout.ts'
import { type PlacedWord, placeWord } from '../layout/placed-words.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { spanOf } from '../layout/spans.ts'
import { namePhrase } from '../layout/text.ts'
import type { DataPlace } from '../media/document.ts'
import type { Fields, ListField } from '../schema/fields.ts'
import { readFinding } from '../tables/read-rows.ts'
import { valueFor } from '../values/values.ts'
import { placeOfWords } from '../values/verify.ts'

/** A value, object or array of a JSON document, or the row of a table. */
interface Node {
  /** By their names; items of arrays by their number. */
  readonly members: Map<string, Node>
  /** By the phrase of their names: null where several have the same. */
  phrases?: Map<string, Node | null>
  /** Of a single value. */
  leaf?: { readonly type: DataPlace['type']; readonly words: PlacedWord[]; readonly page: PageLayout }
}

/** What JSON documents, and tables with a single row, hold under the names that a schema asks for. */
export interface DataValues {
  readonly single: ReadonlyMap<string, Finding>
  /** Why a field stays empty whose name is there: its value is null, or none that the schema allows. By pointer. */
  readonly empty: ReadonlyMap<string, string>
  readonly lists: ReadonlyMap<string, Map<string, Finding>[]>
}

/** What a field that has a value by its own name in the data is found with. */
const confidence = 1

/**
 * The values of the fields whose names are those of members of a JSON document or of columns of its only row, in the record that has them: the outermost object with
 * such members, of several the one with most. A list is the array in its place, or else the only one whose items have all its columns.
 */
export function dataValues(fields: Fields, sheet: Sheet, inputs: readonly string[]): DataValues {
  const single = new Map<string, Finding>()
  const empty = new Map<string, string>()
  const lists = new Map<string, Map<string, Finding>[]>()
  const found = rootsOf(sheet, fields).map((root) => ({ root, record: recordIn(root, fields) }))
  const records = found.flatMap(({ record }) => record ?? [])
  const read = (field: Field, node: Node): Finding | string => readLeaf(field, node, sheet, inputs)
  for (const field of fields.single) {
    const nodes = records.flatMap((record) => at(record, stepsOf(field)) ?? [])
    const [node] = nodes
    // Of several documents with a value, none is the one that was meant.
    if (node?.leaf === undefined || nodes.length > 1) continue
    const value = read(field, node)
    if (typeof value === 'string') empty.set(field.pointer, value)
    else single.set(field.pointer, value)
  }
  for (const list of fields.lists) {
    const arrays = found.flatMap(({ root, record }) => arrayFor(list, root, record) ?? [])
    const rows = arrays.flatMap((array) => itemsOf(array).map((item) => rowOf(list, item, read)))
    if (rows.length > 0) lists.set(list.pointer, rows)
  }
  return { single, empty, lists }
}

function rootsOf({ pages }: Sheet, fields: Fields): Node[] {
  const roots = new Map<number, Node>()
  for (const page of pages) {
    const record = pages.length === 1 ? recordOfTable(page, fields) : undefined
    if (record) return [record]
    let before: string | undefined
    for (const word of page.page.words) {
      const { data } = word
      if (data !== undefined) {
        const root = madeIn(roots, page.document)
        const node = pointerSteps(data.pointer).reduce((parent, step) => madeIn(parent.members, step), root)
        // The last of several members with the same name counts, as in `JSON.parse`.
        if (data.pointer !== before) node.leaf = { type: data.type, words: [], page }
        node.leaf?.words.push(placeWord(word, page, { degrees: 0, isLoose: false }))
      }
      before = data?.pointer
    }
  }
  return [...roots.values()]
}

/** A table with a single row as an object. Two of its headings have to be fields: in two lines of names and values, one may be. */
function recordOfTable(page: PageLayout, fields: Fields): Node | undefined {
  const header = page.lines.findIndex(({ cells }) => cells.length > 1)
  const [headings, row, ...others] = page.lines.slice(header)
  if (!page.page.isTabular || header < 0 || !headings || !row || others.length > 0) return undefined
  if (row.cells.some(({ words }) => words.some(({ word }) => word.data))) return undefined
  const members = new Map<string, Node>()
  for (const { text, x0 } of headings.cells) {
    const cell = row.cells.find((one) => Math.abs(one.x0 - x0) < headings.height / 4)
    members.set(text, {
      members: new Map(),
      ...(cell && { leaf: { type: 'string', words: [...cell.words], page } }),
    })
  }
  const root = { members }
  const named = fields.single.filter((field) => at(root, stepsOf(field)) !== undefined)
  return members.size < headings.cells.length || named.length < 2 ? undefined : root
}

function madeIn<Key>(nodes: Map<Key, Node>, key: Key): Node {
  const known = nodes.get(key)
  if (known) return known
  const made: Node = { members: new Map() }
  nodes.set(key, made)
  return made
}

const stepsOf = ({ pointer }: { readonly pointer: string }): string[] => pointerSteps(pointer)

const at = (node: Node, steps: readonly string[]): Node | undefined =>
  steps.reduce<Node | undefined>((parent, step) => parent && memberOf(parent, step), node)

/** The member with a name, or else the only one whose name has the same words. */
function memberOf(node: Node, name: string): Node | undefined {
  const own = node.members.get(name)
  if (own !== undefined || node.members.size === 0) return own
  if (node.phrases === undefined) {
    node.phrases = new Map()
    for (const [other, member] of node.members) {
      const phrase = namePhrase(other)
      node.phrases.set(phrase, node.phrases.has(phrase) ? null : member)
    }
  }
  return node.phrases.get(namePhrase(name)) ?? undefined
}

/** The items of an array, also those that hold nothing. */
function itemsOf({ members }: Node): (Node | undefined)[] {
  const last = greatest([...members.keys()].map(Number))
  return Array.from({ length: last + 1 }, (_, at) => members.get(String(at)))
}

const isArray = ({ members }: Node): boolean => members.has('0')

/** The record of a document: see `dataValues`. One inside other objects has to have two of the fields. */
function recordIn(root: Node, fields: Fields): Node | undefined {
  const places = [
    ...fields.single.map((field) => ({ steps: stepsOf(field), isList: false })),
    ...fields.lists.map((list) => ({ steps: stepsOf(list), isList: true })),
  ]
  const countIn = (node: Node): number =>
    places.filter(({ steps, isList }) => {
      const found = at(node, steps)
      return found !== undefined && found !== node && (isList ? isArray(found) : found.leaf !== undefined)
    }).length
  let best: { node: Node; count: number; isAlone: boolean } | undefined
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const count = countIn(node)
    if (count > (best?.count ?? 0)) best = { node, count, isAlone: true }
    else if (best && count === best.count) best.isAlone = false
    if (count > 0) continue
    const inside = [...node.members.values()]
    if (!isArray(node) || inside.length === 1) for (const one of inside) open.push(one)
  }
  return best?.isAlone && (best.node === root || best.count > 1) ? best.node : undefined
}

function arrayFor(list: ListField, root: Node, record: Node | undefined): Node | undefined {
  const own = record && at(record, stepsOf(list))
  if (own && isArray(own) && hasColumns(own, list)) return own
  const others: Node[] = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isArray(node) && hasColumns(node, list)) others.push(node)
    if (!isArray(node)) for (const one of node.members.values()) open.push(one)
  }
  return others.length === 1 && list.columns.some(({ pointer }) => pointer !== '') ? others[0] : undefined
}

/** True when each column of a list is the name of a member of some item. */
const hasColumns = (array: Node, { columns }: ListField): boolean =>
  columns.length > 0 &&
  columns.every((field) => {
    const steps = stepsOf(field)
    return [...array.members.values()].some((item) => at(item, steps)?.leaf !== undefined)
  })

function rowOf(
  { columns }: ListField,
  item: Node | undefined,
  read: (field: Field, node: Node) => Finding | string,
): Map<string, Finding> {
  const row = new Map<string, Finding>()
  for (const field of columns) {
    const node = item && at(item, stepsOf(field))
    const value = node?.leaf === undefined ? '' : read(field, node)
    if (typeof value !== 'string') row.set(field.pointer, value)
  }
  return row
}

/** Kinds of values that are given as they are written. */
const isWritten = /^(?:text|name|address|id|phone|email|url)$/

/** True for a field that takes any text. */
const takesAny = ({ plan: { choices, pattern, schema, types } }: Field): boolean =>
  choices.length === 0 && pattern === null && schema['format'] === undefined && types.every((type) => type === 'string')

/** The value of a field, or why there is none. */
function readLeaf(field: Field, { leaf }: Node, sheet: Sheet, inputs: readonly string[]): Finding | string {
  if (leaf === undefined || leaf.type === 'null') return 'The data has null here.'
  const { type, words, page } = leaf
  const text = words.map(({ word }) => word.text).join(' ')
  const { plan } = field
  const isAny = takesAny(field)
  if (type === 'string' && !(isAny && isWritten.test(plan.meaning.kind))) {
    const finding = readFinding(field, spanOf(words, []), { sheet, page, inputs })
    // A field that takes any text gets all of it.
    if (finding && (!isAny || finding.evidence.quote === text)) return { ...finding, isCell: true }
  }
  // A text gets all digits of a number.
  const isText =
    type === 'string' || (type === 'number' && plan.types.length > 0 && plan.types.every((one) => one === 'string'))
  const exact = isText ? text : (JSON.parse(text) as number | boolean)
  const isRounded = /^-?\d+$/.test(text) && typeof exact === 'number' && !Number.isSafeInteger(exact)
  const value = valueFor(plan, { start: 0, end: text.length, value: exact, printed: text, fit: 1 })
  if (value === undefined)
    return `The data has ${JSON.stringify(text.slice(0, 80))} here, which is no value of this field.`
  const evidence = {
    status: 'verified' as const,
    input: inputs[page.document] ?? '',
    ...placeOfWords(words, page),
    quote: text,
    confidence,
  }
  return {
    value,
    evidence,
    isCell: true,
    ...(isRounded && { doubt: 'The number has more digits than a JSON number can give.' }),
  }
}
