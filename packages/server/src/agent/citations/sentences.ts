import { madeOnce } from '@skillrun/reader/layout/remembered.ts'

const segmenter = madeOnce(() => new Intl.Segmenter('und', { granularity: 'sentence' }))

/** The sentences of a text with their offsets, including the white space after them: together they are the text. */
export const sentencesOf = (text: string): readonly { readonly start: number; readonly text: string }[] =>
  [...segmenter().segment(text)].map(({ index, segment }) => ({ start: index, text: segment }))
