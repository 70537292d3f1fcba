import type { Random } from '../random.ts'
import type { Split } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { americanEnglish, australianEnglish, britishEnglish, canadianEnglish, irishEnglish } from './locales-english.ts'
import { austrianGerman, germanyGerman, swissGerman } from './locales-german.ts'

/** Locales of both parts, with their weights. */
const shared: readonly (readonly [number, Locale])[] = [
  [5, americanEnglish],
  [5, britishEnglish],
  [1, canadianEnglish],
  [3, germanyGerman],
  [1, austrianGerman],
  [1, swissGerman],
]

/** Locales that no document of the train part is written in. */
const keptOutOnly: readonly (readonly [number, Locale])[] = [
  [2, australianEnglish],
  [2, irishEnglish],
]

export function pickLocale(random: Random, split: Split): Locale {
  return random.weighted(split === 'train' ? shared : [...shared, ...keptOutOnly])
}
