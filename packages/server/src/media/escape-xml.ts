/** A text inside an element or attribute of XML, without control characters. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replaceAll(/\p{Cc}/gu, '')
