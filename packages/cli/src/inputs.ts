import { existsSync } from 'node:fs'
import type { Json, JsonObject } from '@skillrun/core/json.ts'

/** One `-i` option: a local file or a URL, with an optional slot. */
export interface InputArgument {
  readonly slot: string | undefined
  readonly source: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'url'; readonly url: string }
}

/**
 * Parses `FILE`, `URL`, `slot=FILE` and `slot=URL`. When a file with the whole text as its name exists, that file is meant,
 * even if its name contains an equals sign. `resolvePath` makes a path absolute.
 */
export function readInputArgument(text: string, resolvePath: (path: string) => string): InputArgument {
  const named = isUrl(text) || existsSync(resolvePath(text)) ? null : /^([\p{L}_][\p{L}\p{N}_.-]*)=(.+)$/su.exec(text)
  const target = named?.[2] ?? text
  return {
    slot: named?.[1],
    source: isUrl(target) ? { kind: 'url', url: target } : { kind: 'file', path: target },
  }
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/**
 * The `inputs` of an execute request. A single item without a slot goes to `file`, several go to `files`, texts go to `text`.
 * A slot with one item contains it directly; a slot with several contains an array in the given order.
 */
export function inputsOf(
  items: readonly { slot: string | undefined; item: JsonObject }[],
  texts: readonly string[],
): JsonObject {
  const unnamed = items.filter(({ slot }) => slot === undefined).length
  const slots = new Map<string, Json[]>()
  const put = (slot: string, item: Json) => {
    const held = slots.get(slot)
    if (held) held.push(item)
    else slots.set(slot, [item])
  }
  for (const { slot, item } of items) put(slot ?? (unnamed === 1 ? 'file' : 'files'), item)
  for (const text of texts) put('text', { type: 'text', text })
  return Object.fromEntries([...slots].map(([slot, held]) => [slot, held.length === 1 ? (held[0] ?? null) : held]))
}
