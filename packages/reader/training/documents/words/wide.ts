import type { LabelKey, Labels } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { wideDutch } from './wide-dutch.ts'
import { wideEnglish } from './wide-english.ts'
import { wideFrench } from './wide-french.ts'
import { wideGerman } from './wide-german.ts'
import { wideItalian } from './wide-italian.ts'
import { widePortuguese } from './wide-portuguese.ts'
import { wideSpanish } from './wide-spanish.ts'

/** More wordings by language, only for the train part. */
const wide: Readonly<Record<string, Partial<Labels>>> = {
  en: wideEnglish,
  de: wideGerman,
  fr: wideFrench,
  es: wideSpanish,
  it: wideItalian,
  nl: wideDutch,
  pt: widePortuguese,
}

/** More wordings of a label, or undefined; none where the country has a wording of its own. */
export function wideWordings(locale: Locale, key: LabelKey): string | undefined {
  return locale.labels?.[key] === undefined ? wide[locale.id.slice(0, 2)]?.[key] : undefined
}
