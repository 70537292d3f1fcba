import { Parser } from 'htmlparser2'
import { damaged, tooLarge } from '../faults.ts'

/** An element of an XML document. */
export interface XmlElement {
  /** The name with the usual prefix of its namespace, such as `cbc:ID`; unchanged in an unknown namespace. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The direct text, without surrounding white space. */
  readonly text: string
  /** Characters `[start, end)` of that text in the source; empty if it has none. */
  readonly span: readonly [start: number, end: number]
}

const depthMax = 64
const elementsMax = 500_000

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  readonly namespaces: ReadonlyMap<string, string>
  text: string
  start: number
  end: number
}

/**
 * Parses an XML document with the namespaces' usual `prefixes` (by namespace) and returns its root. Entities other than the five of XML
 * stay unchanged, and nothing is fetched. Throws Fault `unreadable_document` for a document type declaration and for unclosed elements,
 * `input_too_costly` for more than 64 levels or 500,000 elements.
 */
export function parseXml(xml: string, prefixes: ReadonlyMap<string, string>): XmlElement {
  const open: Open[] = []
  let root: XmlElement | undefined
  let elements = 0
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (/^!doctype$/i.test(name))
          throw damaged('The XML has a document type declaration (DTD), which is not read; send it without one.')
      },
      onopentag(written, attributes) {
        elements += 1
        if (elements > elementsMax) throw tooLarge(`The XML has more than ${elementsMax} elements.`)
        if (open.length >= depthMax) throw tooLarge(`The XML has more than ${depthMax} levels of elements.`)
        const namespaces = declaredIn(attributes, open.at(-1)?.namespaces ?? new Map())
        const name = qualified(written, namespaces, prefixes)
        const at = parser.endIndex + 1
        open.push({ name, attributes, children: [], namespaces, text: '', start: at, end: at })
      },
      ontext(text) {
        const element = open.at(-1)
        if (element === undefined) return
        const isBlank = text.trim() === ''
        if (element.text === '' && isBlank) return
        if (element.text === '') element.start = parser.startIndex + text.length - text.trimStart().length
        element.text += text
        if (!isBlank) element.end = parser.endIndex + 1 - (text.length - text.trimEnd().length)
      },
      onclosetag(_name, isImplied) {
        const closed = open.pop()
        if (closed === undefined) return
        const isEmptyTag = xml[parser.endIndex - 1] === '/'
        if (isImplied && !isEmptyTag) throw damaged(`The XML is damaged: ${closed.name} is not closed.`)
        const { name, attributes, children, text, start, end } = closed
        const element: XmlElement = { name, attributes, children, text: text.trim(), span: [start, end] }
        const parent = open.at(-1)
        if (parent) parent.children.push(element)
        else root ??= element
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  if (root === undefined) throw damaged('The XML has no element.')
  return root
}

function declaredIn(
  attributes: Readonly<Record<string, string>>,
  around: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const own = Object.entries(attributes).flatMap(([key, namespace]): [string, string][] =>
    key === 'xmlns' ? [['', namespace]] : key.startsWith('xmlns:') ? [[key.slice('xmlns:'.length), namespace]] : [],
  )
  return own.length === 0 ? around : new Map([...around, ...own])
}

function qualified(
  written: string,
  namespaces: ReadonlyMap<string, string>,
  prefixes: ReadonlyMap<string, string>,
): string {
  const colon = written.indexOf(':')
  const prefix = prefixes.get(namespaces.get(colon < 0 ? '' : written.slice(0, colon)) ?? '')
  return prefix === undefined ? written : `${prefix}:${written.slice(colon + 1)}`
}
