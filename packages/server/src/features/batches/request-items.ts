import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import type { CreateParts } from '../executions/executions.ts'
import { findFilenames, findPendingUploads } from '../files/files.ts'
import { readSlots } from '../inputs/inputs.ts'
import { archiveItems } from './archive.ts'
import { baseItems } from './base-items.ts'
import type { Batch, NewItem } from './batch.ts'
import { documentSlot, inputsOfItem, refuseBesideBases, type SharedCall } from './shared-request.ts'
import type { ItemRequest } from './wire.ts'

/** Dependencies of batches: those of creating executions, and the bytes of archives. */
export interface BatchParts extends CreateParts {
  readonly blobs: Pick<Blobs, 'localPath'>
}

/** A request for a batch. */
export interface BatchCreation extends SharedCall {
  readonly idempotencyKey: string | undefined
}

/** The items of a batch, with their warnings. */
export async function itemsOf(
  parts: BatchParts,
  call: BatchCreation,
): Promise<{ readonly items: readonly NewItem[]; readonly warnings: Batch['warnings'] }> {
  const { caller, body, signal } = call
  if (body.base_executions) {
    refuseBesideBases(body)
    const { workspaceId } = caller
    return { items: await baseItems(parts.db, { workspaceId, ids: body.base_executions }), warnings: [] }
  }
  if (!body.zip_file_id) {
    const items = await readItems(parts, call)
    return { items: body.combine ? [combined(items)] : items, warnings: [] }
  }
  const { processPool } = parts.intake
  const of = { workspaceId: caller.workspaceId, fileId: body.zip_file_id, signal }
  const archive = await archiveItems({ ...parts, processPool }, of)
  if (!body.combine) return archive
  // One execution that reads all files of an archive.
  const inputs = inputsOfItem({ file_id: body.zip_file_id })
  return { ...archive, items: [{ clientId: null, fileName: null, inputs, entry: null }] }
}

/** Validates the items of a body one by one, and names them after their files. */
async function readItems(parts: BatchParts, { caller, body }: BatchCreation): Promise<readonly NewItem[]> {
  const items = (body.items ?? []).map(readItem)
  const names = await fileNames(parts, caller.workspaceId, items)
  return items.map(({ fileId, item }) => ({
    ...item,
    fileName: item.fileName ?? (fileId === null ? null : (names.get(fileId) ?? null)),
  }))
}

interface ReadItem {
  readonly item: NewItem
  /** The file after which the item is named. */
  readonly fileId: string | null
  /** Ids of the files that it needs. */
  readonly fileIds: readonly string[]
}

function readItem(given: ItemRequest, index: number): ReadItem {
  const loc = ['body', 'items', index]
  const kinds = [given.file_id, given.url, given.inputs].filter((kind) => kind !== undefined && kind !== null)
  if (kinds.length !== 1)
    throw invalid(loc, 'Give exactly one of file_id, url and inputs', {
      type: kinds.length === 0 ? 'missing' : 'ambiguous',
    })
  const inputs = inputsOfItem(given)
  const files = within(loc, () => readSlots(inputs, { beside: false })).inputs.flatMap(({ source }) =>
    source.kind === 'file' ? [source.fileId] : [],
  )
  const [fileId = null] = files
  return {
    item: {
      clientId: given.client_id ?? null,
      fileName: given.file_name ?? (given.url ? nameOfUrl(given.url) : null),
      inputs,
      entry: null,
    },
    fileId: fileId?.toLowerCase() ?? null,
    fileIds: files,
  }
}

/** Prefixes the location of a failure with its item. */
function within<T>(loc: readonly (string | number)[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValidationFailure)) throw error
    throw new ValidationFailure(error.details.map((detail) => ({ ...detail, loc: [...loc, ...detail.loc.slice(1)] })))
  }
}

/** The last part of a URL's path, or else its host. */
function nameOfUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return cut(text)
  return cut(decoded(url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname))
}

/** The beginning of a name, without half of a character at its end. */
const cut = (name: string): string => name.slice(0, limits.filenameCharactersMax).replace(/[\ud800-\udbff]$/, '')

function decoded(text: string): string {
  try {
    // Names are shown to people and written to files, so control characters are removed.
    return decodeURIComponent(text).replaceAll(/\p{Cc}/gu, ' ')
  } catch {
    return text
  }
}

/** The names of all files that the items need. Fault `missing` (`unknown_file`) for a file that neither exists nor is being uploaded. */
async function fileNames(
  { db, clock }: BatchParts,
  workspaceId: string,
  items: readonly ReadItem[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.flatMap(({ fileIds }) => fileIds.map((id) => id.toLowerCase())))].filter(isId)
  const files = ids.length === 0 ? [] : await findFilenames(db, { workspaceId, ids })
  const names = new Map(files.map(({ id, filename }) => [id, filename]))
  const missing = ids.filter((id) => !names.has(id))
  const uploads =
    missing.length === 0 ? [] : await findPendingUploads(db, { workspaceId, ids: missing, now: clock.now() })
  const known = new Set([...names.keys(), ...uploads.map(({ id }) => id)])
  for (const [index, { fileIds }] of items.entries()) {
    const unknown = fileIds.find((id) => !known.has(id.toLowerCase()))
    if (unknown !== undefined)
      throw new Fault(
        'missing',
        'unknown_file',
        `items.${index}: this workspace has no file ${JSON.stringify(unknown.slice(0, 100))}`,
      )
  }
  return names
}

/** One item with all inputs: its execution reads them together. */
function combined(items: readonly NewItem[]): NewItem {
  const slots = items.map(({ inputs }) => Object.values(inputs ?? {}))
  const single = slots.findIndex((values) => values.length !== 1)
  if (single >= 0)
    throw invalid(['body', 'items', single], 'With combine, each item has exactly one input', {
      type: 'not_combinable',
    })
  if (items.length > limits.inputItemsMax)
    throw invalid(['body', 'items'], `With combine, a batch takes at most ${limits.inputItemsMax} items`, {
      type: 'too_many_inputs',
      ctx: { max_items: limits.inputItemsMax },
    })
  const [first] = items
  return {
    clientId: null,
    fileName:
      first && items.length > 1 ? `${first.fileName ?? 'item 0'} + ${items.length - 1}` : (first?.fileName ?? null),
    inputs: { [documentSlot]: slots.flat().map(listItemOf) },
    entry: null,
  }
}

/** Plain text is an input as the value of a slot, but not as an item of a list. */
const listItemOf = (value: Json): Json =>
  typeof value === 'string' && !/^(https?:|data:)/i.test(value) ? { type: 'text', text: value } : value
