import type { PageLanguage } from '../../languages/page-language.ts'
import type { Language } from './tesseract.ts'

/** The Tesseract models to read a page again with: that of its language, or those with the most similar letters. */
export const modelsFor: Readonly<Record<PageLanguage, readonly Language[]>> = {
  eng: [],
  deu: ['deu'],
  fra: ['fra'],
  spa: ['spa'],
  ita: ['fra'],
  por: ['fra', 'spa'],
  nld: [],
}

/** Letters that a language does not have but similar models read, and the correct letters. */
const lettersOf: Readonly<Partial<Record<PageLanguage, Readonly<Record<string, string>>>>> = {
  ita: { â: 'à', î: 'ì', ô: 'ò', û: 'ù' },
  por: { ä: 'ã', å: 'ã', ö: 'õ', û: 'ú', î: 'í', ï: 'í', ì: 'í', ò: 'ó', è: 'é', ë: 'ê' },
}

/** Corrects a word to the letters of its language: `gräo` is `grão` in Portuguese. */
export function spelled(text: string, language: PageLanguage): string {
  const letters = lettersOf[language]
  if (letters === undefined) return text
  const own = text.replace(/\p{L}/gu, (letter) => {
    const small = letters[letter.toLowerCase()]
    return small === undefined ? letter : letter === letter.toLowerCase() ? small : small.toUpperCase()
  })
  // No Portuguese word has these endings with another accent.
  return language === 'por' ? own.replace(/áo(?!\p{L})/gu, 'ão').replace(/[óô]es(?!\p{L})/gu, 'ões') : own
}
