import { expect, test } from 'vitest'
import { createRandom } from '../../packages/reader/training/documents/random.ts'
import { countRepeats } from './calls.ts'
import { faultKinds, planFaults } from './faults.ts'

const countOf = (
  calls: readonly (readonly [turn: number, number: number])[],
  answers: readonly string[],
  attempts = 1,
) =>
  countRepeats({ calls: new Map([['one', calls.map(([turn, number]) => ({ turn, number }))]]) }, [
    { id: 'one', attempts, answers },
  ])

test('a turn that was requested once is no repeat', () => {
  expect(
    countOf(
      [
        [1, 4],
        [2, 9],
      ],
      ['chatcmpl-4', 'chatcmpl-9'],
    ),
  ).toEqual({
    model_calls: 2,
    paid_again: 0,
    late_in_flight: 0,
    repeated_in_flight: 0,
    repeated_beyond: 0,
  })
})

test('a call after its answer was recorded is paid again, unless an interrupted run may have sent it late', () => {
  const lateOne = [
    [1, 4],
    [1, 6],
    [2, 9],
  ] as const
  const answers = ['chatcmpl-4', 'chatcmpl-9']
  expect(countOf(lateOne, answers, 1)).toMatchObject({ paid_again: 1, late_in_flight: 0, repeated_beyond: 1 })
  expect(countOf(lateOne, answers, 2)).toMatchObject({ paid_again: 0, late_in_flight: 1, repeated_beyond: 0 })
  const lateTwice = [...lateOne.slice(0, 2), [1, 7], [2, 9]] as const
  expect(countOf(lateTwice, answers, 2)).toMatchObject({ late_in_flight: 2, repeated_beyond: 1 })
})

test('a call that was lost in flight counts against the interrupted runs', () => {
  const lostOne = [
    [1, 4],
    [1, 6],
    [2, 9],
  ] as const
  expect(countOf(lostOne, ['chatcmpl-6', 'chatcmpl-9'], 2)).toMatchObject({ repeated_in_flight: 1, repeated_beyond: 0 })
  expect(countOf(lostOne, ['chatcmpl-6', 'chatcmpl-9'], 1)).toMatchObject({ repeated_in_flight: 1, repeated_beyond: 1 })
  // No answer was recorded.
  expect(
    countOf(
      [
        [1, 4],
        [1, 6],
        [1, 9],
      ],
      [],
      3,
    ),
  ).toMatchObject({ repeated_in_flight: 2, repeated_beyond: 0 })
})

test('a seed gives the same faults each time, as many of each kind as requested', () => {
  const counts = Object.fromEntries(faultKinds.map((kind, index) => [kind, index])) as Parameters<typeof planFaults>[0]
  const plan = (seed: string) => planFaults(counts, createRandom(seed))
  expect(plan('7')).toEqual(plan('7'))
  expect(plan('7')).not.toEqual(plan('8'))
  expect(plan('7').length).toBe(faultKinds.reduce((sum, _, index) => sum + index, 0))
})
