import type { Telemetry } from './adapters/telemetry/telemetry.ts'

/** After the start, so that the first execution does not wait for the library of figures. */
const openAfterMs = 2_000

/**
 * Telemetry that is loaded shortly after the start, or when the figures are first asked for; what is told before is kept until then.
 * Where spans go somewhere, it is loaded at once.
 */
export async function openTelemetryLater(options: { readonly tracesUrl?: string | undefined }): Promise<Telemetry> {
  const load = async () => (await import('./adapters/telemetry/otel/otel.ts')).openTelemetry(options)
  if (options.tracesUrl !== undefined) return load()
  let opened: Telemetry | undefined
  const told: ((telemetry: Telemetry) => void)[] = []
  let opening: Promise<Telemetry> | undefined
  const open = (): Promise<Telemetry> => {
    opening ??= load().then((telemetry) => {
      opened = telemetry
      for (const tell of told.splice(0)) tell(telemetry)
      return telemetry
    })
    return opening
  }
  const tell = (one: (telemetry: Telemetry) => void): void => {
    if (opened) one(opened)
    else told.push(one)
  }
  const timer = setTimeout(() => void open(), openAfterMs).unref()
  return {
    count: (name, labels, by) => tell((telemetry) => telemetry.count(name, labels, by)),
    observe: (name, labels, seconds) => tell((telemetry) => telemetry.observe(name, labels, seconds)),
    span: (span) => opened?.span(span),
    metrics: async (gauges) => (await open()).metrics(gauges),
    close: async () => {
      clearTimeout(timer)
      await opened?.close()
    },
  }
}
