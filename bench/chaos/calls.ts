import { createRandom } from '../../packages/reader/training/documents/random.ts'
import { type MockModel, type MockRequest, startMockModel, toolThenAnswer } from '../../test/support/mock-model.ts'

/** One call of the model: `number` is also part of the id of its answer, `chatcmpl-<number>`. */
interface Call {
  readonly turn: number
  readonly number: number
}

/** A model that calls one tool and then answers, and records every call. */
export interface CountedModel extends AsyncDisposable {
  readonly baseUrl: string
  readonly calls: ReadonlyMap<string, readonly Call[]>
}

/** The duration of most turns: long enough for faults to hit them. */
const usualMs = 20
/** Long turns exceed a lease, some of them twice. */
const longMs = { least: 4_500, most: 10_000 }

/** `long`: the share of turns, from 0 to 1, that take longer than a lease. `seed`, the receipt's order and the turn decide which. */
export async function startCountedModel({ seed, long }: { seed: number; long: number }): Promise<CountedModel> {
  const script = toolThenAnswer({ total: 12.5 })
  const calls = new Map<string, Call[]>()
  const model: MockModel = await startMockModel({
    async script(request, number) {
      const id = idIn(request)
      const turn = request.results.length + 1
      const made = calls.get(id)
      if (made) made.push({ turn, number })
      else calls.set(id, [{ turn, number }])
      const random = createRandom(`${seed} ${/Order: (\d+)/.exec(request.text)?.[1]} ${turn}`)
      const ms = random.chance(long) ? random.int(longMs.least, longMs.most) : usualMs
      await new Promise((resolve) => setTimeout(resolve, ms))
      return script(request)
    },
  })
  return { baseUrl: model.baseUrl, calls, [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]() }
}

const idIn = ({ text }: MockRequest): string => /Receipt No: ([-0-9a-f]{36})/.exec(text)?.[1] ?? ''

/** An execution with the ids of its recorded answers, in order. */
export interface RecordedExecution {
  readonly id: string
  readonly attempts: number
  readonly answers: readonly string[]
}

/**
 * Counts repeated model calls. `repeated_in_flight`: calls whose answer was not recorded because their run was
 * interrupted; `late_in_flight`: among these, calls that a stopped process sent only when it continued, after its
 * successor had recorded the answer. `paid_again`: calls for a recorded answer in an execution that was never taken
 * over. `repeated_beyond`: repeated calls beyond one per interrupted run. The last two must be 0.
 */
export function countRepeats({ calls }: Pick<CountedModel, 'calls'>, executions: readonly RecordedExecution[]) {
  const counted = { model_calls: 0, paid_again: 0, late_in_flight: 0, repeated_in_flight: 0, repeated_beyond: 0 }
  for (const { id, attempts, answers } of executions) {
    const made = calls.get(id) ?? []
    const lost = made.filter(({ turn, number }) => {
      const kept = answers[turn - 1]
      return kept === undefined
        ? made.some((other) => other.turn === turn && other.number < number)
        : number < numberOf(kept)
    })
    counted.model_calls += made.length
    const late = made.filter(({ turn, number }) => number > numberOf(answers[turn - 1] ?? '')).length
    if (attempts > 1) counted.late_in_flight += late
    else counted.paid_again += late
    counted.repeated_in_flight += lost.length + late
    counted.repeated_beyond += Math.max(0, lost.length + late - (attempts - 1))
  }
  return counted
}

/** NaN without an answer; every comparison with it is false. */
const numberOf = (answer: string): number => Number(/^chatcmpl-(\d+)$/.exec(answer)?.[1] ?? Number.NaN)
