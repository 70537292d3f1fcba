import { expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import { makeUnderWay } from './under-way.ts'

test('slow receivers of a workspace fill their share, quick ones most of the slots, and other workspaces have theirs', () => {
  let nowMs = 0
  const posts = makeUnderWay({ monotonicMs: () => nowMs })
  const ends = Array.from({ length: limits.callbackSlowSlotsPerWorkspace }, (_, at) => posts.begin('a', `slow ${at}`))
  expect(posts.isFull('a', 'new')).toBe(false)
  nowMs = limits.callbackSlowMs + 1
  expect([posts.isFull('a', 'new'), posts.isFull('b', 'new')]).toEqual([true, false])
  ends[0]?.()
  expect(posts.isFull('a', 'new')).toBe(false)
  for (const end of ends) end()
  for (let count = 0; count < limits.callbackSlotsPerWorkspace; count++) {
    expect(posts.isFull('a', 'quick')).toBe(false)
    posts.begin('a', 'quick')
  }
  expect([posts.isFull('a', 'quick'), posts.isFull('b', 'quick')]).toEqual([true, false])
  expect(limits.callbackSlotsPerWorkspace).toBeLessThan(limits.callbackSlots)
})

test('while slow receivers hold their share, one whose last post was quick is still sent to, until it is slow itself', () => {
  let nowMs = 0
  const posts = makeUnderWay({ monotonicMs: () => nowMs })
  posts.begin('a', 'good')()
  for (let at = 0; at < limits.callbackSlowSlotsPerWorkspace; at++) posts.begin('a', `slow ${at}`)
  nowMs = limits.callbackSlowMs + 1
  expect([posts.isFull('a', 'good'), posts.isFull('a', 'new')]).toEqual([false, true])
  const end = posts.begin('a', 'good')
  nowMs = 3 * limits.callbackSlowMs
  expect(posts.isFull('a', 'good')).toBe(true)
  end()
  expect(posts.isFull('a', 'good')).toBe(true)
})
