/** The result of one check. `missing`: required; `optional`: only some features need it. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'missing' | 'optional'
  readonly found: string
  /** How to install what is missing. */
  readonly remedy?: string
}

export type Environment = Readonly<Record<string, string | undefined>>
