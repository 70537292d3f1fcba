import { isJsonObject, type Json, type JsonObject, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import type { RowCounts } from '../evidence/completeness.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Extraction, ExtractionRequest, NamedDocument } from '../extract/extraction.ts'
import type { Page } from '../media/document.ts'
import { resolveSchema, typesOf } from '../schema/schema-shape.ts'
import { boxAround, quoteOf, unsupported } from '../values/verify.ts'
import { type DocumentPart, splitDocument } from './split-document.ts'

/** The annotation of a list whose items are the documents of a packet. */
const annotation = 'x-documents'

/** A root property with one item per document of a packet. */
export interface PacketPlace {
  readonly name: string
  /** What is said of the document itself, in the order of the schema. */
  readonly own: readonly string[]
  readonly kinds: readonly string[]
  /** The fields to read from each document; null when there are none. */
  readonly fields: JsonSchema | null
  /** The schema without the list; null when nothing else is asked for. */
  readonly others: JsonSchema | null
}

/** Properties of an item that the split itself gives. */
const ownNames = new Set(['kind', 'first_page', 'last_page', 'pages', 'input', 'confidence'])

/** The annotated list of a schema; undefined when there is none. */
export function packetPlaceIn(schema: JsonSchema): PacketPlace | undefined {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, given] of Object.entries(properties)) {
    const { schema: list } = resolveSchema(schema, given)
    if (list[annotation] !== true || !typesOf(list).includes('array')) continue
    const { schema: item } = resolveSchema(schema, list['items'] ?? {})
    const { [name]: _list, ...rest } = properties
    return { name, ...inItem(schema, item), others: Object.keys(rest).length > 0 ? within(schema, schema, rest) : null }
  }
  return undefined
}

function inItem(root: JsonSchema, item: JsonObject): Pick<PacketPlace, 'own' | 'kinds' | 'fields'> {
  const all = isJsonObject(item['properties']) ? Object.entries(item['properties']) : []
  const fields = all.filter(([name]) => !ownNames.has(name))
  const kind = all.find(([name]) => name === 'kind')?.[1]
  const listed = kind === undefined ? undefined : resolveSchema(root, kind).schema['enum']
  return {
    own: all.flatMap(([name]) => (ownNames.has(name) ? [name] : [])),
    kinds: Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [],
    fields: fields.length > 0 ? within(root, item, Object.fromEntries(fields)) : null,
  }
}

/** An object schema with some of its properties, and the definitions that they may refer to. */
function within(root: JsonSchema, schema: JsonObject, properties: JsonObject): JsonSchema {
  const required = Array.isArray(schema['required'])
    ? { required: schema['required'].filter((name) => typeof name === 'string' && name in properties) }
    : {}
  const { $defs, definitions } = root
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema, ...required, properties }
}

/** A document of a packet with the input that holds it. */
interface NamedPart {
  readonly named: NamedDocument
  readonly part: DocumentPart
}

/**
 * Answers a schema with an annotated list: the inputs are split into documents, and each is read by itself. `extract` reads a schema from
 * documents.
 */
