import type { Random } from '../random.ts'
import type { Split } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { belgianDutch, netherlandsDutch } from './locales-dutch.ts'
import { americanEnglish, australianEnglish, britishEnglish, canadianEnglish, irishEnglish } from './locales-english.ts'
import { austrianGerman, germanyGerman, swissGerman } from './locales-german.ts'
import {
  brazilPortuguese,
  franceFrench,
  italyItalian,
  portugalPortuguese,
  spainSpanish,
  swissFrench,
} from './locales-romance.ts'

/** Locales of both parts, with their weights. */
const shared: readonly (readonly [number, Locale])[] = [
  [5, americanEnglish],
  [5, britishEnglish],
  [1, canadianEnglish],
  [3, germanyGerman],
  [0.7, austrianGerman],
  [0.7, swissGerman],
  [2.5, franceFrench],
  [2, spainSpanish],
  [2, italyItalian],
  [1.5, netherlandsDutch],
  [1.2, portugalPortuguese],
]

/** Locales that no document of the train part is written in. */
const keptOutOnly: readonly (readonly [number, Locale])[] = [
  [1.5, australianEnglish],
  [1.5, irishEnglish],
  [1, swissFrench],
  [1, belgianDutch],
  [1, brazilPortuguese],
]

export function pickLocale(random: Random, split: Split): Locale {
  return random.weighted(split === 'train' ? shared : [...shared, ...keptOutOnly])
}

/** Pairs in which firms label their forms in two languages; the first rules numbers and dates. */
const bilingual: Readonly<Record<Split, readonly (readonly [Locale, Locale])[]>> = {
  train: [
    [germanyGerman, britishEnglish],
    [spainSpanish, britishEnglish],
    [netherlandsDutch, britishEnglish],
  ],
  'kept-out': [
    [franceFrench, britishEnglish],
    [italyItalian, britishEnglish],
    [belgianDutch, franceFrench],
    [swissGerman, franceFrench],
  ],
}

/** The second language of a document's labels, for a few of the documents whose locale has one. */
export function pickSecondLocale(random: Random, locale: Locale, split: Split): Locale | null {
  const partners = bilingual[split].filter(([first]) => first.id === locale.id)
  return partners.length > 0 && random.chance(0.15) ? random.pick(partners)[1] : null
}
