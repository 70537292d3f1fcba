/** The parts of a data URL (RFC 2397), with the white space around `base64` that browsers allow; undefined without a comma. */
export function partsOfDataUrl(url: string): { readonly isBase64: boolean; readonly data: string } | undefined {
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  return { isBase64: /; *base64 *$/i.test(url.slice(0, comma)), data: url.slice(comma + 1) }
}
