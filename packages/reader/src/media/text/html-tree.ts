import { Parser } from 'htmlparser2'

/** A piece of text with its characters `[start, end)` in the source; shorter than them where it stood as an entity. */
export interface HtmlText {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** An element with what it shows. */
export interface HtmlElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: HtmlNode[]
}

/** What stands in an element. */
export type HtmlNode = HtmlText | HtmlElement

/** Elements within elements; deeper ones are taken as parts of the one at this depth. */
const depthMax = 200

/** Elements whose text nobody reads on a page. */
const unseen = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'svg',
  'math',
  'iframe',
  'object',
  'audio',
  'video',
  'canvas',
  'datalist',
])

/** True for an element. */
export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node

/**
 * The elements and texts of an HTML source that a reader of the page sees: scripts, styles and what is hidden by an attribute
 * of its own are left out. Broken markup is mended as htmlparser2 does it.
 */
export function parseHtml(source: string): HtmlElement {
  const root: HtmlElement = { tag: 'body', attributes: {}, children: [] }
  const open: HtmlElement[] = [root]
  let depth = 0
  let hiddenDepth = 0
  const parser: Parser = new Parser({
    onopentag(tag, attributes) {
      depth += 1
      if (hiddenDepth === 0 && (unseen.has(tag) || isHidden(attributes))) hiddenDepth = depth
      if (hiddenDepth > 0 || depth > depthMax) return
      const element: HtmlElement = { tag, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
      if (tag === 'input') element.children.push(...inputText(source, parser, attributes))
    },
    onclosetag() {
      if (hiddenDepth === 0 && depth <= depthMax && open.length > 1) open.pop()
      if (hiddenDepth === depth) hiddenDepth = 0
      depth -= 1
    },
    ontext(text) {
      if (hiddenDepth === 0) open.at(-1)?.children.push({ text, start: parser.startIndex, end: parser.endIndex + 1 })
    },
  })
  parser.end(source)
  return root
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  if ('hidden' in attributes || attributes['type'] === 'hidden') return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '')
}

/** What stands in a field of a form, as text with its place in the source. */
function inputText(source: string, parser: Parser, attributes: Readonly<Record<string, string>>): HtmlText[] {
  const value = attributes['value'] ?? ''
  if (value === '' || /^(?:checkbox|radio|password|file|image)$/i.test(attributes['type'] ?? '')) return []
  const at = source.slice(parser.startIndex, parser.endIndex).indexOf(value)
  if (at < 0) return [{ text: value, start: parser.startIndex, end: parser.endIndex + 1 }]
  return [{ text: value, start: parser.startIndex + at, end: parser.startIndex + at + value.length }]
}
