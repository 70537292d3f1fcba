/** Names of counters. Labels have few values: never ids, names chosen by callers, or content. */
export type CounterName =
  | 'runs_ended'
  | 'runs_taken_over'
  | 'budget_pauses'
  | 'steps'
  | 'tokens'
  | 'cost_micros'
  | 'callback_tries'
  | 'refused'
/** Names of durations, in seconds. */
export type DurationName = 'http_request' | 'execution' | 'pickup' | 'step' | 'callback_try'
export type Labels = Readonly<Record<string, string>>

/** The key of the span of a request. */
export const requestKey = (requestId: string): string => `request ${requestId}`
/** The key of the span of a run. */
export const runKey = (attempt: number): string => `run ${attempt}`

/** A finished piece of work. The spans of one execution form a trace. */
export interface Span {
  /** A UUID; its digits are the trace id. */
  readonly executionId: string
  /** Identifies the span within its execution; child spans refer to it by `parentKey`. */
  readonly key: string
  readonly parentKey?: string
  readonly name: string
  /** Absent: work within this service. */
  readonly kind?: 'server' | 'client'
  readonly startedAt: Date
  readonly endedAt: Date
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** A fixed text; absent on success. */
  readonly error?: string
}

/**
 * Metrics and traces for the operator. Nothing here throws, blocks or contains content: metrics are counted in this
 * process; spans are exported later, where an endpoint is configured.
 */
export interface Telemetry {
  count(name: CounterName, labels: Labels, by?: number): void
  observe(name: DurationName, labels: Labels, seconds: number): void
  span(span: Span): void
  /** The metrics in Prometheus text format. `gauges` are current values: name → label value → value. */
  metrics(
    gauges: Readonly<Record<string, { label: string; values: Readonly<Record<string, number>> }>>,
  ): Promise<string>
  /** Exports the remaining spans. */
  close(): Promise<void>
}

const nothing = (): void => {}

/** Records nothing. */
export const noTelemetry: Telemetry = {
  count: nothing,
  observe: nothing,
  span: nothing,
  metrics: async () => '',
  close: async () => {},
}
