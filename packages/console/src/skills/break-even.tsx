import { useMemo } from 'preact/hooks'
import { dollars } from '../format.ts'
import { Plot } from '../parts/plot.tsx'
import type { Program } from '../wire.ts'

const pointsMax = 50

function meetingWords(breakEvenRuns: number | null): string {
  if (breakEvenRuns === null) return 'the program never pays off'
  return breakEvenRuns === 0
    ? 'the program is cheaper from the first run'
    : `the program pays off after ${breakEvenRuns} runs`
}

/** The cost of this many runs as an agent, and as a compiled program; nothing if a price is unknown. */
export function BreakEven({ economics, runs }: { economics: Program['economics']; runs: number }) {
  const { agent_run_dollars: agent, compile_cost_dollars: compile, break_even_runs } = economics
  const program = economics.program_run_dollars ?? 0
  const end = Math.max(10, runs, 2 * (break_even_runs ?? 0))
  const [xs, series] = useMemo(() => {
    const step = Math.max(1, Math.ceil(end / pointsMax))
    const xs = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step)
    return [
      xs,
      [
        { name: 'as an agent', values: xs.map((x) => x * (agent ?? 0)) },
        { name: 'as a program', values: xs.map((x) => compile + x * program) },
      ],
    ] as const
  }, [agent, compile, program, end])
  if (agent === null || agent + compile === 0) return null
  return (
    <figure class="chart">
      <figcaption class="small soft">
        What runs cost in sum: {meetingWords(break_even_runs)}
        {runs > 0 && `; ${runs} runs so far`}.
      </figcaption>
      <Plot
        xs={xs}
        series={series}
        kind="lines"
        format={dollars}
        marks={break_even_runs === null ? [] : [break_even_runs]}
      />
    </figure>
  )
}
