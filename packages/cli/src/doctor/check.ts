/** One thing that was looked at. `missing` is needed; `optional` is absent and only some work needs it. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'missing' | 'optional'
  readonly found: string
  /** How to get what is absent. */
  readonly remedy?: string
}

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>
