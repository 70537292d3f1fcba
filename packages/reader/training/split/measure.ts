import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { directions, measure } from '../../src/split/boundary.ts'
import { splitDocument, turnsOf } from '../../src/split/split-document.ts'
import type { Split } from '../documents/words.ts'
import { kindNames, makePackets, type Packet } from './packets.ts'

/**
 * How well packets of documents are split. `--fit` first fits the weights to the packets of the half `train`; those of
 * the other half are only measured. `--only text` leaves out scanned packets, whose pages take
 * seconds each the first time; `--only scanned` leaves out the others.
 *
 *     node packages/reader/training/split/measure.ts --cache /tmp/packets
 *     node packages/reader/training/split/measure.ts --cache /tmp/packets --fit
 */
const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: '/tmp/packets' },
    packets: { type: 'string', default: '120' },
    halves: { type: 'string', default: 'train,kept-out' },
    only: { type: 'string' },
    fit: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})

const place = new URL('../../src/split/weights.json', import.meta.url)
const only = (['text', 'scanned'] as const).find((form) => form === values.only)
const halves = values.halves.split(',').filter((half) => half === 'train' || half === 'kept-out')
async function packetsOf(split: Split): Promise<Packet[]> {
  const packets: Packet[] = []
  const wanted = { count: Number(values.packets), cache: values.cache, only }
  for await (const packet of makePackets(split, wanted)) packets.push(packet)
  return packets
}

if (values.fit) {
  const packets = await packetsOf('train')
  const rows = packets.flatMap(({ document, pieces }) => {
    const starts = new Set(pieces.map(({ first }) => first))
    return turnsOf(document).map((turn) => ({ x: measure(turn), y: starts.has(turn.to) ? 1 : 0 }))
  })
  const { bias, weights } = fitted(rows)
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  const measures = Object.fromEntries(directions.map(([name], at) => [name, rounded(weights[at] ?? 0)]))
  await writeFile(place, `${JSON.stringify({ bias: rounded(bias), measures }, null, 2)}\n`)
  console.log(`fitted to ${rows.length} turns; run again to measure`)
} else for (const half of halves) report(half, await packetsOf(half))

/** Logistic regression by gradient descent, with weights that keep the direction of their measure. */
function fitted(rows: readonly { readonly x: readonly number[]; readonly y: number }[]): {
  bias: number
  weights: number[]
} {
  const [rate, rounds, decay] = [0.5, 4000, 0.004]
  const weights = directions.map(() => 0)
  let bias = 0
  for (let round = 0; round < rounds; round += 1) {
    const slopes = weights.map(() => 0)
    let biasSlope = 0
    for (const { x, y } of rows) {
      const sum = x.reduce((total, value, at) => total + value * (weights[at] ?? 0), bias)
      const error = 1 / (1 + Math.exp(-sum)) - y
      biasSlope += error
      for (const [at, value] of x.entries()) slopes[at] = (slopes[at] ?? 0) + error * value
    }
    bias -= (rate * biasSlope) / rows.length
    for (const [at, [, way]] of directions.entries()) {
      const weight = weights[at] ?? 0
      const next = weight - rate * ((slopes[at] ?? 0) / rows.length + decay * weight)
      weights[at] = way > 0 ? Math.max(0, next) : Math.min(0, next)
    }
  }
  return { bias, weights }
}

interface Count {
  packets: number
  exact: number
  starts: number
  found: number
  wrong: number
  documents: number
  kindsRight: number
  kindsWrong: number
}

function noneCounted(): Count {
  return {
    ...{ packets: 0, exact: 0, starts: 0, found: 0, wrong: 0, documents: 0, kindsRight: 0, kindsWrong: 0 },
  }
}

function report(half: Split, packets: readonly Packet[]): void {
  const counts: Record<string, Count> = {}
  for (const { id, document, recognised, pieces } of packets) {
    const own = splitDocument(document, kindNames)
    const truth = new Set(pieces.slice(1).map(({ first }) => first))
    const given = new Set(own.slice(1).map(({ first }) => first))
    const name = `${half}, ${recognised ? 'scanned' : 'text'}`
    const count = counts[name] ?? noneCounted()
    counts[name] = count
    const missed = [...truth].filter((at) => !given.has(at))
    const wrong = [...given].filter((at) => !truth.has(at))
    count.packets += 1
    count.starts += truth.size
    count.found += truth.size - missed.length
    count.wrong += wrong.length
    if (missed.length + wrong.length === 0) count.exact += 1
    else if (values.verbose) console.log(id, 'missed', missed, 'wrong', wrong)
    for (const { first, last, kind } of pieces) {
      const part = own.find((one) => one.first === first && one.last === last)
      if (part === undefined) continue
      count.documents += 1
      if (part.kind?.kind === kind) count.kindsRight += 1
      else if (part.kind) count.kindsWrong += 1
      if (values.verbose && part.kind?.kind !== kind) console.log(id, first, kind, 'is called', part.kind?.kind ?? null)
    }
  }
  console.table(
    Object.fromEntries(
      Object.entries(counts).map(([name, { starts, found, wrong, ...rest }]) => {
        const precision = found / Math.max(1, found + wrong)
        const recall = found / Math.max(1, starts)
        const f1 = Math.round((2000 * precision * recall) / Math.max(1e-9, precision + recall)) / 10
        return [name, { ...rest, starts, missed: starts - found, wrong, F1: f1 }]
      }),
    ),
  )
}
