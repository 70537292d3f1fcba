import { setTimeout } from 'node:timers/promises'
import type { Answer, TestService } from './service.ts'

/** Between two looks: without a pause they would take the processor from the work that they wait for. */
export const lookAgain = (): Promise<void> => setTimeout(25)

const pauseMsMin = 10
const pauseMsMax = 250

/** Looks until there is something, and the more rarely the longer it waits; the time limit of the test ends it otherwise. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const startMs = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const waitedMs = performance.now() - startMs
    await setTimeout(Math.min(pauseMsMax, Math.max(pauseMsMin, waitedMs / 10)))
  }
}

/** The record of an execution once it has ended or paused. */
export const settledRecord = (service: TestService, id: string): Promise<Answer['json']> =>
  until(async () => {
    const { json } = await service.call('GET', `/v1/agent/executions/${id}`)
    return json.status === 'enqueued' || json.status === 'running' ? undefined : json
  })
