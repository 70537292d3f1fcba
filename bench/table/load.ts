import { type Agent, request } from 'node:http'

/** What came of a stretch of load. */
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

/** Calls with `inFlight` at once for some seconds. Throws when an answer is no completed execution. */
export async function load(call: Call & { inFlight: number; seconds: number }): Promise<Load> {
  const beganMs = performance.now()
  const untilMs = beganMs + call.seconds * 1000
  const tookMs: number[] = []
  await Promise.all(
    Array.from({ length: call.inFlight }, async () => {
      while (performance.now() < untilMs) {
        const fromMs = performance.now()
        const answer = await post(call)
        if (!answer.includes('"completed"')) throw new Error(`an answer was ${answer.slice(0, 400)}`)
        tookMs.push(performance.now() - fromMs)
      }
    }),
  )
  const seconds = (performance.now() - beganMs) / 1000
  call.agent.destroy()
  tookMs.sort((left, right) => left - right)
  const at = (share: number): number => tookMs[Math.min(tookMs.length - 1, Math.floor(share * tookMs.length))] ?? 0
  return { count: tookMs.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** By node:http itself: fetch would cost more than what is measured. */
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
