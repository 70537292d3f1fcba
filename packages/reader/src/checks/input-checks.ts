import { isDeepStrictEqual } from 'node:util'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Candidate } from '../layout/sheet.ts'
import type { ReadDocument } from '../media/document.ts'
import { mailType } from '../media/mail/looks-like-mail.ts'
import { valueFor } from '../values/values.ts'

/** A weaker candidate says nothing of what an input is. */
const scoreMin = 0.6

const quotedList = (inputs: readonly string[]): string => inputs.map((input) => JSON.stringify(input)).join(', ')

/** The inputs that may be separate documents: an email belongs to what it covers. */
export const separateInputs = (
  documents: readonly { readonly input: string; readonly document: ReadDocument }[],
): readonly string[] =>
  documents.flatMap(({ input, document }) => {
    const isCover = document.mediaType === mailType && documents.some((other) => other.input.startsWith(`${input}/`))
    return isCover ? [] : [input]
  })

/** `inputs`: those of the candidates, by their index; `all`: those with values, in their order. */
interface Inputs {
  readonly inputs: readonly string[]
  readonly all: readonly string[]
}

/** A warning where single values come from several inputs, or where other inputs state most of them otherwise: these may be separate documents. */
export function warnOfInputs(
  single: ReadonlyMap<string, Finding>,
  weighed: readonly Candidate[],
  { inputs, all }: Inputs,
): Warning[] {
  const used = new Set([...single.values()].map(({ evidence }) => evidence.input))
  const sources = all.filter((input) => used.has(input))
  const others = all.filter((input) => !used.has(input) && isRival(inputs.indexOf(input), single, weighed))
  if (sources.length + others.length < 2) return []
  const left = others.length === 0 ? '' : `, not from ${quotedList(others)}, where most of them are others`
  const message = `The values come from ${sources.length === 1 ? 'the input' : 'the inputs'} ${quotedList(sources)}${left}. If these are separate documents, execute each by itself, or all in a batch`
  return [{ code: 'several_inputs', path: '', message }]
}

/** True for an input that states at least half of the values, and another one for each of these. */
function isRival(document: number, single: ReadonlyMap<string, Finding>, weighed: readonly Candidate[]): boolean {
  const own = weighed.filter(({ page, score }) => page.document === document && score >= scoreMin)
  const stated = [...single].filter(([pointer, { value }]) => {
    const read = own
      .filter(({ field }) => field.pointer === pointer)
      .map(({ field, reading }) => valueFor(field.plan, reading))
    return read.length > 0 && read.every((one) => !isDeepStrictEqual(one, value))
  })
  return stated.length > 0 && stated.length * 2 >= single.size
}
