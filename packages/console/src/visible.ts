/** A text of others with what would turn its direction, and so show another than it is, told as `⟨U+202E⟩` (Unicode Annex 9). */
export const visible = (text: string): string =>
  text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`)
