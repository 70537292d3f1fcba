/** What a sender says that a text is: running text, or a delimited table (CSV, TSV). */
export type DeclaredText = 'text' | 'table'

const tableTypes = new Set(['text/csv', 'text/tab-separated-values', 'application/csv', 'text/x-csv'])

/** What a media type says of a text; undefined where it says nothing about tables. */
export function declaredByType(mediaType: string | undefined): DeclaredText | undefined {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (tableTypes.has(type)) return 'table'
  return type === 'text/plain' || type === 'text/markdown' ? 'text' : undefined
}

/** What the name of a file says of its text. */
export function declaredByName(name: string): DeclaredText | undefined {
  if (/\.(?:csv|tsv|tab)$/i.test(name)) return 'table'
  return /\.(?:txt|text|md|log)$/i.test(name) ? 'text' : undefined
}
