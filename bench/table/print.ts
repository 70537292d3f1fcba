/** The results of one of the compared systems. */
export interface Figures {
  readonly per_second: number
  readonly cpu_ms: number
  readonly p50_above_model_ms: number
  readonly p99_ms: number
}

const columns = ['executions/s', 'CPU ms', 'p50 above the model, ms', 'p99 ms'] as const

/** One line per system below a line with the model's latency and the concurrency. In brackets: our figure divided by that system's. */
export function printRow(where: { model_ms: number; in_flight: number }, systems: ReadonlyMap<string, Figures>): void {
  const ours = systems.get('ours')
  const lines = [...systems].map(([name, figures]) => {
    const beside = (figure: keyof Figures) =>
      name === 'ours' || !ours
        ? `${figures[figure]}`
        : `${figures[figure]} (${(ours[figure] / figures[figure]).toFixed(2)}×)`
    return [name, beside('per_second'), beside('cpu_ms'), beside('p50_above_model_ms'), `${figures.p99_ms}`]
  })
  const widths = ['', ...columns].map((head, at) =>
    Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)),
  )
  const format = (line: readonly string[]): string => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  process.stdout.write(
    `\nmodel ${where.model_ms} ms, ${where.in_flight} in flight\n${[['', ...columns], ...lines].map(format).join('\n')}\n`,
  )
}

/** Megabytes of each system at some moments. */
export function printMemory(moments: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
  for (const [moment, systems] of Object.entries(moments)) {
    const parts = Object.entries(systems).map(([name, mb]) => `${name} ${mb}`)
    process.stdout.write(`\nMB (PSS) ${moment}: ${parts.join(', ')}\n`)
  }
}