export function answerPacket(
  request: ExtractionRequest,
  place: PacketPlace,
  extract: (request: ExtractionRequest) => Extraction,
): Extraction {
  const parts = request.documents.flatMap((named): NamedPart[] =>
    splitDocument(named.document, place.kinds).map((part) => ({ named, part })),
  )
  const evidence: Record<string, Evidence> = {}
  const warnings: Warning[] = []
  const unsure: string[] = []
  const expected: Record<string, number> = {}
  let promise: Extraction['promise'] = null
  const add = (found: Extraction, at: string): void => {
    for (const [pointer, one] of Object.entries(found.evidence)) evidence[at + pointer] = one
    for (const warning of found.warnings ?? []) warnings.push({ ...warning, path: at + warning.path })
    for (const pointer of found.unsure ?? []) unsure.push(at + pointer)
    for (const [pointer, count] of Object.entries(found.expected ?? {})) expected[at + pointer] = count
    promise ??= found.promise ?? null
  }
  const list = pointerStep(place.name)
  const items = parts.map((one, index): Json => {
    const at = list + pointerStep(index)
    const own = ownValues(one, place.own)
    for (const [name, { proof }] of own) prove(evidence, at + pointerStep(name), proof)
    const values = Object.fromEntries(own.map(([name, { value }]) => [name, value]))
    if (place.fields === null) return values
    const found = extract({ ...requestOf(request, one), schema: place.fields })
    add(found, at)
    return { ...values, ...(isJsonObject(found.answer) ? found.answer : {}) }
  })
  if (items.length === 0) evidence[list] = unsupported('The inputs have no text.')
  const rest = place.others === null ? null : extract({ ...request, schema: place.others })
  if (rest) add(rest, '')
  const others = isJsonObject(rest?.answer ?? null) ? (rest?.answer as JsonObject) : {}
  return {
    answer: { ...others, [place.name]: items },
    evidence,
    warnings,
    unsure,
    promise,
    expected: expected as RowCounts,
  }
}

/** The request for one document of a packet. Data attached to a file belong to all of it. */
function requestOf({ codes, risk }: ExtractionRequest, one: NamedPart): Omit<ExtractionRequest, 'schema'> {
  const { named } = one
  const { invoice, ...document } = named.document
  const pages = pagesOf(one)
  const isWhole = pages.length === named.document.pages.length
  const indices = new Set(pages.map(({ index }) => index))
  const own = codes?.filter(({ input, page }) => input === named.input && indices.has(page))
  return {
    documents: [{ input: named.input, document: { ...document, pages, ...(isWhole && invoice && { invoice }) } }],
    values: {},
    ...(own && { codes: own }),
    ...(risk && { risk }),
  }
}

const pagesOf = ({ named, part }: NamedPart): readonly Page[] => named.document.pages.slice(part.first, part.last + 1)

interface OwnValue {
  readonly value: Json
  /** Evidence of the value, or of each item of a list. */
  readonly proof: Evidence | readonly Evidence[]
}

function ownValues(one: NamedPart, names: readonly string[]): [string, OwnValue][] {
  const { named, part } = one
  const { input } = named
  const pages = pagesOf(one)
  const { kind, confidence } = part
  const onPage = ({ index }: Page): Evidence => ({ status: 'derived', input, page: index, confidence })
  const first = pages[0] as Page
  const last = pages.at(-1) as Page
  const ofName: Record<string, OwnValue> = {
    first_page: { value: first.index + 1, proof: onPage(first) },
    last_page: { value: last.index + 1, proof: onPage(last) },
    pages: { value: pages.map(({ index }) => index + 1), proof: pages.map(onPage) },
    input: { value: input, proof: onPage(first) },
    confidence: { value: confidence, proof: onPage(first) },
    kind: { value: kind?.kind ?? null, proof: kindProof(one, first) },
  }
  return names.flatMap((name): [string, OwnValue][] => (ofName[name] ? [[name, ofName[name]]] : []))
}

function kindProof({ named, part: { kind } }: NamedPart, first: Page): Evidence {
  if (kind === null) return unsupported('The pages show none of the kinds.')
  const { cell, confidence } = kind
  const common = { status: 'derived', input: named.input, confidence } as const
  if (cell === null) return { ...common, page: first.index, note: 'Follows from the labels of the document.' }
  return { ...common, page: cell.line.page.page.index, bbox: boxAround(cell.words), quote: quoteOf(cell.words) }
}

function prove(evidence: Record<string, Evidence>, pointer: string, proof: Evidence | readonly Evidence[]): void {
  if (!Array.isArray(proof)) evidence[pointer] = proof as Evidence
  else for (const [index, one] of proof.entries()) evidence[pointer + pointerStep(index)] = one
}
