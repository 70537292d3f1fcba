import { expect, test } from 'vitest'
import { layoutDocument } from '../layout/layout.ts'
import { textDocument } from '../media/testing/text-document.ts'
import { questionsOf } from './boxed-questions.ts'

const asked = (text: string) =>
  layoutDocument(textDocument(text), 0)
    .flatMap(questionsOf)
    .map(({ label, options }) => [label, ...options.map((one) => `${one.isTicked ? 'X' : '-'} ${one.text}`)])

test.each([
  [
    'Tax exempt? ( ) Yes (X) No Orders required? (X) Yes ( ) No',
    [
      ['Tax exempt?', '- Yes', 'X No'],
      ['Orders required?', 'X Yes', '- No'],
    ],
  ],
  ['Hospital? [ ] Yes, by car          [X] No', [['Hospital?', '- Yes', 'X No']]],
  ['Term: [ ] No lock-in [X] 12 months', [['Term:', '- No lock-in', 'X 12 months']]],
  ['Name: Ann    Interviewed by: Ken. Hire? ☒ Yes ☐ No', [['Hire?', 'X Yes', '- No']]],
  ['Sex: M ☐ F ☒', [['Sex:', '- M', 'X F']]],
  ['            Yes    No\nAsthma      ☒      ☐', [['Asthma', 'X Yes', '- No']]],
  ['Spare wheel   ☒ yes ☐ no   ☐ yes ☒ no', []],
  ['☒ Asthma ☐', []],
])('the questions of %j', (text, questions) => {
  expect(asked(text)).toEqual(questions)
})
