import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../../core/log.ts'

/** The trace id of an execution: the digits of its id. */
export const traceIdOf = (executionId: string): string => executionId.replaceAll('-', '')

/** The span id of a part of an execution: 16 hexadecimal digits, the same in every process. */
export const spanIdOf = (executionId: string, key: string): string =>
  createHash('sha256').update(`${executionId} ${key}`).digest('hex').slice(0, 16)

/** OpenTelemetry's name of this service, the same for traces and logs. */
export const serviceName = (): string => process.env['OTEL_SERVICE_NAME'] || 'skillrun'

type Done = (result: { readonly code: number; readonly error?: Error }) => void

/** Logs when exports begin to fail and when they work again, once each: an endpoint may be away for days. Returns the exporter. */
export function tellFailures<Exporter extends { export(items: never[], done: Done): void }>(
  exporter: Exporter,
  {
    what,
    url,
    log,
  }: { readonly what: 'traces' | 'logs'; readonly url: string; readonly log: Pick<Log, 'info' | 'warn'> },
): Exporter {
  const send = exporter.export.bind(exporter)
  // The address without a password that may be part of it.
  const { origin, pathname } = new URL(url)
  const about = { what, endpoint: origin + pathname }
  let isFailing = false
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0
      if (hasFailed && !isFailing)
        log.warn(
          { ...about, error: result.error?.message },
          'OpenTelemetry data cannot be exported, and is lost until this works again',
        )
      if (!hasFailed && isFailing) log.info(about, 'OpenTelemetry data is exported again')
      isFailing = hasFailed
      done(result)
    })
  return exporter
}

/** An endpoint that does not answer may not keep the server from stopping. */
const closeMs = 2_000

/** Exports what is left. What the endpoint does not accept in time is dropped. */
export async function closeInTime(provider: { shutdown(): Promise<void> }): Promise<void> {
  await Promise.race([provider.shutdown().catch(() => undefined), pause(closeMs, undefined, { ref: false })])
}
