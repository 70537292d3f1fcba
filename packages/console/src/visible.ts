/**
 * Makes characters visible that change the direction of text, as `⟨U+202E⟩` (Unicode Annex 9), so that foreign text cannot disguise itself.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`)
