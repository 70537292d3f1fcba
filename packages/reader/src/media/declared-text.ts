import { charsetOf } from '@skillrun/core/decode-text.ts'
import { mailType } from './mail/looks-like-mail.ts'

/** Running text, a delimited table (CSV, TSV), an email, JSON, or JSON Lines. */
export type TextKind = 'text' | 'table' | 'mail' | 'json' | 'jsonl'

/** What the sender says a text is: its kind, its charset, or both. */
export type DeclaredText = TextKind | `${TextKind | ''}; charset=${string}`

const tableTypes = new Set(['text/csv', 'text/tab-separated-values', 'application/csv', 'text/x-csv'])

/** What a media type says of a text, with its parameters; undefined when that is nothing. */
export const declaredByType = (mediaType = ''): DeclaredText | undefined =>
  declaredText(kindByType(mediaType), charsetOf(mediaType))

/** A text of this kind in this charset. Any text is read as UTF-8 if it can be. */
export const declaredText = (kind: TextKind | undefined, charset: string | undefined): DeclaredText | undefined =>
  charset === undefined || /^utf-?8$/.test(charset) ? kind : `${kind ?? ''}; charset=${charset}`

/** The kind and the charset of a declaration. */
export function declaredParts(declared: DeclaredText | undefined): {
  readonly kind: TextKind | undefined
  readonly charset: string | undefined
} {
  const [kind, charset] = declared?.split('; charset=', 2) ?? []
  return { kind: kind ? (kind as TextKind) : undefined, charset }
}

/** The kind of text by media type; undefined when the type does not say. */
export function kindByType(mediaType = ''): TextKind | undefined {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (tableTypes.has(type)) return 'table'
  if (type === mailType) return 'mail'
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) return 'json'
  if (/^(?:application|text)\/(?:x-)?(?:jsonl|jsonlines|ndjson)$/.test(type)) return 'jsonl'
  return type === 'text/plain' || type === 'text/markdown' ? 'text' : undefined
}

/** The kind of text by file name. */
export function declaredByName(name: string): TextKind | undefined {
  if (/\.(?:csv|tsv|tab)$/i.test(name)) return 'table'
  if (/\.eml$/i.test(name)) return 'mail'
  if (/\.json$/i.test(name)) return 'json'
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'jsonl'
  return /\.(?:txt|text|md|log)$/i.test(name) ? 'text' : undefined
}
