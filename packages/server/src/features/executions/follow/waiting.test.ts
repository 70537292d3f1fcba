import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../../../../../../test/support/database.ts'
import { opened } from '../../../../../../test/support/opened.ts'
import type { ExecutionState } from '../execution.ts'
import { type Endings, executionKey, listenForEndings, wakeWaiting } from './waiting.ts'

let endings: Endings
const database = await opened(makeDatabase())
beforeAll(async () => {
  endings = await listenForEndings(database.db)
})
afterAll(async () => {
  await endings.close()
})

const mine = { workspaceId: 'a', id: 'one' }
const theirs = { workspaceId: 'b', id: 'one' }
const never = new AbortController().signal

test('a waiting request never gets an execution with the same id of another workspace', async () => {
  const waiting = endings.wait(executionKey(mine), 60_000, never)
  endings.deliver({ ...theirs, status: 'completed' } as ExecutionState)
  endings.deliver({ ...mine, status: 'failed' } as ExecutionState)
  expect(await waiting).toMatchObject({ ...mine, status: 'failed' })
})

test('the end of an execution is signalled only in its own workspace', async () => {
  const woken = endings.wait(executionKey(theirs), 60_000, never)
  await wakeWaiting(database.db, theirs)
  await woken
  expect([endings.endedRecently(executionKey(theirs)), endings.endedRecently(executionKey(mine))]).toEqual([
    true,
    false,
  ])
})
