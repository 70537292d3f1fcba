import { existsSync } from 'node:fs'
import type { Json, JsonObject } from '@skillrun/core/json.ts'

/** One `-i` of a command line: a file of this machine or an address, for a slot when one was named. */
export interface InputArgument {
  readonly slot: string | undefined
  readonly source: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'url'; readonly url: string }
}

/**
 * Reads `FILE`, `URL`, `slot=FILE` and `slot=URL`. A file that exists under the whole text is that file, although its name
 * holds an equals sign. `resolvePath` makes a path absolute.
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
 * The `inputs` of an execute request. Items without a slot go under `file` when there is one and under `files` when
 * there are several, texts under `text`; a slot with one item holds it bare, one with several holds an array in the
 * order given.
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
