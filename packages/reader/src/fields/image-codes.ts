import { type Json, type JsonSchema, pointerSteps } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import { namePhrase, phraseOf } from '../layout/text.ts'
import type { Box } from '../media/document.ts'
import type { ListField } from '../schema/fields.ts'
import { valueFor } from '../values/values.ts'

/** A decoded barcode. */
export interface DecodedCode {
  /** The name of the format in zxing: `QRCode`, `EAN-13` … */
  readonly format: string
  readonly text: string
  readonly box: Box
}

/** A barcode or matrix code on a page of an input. */
export interface ImageCode extends DecodedCode {
  readonly input: string
  /** 0-based. */
  readonly page: number
}

/** Names of code types and formats: `qr code`, `barcodes`, `Strichcode`, `EAN-13`. */
const codeName =
  /(?<!\p{L})(?:(?:bar|qr|matrix|2d|strich|streep) ?codes?|qr|data ?matrix|codes? (?:a )?barres?|codigos? de barras|codic[ei] a barre|aztec|pdf ?417|ean(?: ?(?:8|13))?|upc|gtin|code ?(?:39|128)|itf)(?!\p{L})/iu

/** True when the words of a request mention codes; only then are images searched for them. */
export const mentionsCodes = (schema: JsonSchema, prompt: string): boolean =>
  codeName.test(prompt) || namesIn(schema).some((name) => codeName.test(name) || name === 'codes')

/** The names and descriptions in a schema, as words. */
function namesIn(schema: Json): string[] {
  const names: string[] = []
  const pending: Json[] = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [name, inner] of Object.entries(next)) {
      names.push(namePhrase(name))
      if (typeof inner === 'string') names.push(inner)
      else pending.push(inner as Json)
    }
  }
  return names
}

const isMatrix = (format: string): boolean => /qr|matrix|aztec|maxi/i.test(format)
const isQr = (format: string): boolean => /qr/i.test(format)

/** The codes that a name may mean: `qr` only QR codes; `barcode` no matrix codes when the request has a separate field for them. */
function meant(codes: readonly ImageCode[], name: string, hasOwnForQr: boolean): readonly ImageCode[] {
  if (/(?<!\p{L})qr/iu.test(name)) return codes.filter(({ format }) => isQr(format))
  return hasOwnForQr ? codes.filter(({ format }) => !isQr(format)) : codes
}

type Role = 'text' | 'format' | 'page'

/** Which part of a code a property is, by its name. */
function roleOf(name: string): Role | undefined {
  if (name === '' || codeName.test(name)) return 'text'
  if (/(?:^| )(?:format|type|symbology|kind)$/.test(name)) return 'format'
  if (/(?:^| )page(?: no)?$/.test(name)) return 'page'
  return /(?:^| )(?:text|value|contents?|data|payload|code|no|url|link|string|raw)$/.test(name) ? 'text' : undefined
}

const lastName = (pointer: string): string => namePhrase(pointerSteps(pointer).at(-1) ?? '')
const describedAs = ({ plan }: Pick<Field, 'plan'>): string =>
  typeof plan.schema['description'] === 'string' ? plan.schema['description'] : ''

/** The lists that ask for codes, with one item per code. */
export function codeLists(
  lists: readonly ListField[],
  codes: readonly ImageCode[],
): Map<string, Map<string, Finding>[]> {
  const wanted = lists.filter((list) => {
    const name = lastName(list.pointer)
    return name === 'codes' || codeName.test(name)
  })
  const hasOwnForQr = wanted.some(({ pointer }) => /(?<!\p{L})qr/iu.test(lastName(pointer)))
  return new Map(
    wanted.map((list) => [
      list.pointer,
      meant(codes, lastName(list.pointer), hasOwnForQr).map(
        (code) =>
          new Map(
            list.columns.flatMap((field) => {
              const finding = findingOf(field, code, roleOf(lastName(field.pointer)))
              return finding ? [[field.pointer, finding] as const] : []
            }),
          ),
      ),
    ]),
  )
}

/** The single fields that ask for a code: its value where exactly one code fits, else the reason why not. */
export function codeValues(
  fields: readonly Field[],
  codes: readonly ImageCode[],
): { readonly found: ReadonlyMap<string, Finding>; readonly notes: ReadonlyMap<string, string> } {
  const found = new Map<string, Finding>()
  const notes = new Map<string, string>()
  const wanted = fields.flatMap((field) => {
    const steps = pointerSteps(field.pointer).map(namePhrase)
    const at = steps.findLastIndex((step) => codeName.test(step))
    const name = steps[at] ?? (codeName.test(describedAs(field)) ? describedAs(field) : undefined)
    if (name === undefined) return []
    const role = at >= 0 && at < steps.length - 1 ? roleOf(steps.at(-1) ?? '') : 'text'
    return role === undefined
      ? []
      : [{ field, name, role: /(?:format|type)$/.test(steps.at(-1) ?? '') ? 'format' : role }]
  })
  const hasOwnForQr = wanted.some(({ name }) => /(?<!\p{L})qr/iu.test(name))
  for (const { field, name, role } of wanted) {
    const own = meant(codes, name, hasOwnForQr)
    const [code] = own
    if (code === undefined) notes.set(field.pointer, 'No such code was found in the images.')
    else if (new Set(own.map(({ text }) => text)).size > 1)
      notes.set(field.pointer, `${own.length} codes were found, and it is unclear which one is meant; ask for a list.`)
    else {
      const finding = findingOf(field, code, role as Role)
      if (finding) found.set(field.pointer, finding)
    }
  }
  return { found, notes }
}

/** Decoders verify a checksum, so little doubt is left. */
const confidence = 0.99

function findingOf(field: Field, code: ImageCode, role: Role | undefined): Finding | undefined {
  if (role === undefined) return undefined
  const { input, page, box: bbox, text, format } = code
  const value =
    role === 'page'
      ? page + 1
      : role === 'format'
        ? formatFor(field, format)
        : valueFor(field.plan, { start: 0, end: text.length, value: text, printed: text, fit: 1 })
  if (value === undefined) return undefined
  const status = role === 'text' ? 'verified' : 'derived'
  return {
    value,
    evidence: { status, input, page, bbox, quote: text, confidence, note: `Read from a code (${format}).` },
  }
}

/** The name of the format among the values that the schema allows. */
function formatFor({ plan }: Field, format: string): Json | undefined {
  if (plan.choices.length === 0) return format
  const plain = (text: Json): string => phraseOf(String(text)).replaceAll(' ', '')
  const own = plain(format)
  const named = plan.choices.find((choice) => own.includes(plain(choice)) || plain(choice).includes(own))
  const kind = isMatrix(format) ? /matrix|2d/i : /bar|linear|1d/i
  return named ?? plan.choices.find((choice) => kind.test(String(choice)))
}
