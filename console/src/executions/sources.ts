import { isJsonObject, type Json, type JsonObject, type Step } from '../wire.ts'

/** One input of an execution, by the name that evidence calls it. */
export type Source = { readonly name: string } & (
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: string; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Json }
)

/** The inputs of a request, one by one; an array of items counts each as `slot/n`. */
export function sourcesOf(inputs: JsonObject): readonly Source[] {
  return Object.entries(inputs).flatMap(([slot, value]): Source[] => {
    if (Array.isArray(value) && value.length > 0 && value.every(isItem))
      return value.map((item, index) => sourceOf(`${slot}/${index}`, item))
    return [sourceOf(slot, value)]
  })
}

const isItem = (value: Json): boolean => isJsonObject(value) && typeof value['type'] === 'string'

function sourceOf(name: string, value: Json): Source {
  if (typeof value === 'string') return addressed(name, value) ?? { name, kind: 'text', text: value }
  if (!isJsonObject(value) || typeof value['type'] !== 'string') return { name, kind: 'value', value }
  if (typeof value['file_id'] === 'string') return { name, kind: 'file', fileId: value['file_id'] }
  if (typeof value['text'] === 'string') return { name, kind: 'text', text: value['text'] }
  const holder = value[value['type']] ?? value['file_url']
  const url = isJsonObject(holder) && typeof holder['url'] === 'string' ? holder['url'] : undefined
  return (url === undefined ? undefined : addressed(name, url)) ?? { name, kind: 'value', value }
}

function addressed(name: string, text: string): Source | undefined {
  const data = /^data:([^;,]*)/i.exec(text)
  if (data) return { name, kind: 'data', mediaType: data[1] || 'text/plain', url: text }
  if (!/^https?:\/\/\S+$/i.test(text)) return undefined
  // A signed address of our own leads to a file that the console may show.
  const own = /^\/v1\/public\/files\/([^/?]+)$/.exec(URL.parse(text)?.pathname ?? '')?.[1]
  return own ? { name, kind: 'file', fileId: own } : { name, kind: 'url', url: text }
}

/** What reading an input found out about it. */
export interface Reading {
  readonly mediaType: string
  readonly pageCount: number
}

/** The readings in a transcript by the names of their inputs. */
export function readingsOf(steps: readonly Step[]): ReadonlyMap<string, Reading> {
  const found = steps.flatMap(({ detail, result }): [string, Reading][] => {
    if (!isJsonObject(detail) || !isJsonObject(result)) return []
    const { input } = detail
    const { mediaType, pageCount } = result
    return typeof input === 'string' && typeof mediaType === 'string' && typeof pageCount === 'number'
      ? [[input, { mediaType, pageCount }]]
      : []
  })
  return new Map(found)
}
