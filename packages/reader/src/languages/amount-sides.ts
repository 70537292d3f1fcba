import { type MeantWord, meantWords } from './form-words.ts'

/** What an amount is of a price: without tax, with it, or the tax itself. */
export type AmountSide = 'net' | 'gross' | 'tax'

const has = (words: readonly MeantWord[], meaning: string): boolean =>
  words.some(({ meanings }) => meanings.has(meaning))

/** Meanings with which neither `net` nor `tax` is a side of an amount: `net payable`, `tax rate`, `tax code`, `before tax`. */
const otherMeanings = [
  'payable',
  'payout',
  'vatrate',
  'percent',
  'taxcode',
  'taxbase',
  'shipping',
  'no',
  'date',
  'kind',
]
/** `zzgl. MwSt` heads amounts without tax and labels the tax. */
const otherWords =
  /^(?:zzgl|before|after|pre|post|vor|nach|avant|apres|antes|despues|prima|dopo|voor|na|depois|class|klasse|group|exempt|free)$/

/** The side of an amount that a name, label or heading states; null if it states none, or two: `Net / Gross`. */
export function amountSideOf(text: string): AmountSide | null {
  const words = meantWords(text)
  if (otherMeanings.some((one) => has(words, one)) || words.some(({ word }) => otherWords.test(word))) return null
  // `Price incl. packaging` says nothing of tax.
  const isOfTax = (meaning: string): boolean =>
    has(words, meaning) && (has(words, 'tax') || words.at(-1)?.meanings.has(meaning) === true)
  const [isNet, isGross] = [has(words, 'net') || isOfTax('excluding'), has(words, 'gross') || isOfTax('including')]
  if (isNet || isGross) return isNet && isGross ? null : isNet ? 'net' : 'gross'
  return has(words, 'tax') ? 'tax' : null
}
