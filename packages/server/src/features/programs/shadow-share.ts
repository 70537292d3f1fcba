/** The operator's settings. */
export interface ShadowSettings {
  /** Share of the runs of a proven program that also run as an agent. */
  readonly share: number
  /** A program is demoted when more than this share of its answers is wrong. */
  readonly wrongRateMax: number
}

export const shadowDefaults: ShadowSettings = { share: 0.1, wrongRateMax: 0.05 }

/** A new program is shadowed from its first run on. */
const probationRuns = 5

/** The share of the next runs to shadow. */
export function shareNow(runs: number, settings: ShadowSettings): number {
  if (settings.share === 0) return 0
  return runs < probationRuns ? 1 : settings.share
}
