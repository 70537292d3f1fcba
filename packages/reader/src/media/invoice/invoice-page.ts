import type { Page } from '../document.ts'
import { type GridWord, gridPage, wordsIn } from '../text/grid.ts'
import type { XmlElement } from './xml.ts'

/** Indentation of a level in cells, and the gap between a name and its value. */
const indent = 2
const valueGap = 3

/**
 * Lays out an XML document as a form for people, for models and for searching quotations: one row per element with text, its attributes
 * after its name, without comments. Spans refer to the XML; names have an empty one.
 */
export function pageOfXml(root: XmlElement): Page {
  const words: GridWord[] = []
  let row = 0
  const visit = (element: XmlElement, level: number): void => {
    const { name, attributes, children, text, span } = element
    let column = level * indent
    const add = (part: string, gap: number, at: readonly [number, number]): void => {
      words.push({ text: part, row, column, span: at })
      column += part.length + gap
    }
    const noted = Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns') && !key.startsWith('xsi:'))
    const before: readonly [number, number] = [span[0], span[0]]
    add(localName(name), noted.length > 0 ? 1 : valueGap, before)
    for (const [at, [key, value]] of noted.entries())
      add(`${key}=${value.replace(/\s+/g, ' ')}`, at === noted.length - 1 ? valueGap : 1, before)
    // Entities differ in length from their characters: then each word gets the span of the whole text.
    const isPlain = span[1] - span[0] === text.length
    let line = 0
    for (const word of /BinaryObject$/.test(name) ? [] : wordsIn(text)) {
      const lines = text.slice(line, word.start).split('\n').length - 1
      if (lines > 0 && line > 0) {
        row += lines
        column = (level + 1) * indent
      }
      add(word.text, 1, isPlain ? [span[0] + word.start, span[0] + word.end] : span)
      line = word.end
    }
    row += 1
    for (const child of children) visit(child, level + 1)
  }
  visit(root, 0)
  return gridPage(words)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
