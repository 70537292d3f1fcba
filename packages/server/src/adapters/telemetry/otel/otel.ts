import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Log } from '../../../core/log.ts'
import type { CounterName, DurationName, Labels, Span, Telemetry } from '../telemetry.ts'
import { closeInTime, serviceName, spanIdOf, tellFailures, traceIdOf } from './export.ts'

const counters: Readonly<Record<CounterName, { help: string; labels: readonly string[] }>> = {
  runs_ended: { help: 'Executions that this process ended', labels: ['status', 'code', 'tier', 'engine'] },
  runs_taken_over: { help: 'Runs that go on where another process lost its lease', labels: ['tier'] },
  budget_pauses: { help: 'Executions that were paused because a budget is spent', labels: ['tier'] },
  steps: { help: 'Recorded steps of executions', labels: ['kind', 'name'] },
  tokens: { help: 'Tokens of language models', labels: ['engine', 'kind'] },
  cost_micros: { help: 'Cost of executions after their tier, in micro-dollars', labels: ['tier', 'engine'] },
  callback_tries: { help: 'Tries of callbacks', labels: ['outcome'] },
  refused: { help: 'Requests refused for overload', labels: ['reason'] },
}

const durations: Readonly<Record<DurationName, { help: string; labels: readonly string[] }>> = {
  http_request: { help: 'Requests, until the reply was written', labels: ['route', 'status'] },
  execution: { help: 'From the creation of an execution to its end', labels: ['tier', 'engine'] },
  pickup: { help: 'From the creation of an execution to its first run', labels: ['tier'] },
  step: { help: 'Steps of executions', labels: ['kind', 'name'] },
  callback_try: { help: 'Tries of callbacks', labels: ['outcome'] },
}

/** Bounds in seconds: from a read by id to the reply of a slow model. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export interface TelemetryOptions {
  readonly tracesUrl?: string | undefined
  /** Called when the endpoint does not accept spans. */
  readonly log: Log
}

/**
 * Metrics with prom-client, and spans with OpenTelemetry over OTLP when `tracesUrl` is given; the exporter is only loaded
 * then. Spans follow OpenTelemetry's semantic conventions for generative AI.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'skillrun_' })
  const made = <Name extends string, Made>(
    of: Readonly<Record<Name, { help: string; labels: readonly string[] }>>,
    make: (name: Name, one: { help: string; labelNames: string[] }) => Made,
  ): Record<Name, Made> =>
    Object.fromEntries(
      (Object.keys(of) as Name[]).map((name) => [
        name,
        make(name, { help: of[name].help, labelNames: [...of[name].labels] }),
      ]),
    ) as Record<Name, Made>
  const counted = made(
    counters,
    (name, one) => new Counter({ ...one, name: `skillrun_${name}_total`, registers: [registry] }),
  )
  const observed = made(
    durations,
    (name, one) => new Histogram({ ...one, name: `skillrun_${name}_seconds`, buckets, registers: [registry] }),
  )
  const traces = options.tracesUrl === undefined ? undefined : await openTraces(options.tracesUrl, options.log)
  return {
    // A Counter throws on a negative increment; metrics must never fail the work that they measure.
    count: (name, labels, by = 1) => counted[name].inc(labels as Labels, Math.max(0, by)),
    observe: (name, labels, seconds) => observed[name].observe(labels as Labels, seconds),
    span: (span) => traces?.span(span),
    async metrics(gauges) {
      for (const [name, { label, values }] of Object.entries(gauges)) {
        const full = `skillrun_${name}`
        const gauge =
          (registry.getSingleMetric(full) as Gauge | undefined) ??
          new Gauge({
            name: full,
            help: `${name.replaceAll('_', ' ')} now`,
            labelNames: [label],
            registers: [registry],
          })
        gauge.reset()
        for (const [value, figure] of Object.entries(values)) gauge.set({ [label]: value }, figure)
      }
      return registry.metrics()
    },
    close: async () => traces?.close(),
  }
}

async function openTraces(url: string, log: Log): Promise<{ span(span: Span): void; close(): Promise<void> }> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  // Ids are derived from the execution, so that the spans of several processes form one trace.
  let next: { traceId: string; spanId: string } | undefined
  const exporter = tellFailures(new OTLPTraceExporter({ url }), { what: 'traces', url, log })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName() }),
    idGenerator: { generateTraceId: () => next?.traceId ?? '', generateSpanId: () => next?.spanId ?? '' },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('skillrun')
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT }
  return {
    span({ executionId, key, parentKey, name, kind, startedAt, endedAt, attributes, error }) {
      const traceId = traceIdOf(executionId)
      next = { traceId, spanId: spanIdOf(executionId, key) }
      const parent =
        parentKey === undefined
          ? api.ROOT_CONTEXT
          : api.trace.setSpanContext(api.ROOT_CONTEXT, {
              traceId,
              spanId: spanIdOf(executionId, parentKey),
              traceFlags: api.TraceFlags.SAMPLED,
              isRemote: true,
            })
      const span = tracer.startSpan(
        name,
        {
          startTime: startedAt,
          kind: kind ? kinds[kind] : api.SpanKind.INTERNAL,
          attributes: { ...attributes, ...(error === undefined ? {} : { 'error.type': error }) },
        },
        parent,
      )
      if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error })
      span.end(endedAt)
    },
    // Spans that the endpoint does not accept are dropped: the server must be able to stop without it.
    close: () => closeInTime(provider),
  }
}
