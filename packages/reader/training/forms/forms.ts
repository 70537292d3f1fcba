import { readFileSync } from 'node:fs'
import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { Pair, Pen } from './pen.ts'

/** A form of a kind that the reader has no rules for, with what is asked of it. */
export interface Form {
  readonly name: string
  readonly schema: JsonSchema
  readonly truth: JsonObject
  draw(pen: Pen): void
}

/**
 * Reads a form: lines `? field: type (description) = truth` are asked, with `-` where the form lacks the value. The others draw it: each a
 * function of the pen with its numbers and style, then its text, or its rows in indented lines.
 */
function formOf(block: string): Form {
  const [name = '', ...lines] = block.trimEnd().split('\n')
  const questions = lines.filter((line) => line.startsWith('?'))
  const asked = questions.map((line) => {
    const [, field = '', type = '', description, truth = ''] = /^\? (\w+): (.*?)(?: \((.*)\))? = (.*)$/.exec(line) ?? []
    if (field === '') throw new Error(`${name} cannot ask: ${line}`)
    return { field, schema: schemaOf(type, description), truth: truthOf(type, truth) }
  })
  return {
    name: name.slice(0, -1),
    schema: { type: 'object', properties: Object.fromEntries(asked.map(({ field, schema }) => [field, schema])) },
    truth: Object.fromEntries(asked.map(({ field, truth }) => [field, truth])),
    draw: (pen) => {
      for (const part of lines
        .filter((line) => !line.startsWith('?'))
        .join('\n')
        .split(/\n(?! )/))
        drawPart(pen, part)
    },
  }
}

const types: Readonly<Record<string, JsonObject>> = {
  text: { type: ['string', 'null'] },
  day: { type: ['string', 'null'], format: 'date' },
  number: { type: ['number', 'null'] },
  yes: { type: ['boolean', 'null'] },
}

const schemaOf = (type: string, description: string | undefined): JsonObject => ({
  ...(types[type] ?? { type: ['string', 'null'], enum: [...type.split('/'), null] }),
  ...(description !== undefined && { description }),
})

function truthOf(type: string, written: string): Json {
  if (written === '-') return null
  if (type === 'number') return Number(written)
  return type === 'yes' ? written === 'true' : written
}

const flags: Readonly<Record<string, object>> = { bold: { bold: true }, unmarked: { mark: '' }, spaced: { mark: ' :' } }

function styleOf(word: string): object {
  const [name = '', value] = word.split('=')
  return flags[name] ?? (value === undefined ? {} : { [name]: Number(value) })
}

function pairOf(cell: string): Pair {
  const [label = '', value = ''] = cell.split(' = ')
  return [label, value]
}

function drawPart(pen: Pen, part: string): void {
  const [head = '', ...below] = part.split('\n')
  const [, name, settings = '', text = ''] = /^(\w+) ([^:]*)(?:: (.*))?$/.exec(head) ?? []
  const words = settings.split(' ')
  const [x = 0, ...others] = words.filter((word) => /^\d/.test(word)).map(Number)
  const [y = 0, ...widths] = others
  const style = Object.assign({}, ...words.map(styleOf))
  const rows = below.map((line) => line.slice(2).split(' | '))
  const pairs = rows.map((row) => row.map(pairOf))
  if (name === 'text') pen.text(x, y, text.replaceAll('\\n', '\n'), style)
  else if (name === 'pairs') pen.pairs([x, y], pairs.flat(), style)
  else if (name === 'boxes' || name === 'captions') pen[name]([x, y], widths, pairs)
  else if (name === 'rows') pen.rows(x, others, rows)
  else throw new Error(`A form cannot draw: ${head}`)
}

/** Forms in seven languages and several layouts. Written before the reader was tried on them. */
export const forms: readonly Form[] = readFileSync(new URL('./forms.txt', import.meta.url), 'utf8')
  .split(/^\[/m)
  .slice(1)
  .map(formOf)
