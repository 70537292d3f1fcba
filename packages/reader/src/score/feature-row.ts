/** The features of a candidate, written one after the other. Rows share their memory: an array for each takes longer. */
export class FeatureRow {
  readonly values: Float32Array
  #at = 0

  constructor(all: Float32Array, order: number, width: number) {
    this.values = all.subarray(order * width, (order + 1) * width)
  }

  add(value: number): void {
    this.values[this.#at++] = value
  }

  addAll(values: readonly number[]): void {
    for (let at = 0; at < values.length; at++) this.values[this.#at++] = values[at] as number
  }
}

export const yes = (is: boolean | undefined): number => (is === true ? 1 : 0)

export const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
