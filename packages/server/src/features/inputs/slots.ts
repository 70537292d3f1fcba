import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { invalid, parsePart, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import type { ExecutionInput, InputSource } from './input.ts'
import { type InputItem, inputItem, inputItemTypes } from './input-wire.ts'

/** Slots split into things to read and plain values. */
export interface Slots {
  readonly inputs: readonly ExecutionInput[]
  readonly values: Readonly<Record<string, Json>>
  /** Short text items beside documents: instructions, not documents. */
  readonly instructions: readonly string[]
}

const urlPattern = /^https?:\/\/\S+$/i
// Bounded, so that a text of megabytes that only begins like a URL is not scanned to its end.
const dataUrlPattern = /^data:[^,]{0,1000},/i
const isHttpUrl = (text: string): boolean => text.length <= limits.inputUrlCharactersMax && urlPattern.test(text)
/** A text item of one line up to this length, beside other inputs, is an instruction. */
const instructionCharactersMax = 300

/**
 * Reads the slots of a request. A slot is an input item, an array of input items, a bare http(s) or data URL, an object of such URLs, or
 * any JSON; a string is then a document, anything else a value. `beside`: there are documents already. Throws ValidationFailures that name
 * the slot.
 */
export function readSlots(inputs: Readonly<Record<string, unknown>>, { beside }: { beside: boolean }): Slots {
  const found: ExecutionInput[] = []
  const values: Record<string, Json> = {}
  for (const [slot, value] of Object.entries(inputs)) {
    if (slot.length > limits.slotNameCharactersMax) throw longName(slot)
    readSlot({ slot, value, found, values })
    refuseMore(found.length)
  }
  refuseRepeated(found)
  const isInstruction = (input: ExecutionInput) =>
    input.modality === 'text' &&
    input.name !== '' &&
    input.source.kind === 'text' &&
    !values[input.name] &&
    input.source.text.length <= instructionCharactersMax &&
    !input.source.text.includes('\n')
  const documents = found.filter((input) => !isInstruction(input))
  if (documents.length === 0 && !beside) return { inputs: found, values, instructions: [] }
  const instructions = found
    .filter(isInstruction)
    .map((input) => (input.source.kind === 'text' ? input.source.text : ''))
  return { inputs: documents, values, instructions }
}

function refuseMore(items: number): void {
  if (items <= limits.inputItemsMax) return
  throw invalid(['body', 'inputs'], `An execution takes at most ${limits.inputItemsMax} inputs`, {
    type: 'too_many_inputs',
    ctx: { max_items: limits.inputItemsMax },
  })
}

/** Items of a slot are named after it, and another slot may have such a name: a tool or a run that continues would read the wrong one. */
function refuseRepeated(found: readonly ExecutionInput[]): void {
  const names = new Set<string>()
  for (const { name } of found) {
    if (names.has(name))
      throw invalid(
        ['body', 'inputs'],
        `Two inputs have the name ${JSON.stringify(name)}: an item of a slot is named after the slot and its place in it. Rename one of the slots`,
        { type: 'duplicate_input', input: name },
      )
    names.add(name)
  }
}

const longName = (slot: string) =>
  invalid(['body', 'inputs'], `The name of a slot must have at most ${limits.slotNameCharactersMax} characters`, {
    type: 'string_too_long',
    input: slot,
    ctx: { max_length: limits.slotNameCharactersMax },
  })

function readSlot(at: { slot: string; value: unknown; found: ExecutionInput[]; values: Record<string, Json> }): void {
  const { slot, value, found, values } = at
  if (value === null || value === undefined) return
  if (typeof value === 'string') {
    const source = sourceOfText(value)
    found.push({ name: slot, modality: source.kind === 'text' ? 'text' : 'file', source })
    if (source.kind === 'text') values[slot] = value
    return
  }
  if (isInputItem(value)) {
    found.push(inputOf(slot, parseItem(value, [slot])))
    return
  }
  if (Array.isArray(value) && value.length > 0 && value.every((item) => isInputItem(item) || isUrl(item))) {
    refuseMore(found.length + value.length)
    value.forEach((item: unknown, index) => {
      const name = `${slot}/${index}`
      if (typeof item === 'string') found.push({ name, modality: 'file', source: sourceOfText(item) })
      else found.push(inputOf(name, parseItem(item, [slot, index])))
    })
    return
  }
  const names = isJsonObject(value) ? Object.keys(value) : []
  if (isJsonObject(value) && names.length > 0 && names.every((name) => isUrl(value[name]))) {
    refuseMore(found.length + names.length)
    for (const [key, url] of Object.entries(value))
      found.push({ name: `${slot}/${key}`, modality: 'file', source: sourceOfText(String(url)) })
    return
  }
  values[slot] = value as Json
}

const isUrl = (value: unknown): boolean => typeof value === 'string' && (isHttpUrl(value) || dataUrlPattern.test(value))

/** Whether a slot holds an input item, rather than plain JSON that happens to have a `type`. */
export const isInputItem = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value['type'] === 'string' &&
  (inputItemTypes.has(value['type']) || value['type'] in value)

function sourceOfText(text: string): InputSource {
  if (isHttpUrl(text)) return { kind: 'url', url: text }
  return dataUrlPattern.test(text) ? { kind: 'data', url: text } : { kind: 'text', text }
}

/** The source of an item that is declared to be a URL, which the schema of items has checked. */
const sourceOfUrl = (url: string): InputSource => (/^data:/i.test(url) ? { kind: 'data', url } : { kind: 'url', url })

function parseItem(value: unknown, path: readonly (string | number)[]): InputItem {
  try {
    return parsePart(inputItem, value, 'body')
  } catch (error) {
    if (!(error instanceof ValidationFailure)) throw error
    throw new ValidationFailure(
      error.details.map((detail) => ({ ...detail, loc: ['body', 'inputs', ...path, ...detail.loc.slice(1)] })),
    )
  }
}

const detailOf = ({ detail }: { detail?: string | null | undefined }): Pick<ExecutionInput, 'detail'> => {
  if (detail === 'low' || detail === 'lo') return { detail: 'low' }
  return detail === 'high' || detail === 'hi' ? { detail: 'high' } : {}
}

function inputOf(name: string, item: InputItem): ExecutionInput {
  switch (item.type) {
    case 'text':
      return { name, modality: 'text', source: { kind: 'text', text: item.text } }
    case 'image_url':
      return { name, modality: 'image', ...detailOf(item.image_url), source: sourceOfUrl(item.image_url.url) }
    case 'video_url':
      return { name, modality: 'video', source: sourceOfUrl(item.video_url.url) }
    case 'audio_url':
      return { name, modality: 'audio', source: sourceOfUrl(item.audio_url.url) }
    case 'file_url':
      return { name, modality: 'file', source: sourceOfUrl(item.file_url.url) }
    case 'input_file':
      if (item.file_id) return { name, modality: 'file', source: { kind: 'file', fileId: item.file_id } }
      return { name, modality: 'file', source: sourceOfUrl(item.file_url?.url ?? '') }
  }
}
