import { type Agent, request } from 'node:http'

/** The results of a period of load. */
export interface Load {
  readonly count: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Call {
  readonly url: string
  readonly agent: Agent
  readonly key: string
  readonly body: string
}

/** Calls with `inFlight` at once for some seconds, or this number of times. Throws when an answer is not the model's final answer after the tool call. */
export async function load(call: Call & { inFlight: number; seconds?: number; executions?: number }): Promise<Load> {
  const beganMs = performance.now()
  const untilMs = beganMs + (call.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let left = call.executions ?? Number.POSITIVE_INFINITY
  const tookMs: number[] = []
  await Promise.all(
    Array.from({ length: call.inFlight }, async () => {
      while (performance.now() < untilMs && left > 0) {
        left -= 1
        const fromMs = performance.now()
        const answer = await post(call)
        tookMs.push(performance.now() - fromMs)
        if (!isRight(answer)) throw new Error(`an answer of ${call.url} was ${answer.slice(0, 400)}`)
      }
    }),
  )
  const seconds = (performance.now() - beganMs) / 1000
  call.agent.destroy()
  tookMs.sort((left, right) => left - right)
  const at = (share: number): number => tookMs[Math.min(tookMs.length - 1, Math.floor(share * tookMs.length))] ?? 0
  return { count: tookMs.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** LangGraph's server returns the agent's whole state. */
function isRight(answer: string): boolean {
  const { status, response, structuredResponse } = JSON.parse(answer)
  return status === 'completed' ? response?.total === 144 : structuredResponse?.total === 144
}

/** With node:http: fetch would cost more than what is measured. */
function post({ url, agent, key, body }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve(Buffer.concat(parts).toString()))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
