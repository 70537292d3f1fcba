import { mailType } from './mail/looks-like-mail.ts'

/** What the sender says a text is: running text, a delimited table (CSV, TSV), an email, JSON, or JSON Lines. */
export type DeclaredText = 'text' | 'table' | 'mail' | 'json' | 'jsonl'

const tableTypes = new Set(['text/csv', 'text/tab-separated-values', 'application/csv', 'text/x-csv'])

/** The kind of text by media type; undefined when the type does not say. */
export function declaredByType(mediaType: string | undefined): DeclaredText | undefined {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (tableTypes.has(type)) return 'table'
  if (type === mailType) return 'mail'
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) return 'json'
  if (/^(?:application|text)\/(?:x-)?(?:jsonl|jsonlines|ndjson)$/.test(type)) return 'jsonl'
  return type === 'text/plain' || type === 'text/markdown' ? 'text' : undefined
}

/** The kind of text by file name. */
export function declaredByName(name: string): DeclaredText | undefined {
  if (/\.(?:csv|tsv|tab)$/i.test(name)) return 'table'
  if (/\.eml$/i.test(name)) return 'mail'
  if (/\.json$/i.test(name)) return 'json'
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'jsonl'
  return /\.(?:txt|text|md|log)$/i.test(name) ? 'text' : undefined
}
