import { expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import { makeUnderWay } from './under-way.ts'

test('slow receivers of a workspace fill their share, quick ones most of the slots, and other workspaces have theirs', () => {
  let nowMs = 0
  const posts = makeUnderWay({ monotonicMs: () => nowMs })
  const ends = Array.from({ length: limits.callbackSlowSlotsPerWorkspace }, () => posts.begin('a'))
  expect(posts.isFull('a')).toBe(false)
  nowMs = limits.callbackSlowMs + 1
  expect([posts.isFull('a'), posts.isFull('b')]).toEqual([true, false])
  ends[0]?.()
  expect(posts.isFull('a')).toBe(false)
  for (const end of ends) end()
  for (let count = 0; count < limits.callbackSlotsPerWorkspace; count++) {
    expect(posts.isFull('a')).toBe(false)
    posts.begin('a')
  }
  expect([posts.isFull('a'), posts.isFull('b')]).toEqual([true, false])
  expect(limits.callbackSlotsPerWorkspace).toBeLessThan(limits.callbackSlots)
})
