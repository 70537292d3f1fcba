import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import type { LabelledDocument } from './labelled.ts'
import { paraphrases } from './paraphrases.ts'

/** A schema to ask of a document, with the truth of its fields by pointer. */
export interface Question {
  readonly schema: JsonSchema
  readonly asked: readonly { readonly pointer: string; readonly path: string; readonly truth: Json }[]
}

/** A number in [0, 1) that a text always gives. */
export function shareOf(text: string): number {
  let hash = 2166136261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

/** The question that belongs to a document. */
export function ownQuestion({ schema, truth }: LabelledDocument): Question {
  const asked = scalarsIn(schema).flatMap(({ path }) => {
    const value = valueAt(truth, path)
    return value === undefined ? [] : [{ pointer: `/${path}`, path, truth: value }]
  })
  return { schema, asked }
}

/** How a document is asked: as its set asks, for one to three of those fields, or under other names. */
export type Asking = 'own' | 'few' | 'reworded'

const fewMax = 3

/** One to three fields of the question that belongs to a document, as a caller asks who wants no more. */
export function fewQuestion(document: LabelledDocument): Question {
  const { schema, asked } = ownQuestion(document)
  const draw = (what: string): number => shareOf(`${document.id}/few/${what}`)
  const count = 1 + Math.floor(draw('count') * fewMax)
  const picked = asked.toSorted((a, b) => draw(a.path) - draw(b.path)).slice(0, count)
  return { schema: partOf(schema, new Set(picked.map(({ path }) => path))), asked: picked }
}

/** A schema without the fields that are not in `paths`. */
function partOf(schema: JsonSchema, paths: ReadonlySet<string>, within = ''): JsonObject {
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  const kept = properties.flatMap(([name, property]): [string, JsonObject][] => {
    if (!isJsonObject(property)) return []
    const path = within === '' ? name : `${within}/${name}`
    if (property['type'] !== 'object') return paths.has(path) ? [[name, property]] : []
    const inner = partOf(property, paths, path)
    return Object.keys(inner['properties'] ?? {}).length > 0 ? [[name, inner]] : []
  })
  const { required: _, ...rest } = schema
  return { ...rest, properties: Object.fromEntries(kept) }
}

/** Words that change nothing: half of the fields under other names, flat, some without descriptions. */
export function otherQuestion(document: LabelledDocument): Question {
  const properties: Record<string, JsonObject> = {}
  const asked: Question['asked'][number][] = []
  for (const { path, schema } of scalarsIn(document.schema)) {
    const truth = valueAt(document.truth, path)
    const draw = (what: string): number => shareOf(`${document.id}/${path}/${what}`)
    if (truth === undefined || draw('asked') < 0.35) continue
    const forms = paraphrases[path] ?? []
    const plain = path.replaceAll('/', '_')
    const form = draw('name') < 0.25 ? undefined : forms[Math.floor(draw('form') * forms.length)]
    const [name = plain, description = '-'] = form?.split(': ') ?? [plain, String(schema['description'] ?? '-')]
    if (Object.hasOwn(properties, name)) continue
    const { description: _, ...rest } = schema
    properties[name] = description === '-' || draw('described') < 0.3 ? rest : { ...rest, description }
    asked.push({ pointer: `/${name}`, path, truth })
  }
  return { schema: { type: 'object', properties }, asked }
}

/** The fields of a schema that hold one value, with their paths. */
function scalarsIn(schema: JsonSchema, within = ''): { path: string; schema: JsonObject }[] {
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return properties.flatMap(([name, property]) => {
    if (!isJsonObject(property) || property['type'] === 'array') return []
    const path = within === '' ? name : `${within}/${name}`
    return property['type'] === 'object' ? scalarsIn(property, path) : [{ path, schema: property }]
  })
}

function valueAt(truth: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = truth
  for (const step of path.split('/')) at = isJsonObject(at ?? null) ? (at as JsonObject)[step] : undefined
  return at
}
