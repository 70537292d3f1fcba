/** Names of counters; their labels are few-valued: never an id, a name that callers choose, or content. */
export type CounterName = 'runs_ended' | 'steps' | 'tokens' | 'cost_micros' | 'callback_tries' | 'refused'
/** Names of durations, in seconds. */
export type DurationName = 'http_request' | 'execution' | 'pickup' | 'step' | 'callback_try'
export type Labels = Readonly<Record<string, string>>

/** A piece of work that has ended. Spans of one execution share its id as their trace. */
export interface Span {
  /** A UUID; its digits are the trace. */
  readonly executionId: string
  /** Spans with a key that another names as `parentKey` are above it. */
  readonly key: string
  readonly parentKey?: string
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** In fixed words; absent where the work went well. */
  readonly error?: string
}

/**
 * What the operator of a server watches. Nothing here throws, waits, or holds content: figures are counted in this
 * process; spans leave it later, where an endpoint for them is configured.
 */
export interface Telemetry {
  count(name: CounterName, labels: Labels, by?: number): void
  observe(name: DurationName, labels: Labels, seconds: number): void
  span(span: Span): void
  /** The figures in the text format of Prometheus; `gauges` are those that are looked up now, name → label value → figure. */
  metrics(
    gauges: Readonly<Record<string, { label: string; values: Readonly<Record<string, number>> }>>,
  ): Promise<string>
  /** Sends what has not left yet. */
  close(): Promise<void>
}

const nothing = (): void => {}

/** Watches nothing. */
export const noTelemetry: Telemetry = {
  count: nothing,
  observe: nothing,
  span: nothing,
  metrics: async () => '',
  close: async () => {},
}
