import { setTimeout } from 'node:timers/promises'
import type { Answer, TestService } from './service.ts'

/** Between two looks: without a pause they would take the processor from the work that they wait for. */
export const lookAgain = (): Promise<void> => setTimeout(10)

/** Looks again and again, until there is something; the time limit of the test ends it otherwise. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await lookAgain()
  }
}

/** The record of an execution once it has ended or paused. */
export const settledRecord = (service: TestService, id: string): Promise<Answer['json']> =>
  until(async () => {
    const { json } = await service.call('GET', `/v1/agent/executions/${id}`)
    return json.status === 'enqueued' || json.status === 'running' ? undefined : json
  })
