import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tokensOf as tokensOfText } from '../../agent/fit-context.ts'
import { plausibleInput } from '../../agent/plausible-usage.ts'
import { type Ending, type ExecutionRequest, embedTool, markAnswering, usageOf } from '../executions/executions.ts'
import { costOf, isPriced } from '../models/models.ts'
import { retriedCall } from './model-of-run.ts'
import type { EngineParts, RunEmbedder } from './parts.ts'
import { releasePrice, reservePrice } from './reserve-price.ts'
import { ReplayDiverged, type Run } from './run-state.ts'
import { beginStep, findStep, record, recordedBy } from './transcript.ts'

type Embedding = NonNullable<ExecutionRequest['embedding']>

const texts = z.array(z.string())

/** Turns the texts of an execution into vectors, some at a time. The vectors are in the steps, the answer only counts them. */
export async function answerEmbeddings(parts: EngineParts, run: Run, asked: Embedding): Promise<Ending> {
  const embedder = parts.models.embedders.find(({ identifier }) => identifier === asked.model)
  const all = texts.parse(run.execution.request.values['texts'])
  if (!run.replayed) {
    if (!embedder)
      throw new Fault(
        'invalid',
        'model_unavailable',
        `The embedding model ${asked.model} is not configured on the server that ran this execution; give all servers the same configuration`,
      )
    if (run.execution.answeredBy !== embedder.name)
      await markAnswering(parts.db, run.fence, { answeredBy: embedder.name, reason: 'embeddings were asked for' })
  }
  let done = 0
  while (done < all.length) done = await embedSome(parts, run, { embedder, asked, all, from: done })
  return {
    status: 'completed',
    response: { model: asked.model, texts: all.length } satisfies Json,
    evidence: null,
    error: null,
    usage: usageOf(run.transcript, undefined),
    now: parts.clock.now(),
  }
}

/** Embeds the texts of one call, unless the transcript has them. Returns how many texts are done. */
async function embedSome(
  parts: EngineParts,
  run: Run,
  of: { embedder: RunEmbedder | undefined; asked: Embedding; all: readonly string[]; from: number },
): Promise<number> {
  const { embedder, asked, all, from } = of
  const recorded = findStep({ transcript: recordedBy(run) }, embedTool, { key: 'from', value: from })
  if (recorded) {
    if (run.replayed) await record(parts, run, recorded)
    return (recorded.detail as { readonly to: number }).to
  }
  if (run.replayed || !embedder) throw new ReplayDiverged(`the record has no vectors from text ${from} on`)
  const opened = await embedder.open()
  const some = all.slice(from, from + opened.textsMax)
  const to = from + some.length
  beginStep(run)
  const startedAt = parts.clock.now()
  const expected = some.reduce((sum, text) => sum + tokensOfText(text), 0)
  const paid = isPriced(embedder.rates)
  const priceOf = (inputTokens: number) =>
    costOf(plausibleInput(inputTokens, { expected, isPriced: paid }), embedder.rates)
  const reservation = await reservePrice(parts, run, {
    name: embedTool,
    micros: priceOf(expected),
    detail: { model: embedder.name },
  })
  const call = { texts: some, dimensions: asked.dimensions, wallMs: parts.models.wallMs }
  const got = await retriedCall(parts, run.signal, () => opened.embed(call, run.signal)).catch(async (error) => {
    await releasePrice(parts, run, reservation)
    throw error
  })
  const usage = plausibleInput(got.tokens, { expected, isPriced: paid })
  await record(parts, run, {
    kind: 'tool',
    name: embedTool,
    detail: { from, to, model: embedder.name },
    result: { vectors: got.vectors.map(base64Of), usage },
    startedAt,
    costMicros: costOf(usage, embedder.rates),
    reservation,
  })
  return to
}

/** A vector as the base64 of its float32 numbers, lowest byte first. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * 4)
  return bytes.toString('base64')
}
