import type { TelemetryOptions } from './adapters/telemetry/otel/otel.ts'
import type { Telemetry } from './adapters/telemetry/telemetry.ts'

/** Delay in milliseconds, so that the first execution does not wait for the library. */
const openAfterMs = 2_000

/**
 * Telemetry that is loaded shortly after the start, or when metrics are first requested; earlier measurements are buffered.
 * Loaded at once when spans are exported.
 */
export async function openTelemetryLater(options: TelemetryOptions): Promise<Telemetry> {
  const load = async () => (await import('./adapters/telemetry/otel/otel.ts')).openTelemetry(options)
  if (options.tracesUrl !== undefined) return load()
  let opened: Telemetry | undefined
  const buffered: ((telemetry: Telemetry) => void)[] = []
  let opening: Promise<Telemetry> | undefined
  const open = (): Promise<Telemetry> => {
    opening ??= load().then((telemetry) => {
      opened = telemetry
      for (const record of buffered.splice(0)) record(telemetry)
      return telemetry
    })
    return opening
  }
  const record = (one: (telemetry: Telemetry) => void): void => {
    if (opened) one(opened)
    else buffered.push(one)
  }
  const timer = setTimeout(() => void open(), openAfterMs).unref()
  return {
    count: (name, labels, by) => record((telemetry) => telemetry.count(name, labels, by)),
    observe: (name, labels, seconds) => record((telemetry) => telemetry.observe(name, labels, seconds)),
    span: (span) => opened?.span(span),
    metrics: async (gauges) => (await open()).metrics(gauges),
    close: async () => {
      clearTimeout(timer)
      await opened?.close()
    },
  }
}
