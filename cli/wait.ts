const firstPollMs = 50
const pollMsMax = 1_000

/**
 * How long to wait before looking for the n-th time, n from 0, at what tells nothing by itself (evaluations, programs): half as
 * long again each time, at most a second.
 */
export const pollDelayMs = (looks: number): number =>
  Math.min(pollMsMax, Math.round(firstPollMs * 1.5 ** Math.min(looks, 64)))
