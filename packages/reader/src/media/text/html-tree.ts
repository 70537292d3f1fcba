import { Parser } from 'htmlparser2'

/** A text with its offsets `[start, end)` in the source; shorter than these when it contains entities. */
export interface HtmlText {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** An element with its visible content. */
export interface HtmlElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: HtmlNode[]
}

export type HtmlNode = HtmlText | HtmlElement

/** The maximum depth of elements; deeper ones become children of the one at this depth. */
const depthMax = 200

/** Elements whose text is not displayed. */
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

export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node

/**
 * The visible elements and texts of an HTML source, without scripts, styles and elements with the `hidden` attribute.
 * htmlparser2 repairs broken markup.
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

/** The value of a form field, as text with its offsets in the source. */
function inputText(source: string, parser: Parser, attributes: Readonly<Record<string, string>>): HtmlText[] {
  const value = attributes['value'] ?? ''
  if (value === '' || /^(?:checkbox|radio|password|file|image)$/i.test(attributes['type'] ?? '')) return []
  const at = source.slice(parser.startIndex, parser.endIndex).indexOf(value)
  if (at < 0) return [{ text: value, start: parser.startIndex, end: parser.endIndex + 1 }]
  return [{ text: value, start: parser.startIndex + at, end: parser.startIndex + at + value.length }]
}
