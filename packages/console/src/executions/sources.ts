import { isJsonObject, type Json, type JsonObject, type Step } from '../wire.ts'

/** One input of an execution, named as in evidence. */
export type Source = { readonly name: string } & (
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: string; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Json }
  /** A file in the archive or email `archive`; `isKept`: its bytes are stored, because they were not fetched. */
  | { readonly kind: 'entry'; readonly archive: string; readonly isKept: boolean }
)

/** A file in an archive or email; `why`: the reason why it was not read. */
export interface ArchiveFile {
  readonly name: string
  readonly bytes?: number
  readonly why?: string
}

/** The files of an archive, or of an email, which is a document beside them. */
export interface Archive {
  readonly isMail: boolean
  readonly files: readonly ArchiveFile[]
}

/** The inputs of a request; items of an array are named `slot/n`. */
export function sourcesOf(inputs: JsonObject): readonly Source[] {
  return Object.entries(inputs).flatMap(([slot, value]): Source[] => {
    if (Array.isArray(value) && value.length > 0 && value.every(isItem))
      return value.map((item, index) => sourceOf(`${slot}/${index}`, item))
    return [sourceOf(slot, value)]
  })
}

const isItem = (value: Json): boolean => isJsonObject(value) && typeof value['type'] === 'string'

function sourceOf(name: string, value: Json): Source {
  if (typeof value === 'string')
    return bareUrl.test(value) ? addressed(name, value) : { name, kind: 'text', text: value }
  if (!isJsonObject(value) || typeof value['type'] !== 'string') return { name, kind: 'value', value }
  if (typeof value['file_id'] === 'string') return { name, kind: 'file', fileId: value['file_id'] }
  if (typeof value['text'] === 'string') return { name, kind: 'text', text: value['text'] }
  const holder = value[value['type']] ?? value['file_url']
  const url = isJsonObject(holder) && typeof holder['url'] === 'string' ? holder['url'] : undefined
  return url !== undefined && declaredUrl.test(url) ? addressed(name, url) : { name, kind: 'value', value }
}

const bareUrl = /^(data:|https?:\/\/\S+$)/i
/** An item that says that it is a URL may have spaces. */
const declaredUrl = /^(data:|https?:\/\/.)/i

function addressed(name: string, text: string): Source {
  const data = /^data:([^;,]*)/i.exec(text)
  if (data) return { name, kind: 'data', mediaType: data[1]?.trim() || 'text/plain', url: text }
  // A signed URL of this server points to a file that the console may show.
  const own = /^\/v1\/public\/files\/([^/?]+)$/.exec(URL.parse(text)?.pathname ?? '')?.[1]
  return own ? { name, kind: 'file', fileId: own } : { name, kind: 'url', url: text }
}

/** What reading an input found out about it. */
export interface ReadInput {
  readonly mediaType: string
  readonly pageCount: number
}

/** The parsed documents in a transcript by input name. */
export function readInputsOf(steps: readonly Step[]): ReadonlyMap<string, ReadInput> {
  const found = steps.flatMap(({ detail, result }): [string, ReadInput][] => {
    if (!isJsonObject(detail) || !isJsonObject(result)) return []
    const { input } = detail
    const { media_type: mediaType, page_count: pageCount } = result
    return typeof input === 'string' && typeof mediaType === 'string' && typeof pageCount === 'number'
      ? [[input, { mediaType, pageCount }]]
      : []
  })
  return new Map(found)
}

/** The contents of archives and emails among the inputs and in these, by their names. */
export function archivesOf(steps: readonly Step[]): ReadonlyMap<string, Archive> {
  const skipped = new Map(
    steps.flatMap(({ name, detail, result }): [string, string][] =>
      name === 'archive.skip' && isJsonObject(detail) && isJsonObject(result)
        ? [[String(detail['input']), String(result['why'])]]
        : [],
    ),
  )
  const found = steps.flatMap(({ name, detail, result }): [string, Archive][] => {
    if (name !== 'archive.open' || !isJsonObject(detail) || !isJsonObject(result)) return []
    const input = String(detail['input'])
    const entries = filesIn(result['entries']).map((file) => {
      const why = skipped.get(`${input}/${file.name}`)
      return why === undefined ? file : { ...file, why }
    })
    return [[input, { isMail: result['is_mail'] === true, files: [...entries, ...filesIn(result['left'])] }]]
  })
  return new Map(found)
}

const filesIn = (list: Json | undefined): ArchiveFile[] =>
  (Array.isArray(list) ? list : []).filter(isJsonObject).map(({ name, bytes, why }) => ({
    name: String(name),
    ...(typeof bytes === 'number' ? { bytes } : {}),
    ...(typeof why === 'string' ? { why } : {}),
  }))

/** The inputs, each archive and email followed by its files that were read. */
export const withEntries = (sources: readonly Source[], archives: ReadonlyMap<string, Archive>): readonly Source[] =>
  sources.flatMap((source): readonly Source[] => {
    const read = (archives.get(source.name)?.files ?? []).filter(({ why }) => why === undefined)
    const isKept = source.kind === 'entry' ? source.isKept : source.kind !== 'url'
    const entries = read.map(
      ({ name }) => ({ name: `${source.name}/${name}`, kind: 'entry', archive: source.name, isKept }) as const,
    )
    return [source, ...withEntries(entries, archives)]
  })
