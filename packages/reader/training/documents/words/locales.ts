import type { Random } from '../random.ts'
import { withFourthLabels } from './kept-out-4.ts'
import type { Split } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { belgianDutch, netherlandsDutch } from './locales-dutch.ts'
import { americanEnglish, australianEnglish, britishEnglish, canadianEnglish, irishEnglish } from './locales-english.ts'
import { austrianGerman, germanyGerman, swissGerman } from './locales-german.ts'
import { keptOutLocales, keptOutPairs, withKeptOutWords } from './locales-kept-out.ts'
import { releasedLocales, releasedPairs, releasedWordsOf, withReleasedWords } from './locales-released.ts'
import {
  brazilPortuguese,
  franceFrench,
  italyItalian,
  portugalPortuguese,
  spainSpanish,
  swissFrench,
} from './locales-romance.ts'
import { withMore } from './round-words.ts'

/** Locales of all parts, with their weights. */
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

/** Locales that were kept out in the first round. */
const releasedFirst: readonly (readonly [number, Locale])[] = [
  [1.5, australianEnglish],
  [1.5, irishEnglish],
  [1, swissFrench],
  [1, belgianDutch],
  [1, brazilPortuguese],
]

const weighed: Readonly<Record<Split, typeof shared>> = {
  train: [...shared, ...releasedFirst, ...releasedLocales].map(([weight, locale]) => [
    weight,
    withMore(locale, releasedWordsOf(locale)),
  ]),
  'kept-out': [...shared, ...keptOutLocales].map(([weight, locale]) => [weight, withKeptOutWords(locale)]),
  'kept-out-4': shared.map(([weight, locale]) => [weight, withFourthLabels(locale)]),
  released: [...shared, ...releasedLocales].map(([weight, locale]) => [weight, withReleasedWords(locale)]),
}

/** The locales of a part's documents. */
export const localesOf = (split: Split): Locale[] => weighed[split].map(([, locale]) => locale)

export const pickLocale = (random: Random, split: Split): Locale => random.weighted(weighed[split])

/** Pairs in which firms label their forms in two languages; the first rules numbers and dates. */
const bilingual: readonly (readonly [Locale, Locale])[] = [
  [germanyGerman, britishEnglish],
  [spainSpanish, britishEnglish],
  [netherlandsDutch, britishEnglish],
]

/** Pairs that were kept out in the first round. */
const releasedBilingual: typeof bilingual = [
  [franceFrench, britishEnglish],
  [italyItalian, britishEnglish],
  [belgianDutch, franceFrench],
  [swissGerman, franceFrench],
]

/** Pairs that were kept out in the second round. */
const releasedSecond = releasedPairs({ dutch: netherlandsDutch, swissGerman })

const pairsOf: Readonly<Record<Split, typeof bilingual>> = {
  train: [...bilingual, ...releasedBilingual, ...releasedSecond],
  released: releasedSecond,
  'kept-out': keptOutPairs,
  'kept-out-4': [],
}

/** The second language of a document's labels, for a few of the documents whose locale has one. */
export function pickSecondLocale(random: Random, locale: Locale, split: Split): Locale | null {
  const partners = pairsOf[split].filter(([first]) => first.id === locale.id)
  const second = partners.length > 0 && random.chance(0.15) ? random.pick(partners)[1] : null
  if (second === null || split === 'train') return second
  return split === 'released' ? withReleasedWords(second) : withKeptOutWords(second)
}
