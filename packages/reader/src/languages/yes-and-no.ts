/** What says yes or no, in words and signs. */
const yesPattern = /^(?:yes|y|true|x|✓|✔|☑|☒|checked|ja|oui|sí|si|sim|vrai|wahr)$/u
const noPattern = /^(?:no|n|false|☐|□|unchecked|none|nein|non|nee|não|nao|faux|falsch)$/u

export const isYes = (word: string): boolean => yesPattern.test(word.toLowerCase())
export const isNo = (word: string): boolean => noPattern.test(word.toLowerCase())

/** Words that turn an option into its opposite: a tick beside `not required` says no. */
const denialPattern =
  /(?<!\p{L})(?:not?|non|nicht|kein\p{L}*|pas|sans|sin|sem|não|niet|geen|senza|without|ohne|zonder|never|nie)(?!\p{L})/iu
export const isDenial = (text: string): boolean => denialPattern.test(text)
