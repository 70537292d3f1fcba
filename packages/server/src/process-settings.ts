import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { Blobs } from './adapters/blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Log } from './core/log.ts'
import type { Models } from './features/models/models.ts'
import type { OtherSettings } from './features/processes/processes.ts'

/** What processes on one database must share: one accepts an execution and another runs it. */
const processSettings = z.object({
  store: z.string().describe('Where files lie'),
  models: z.record(z.string(), z.string()).describe('The engine of each model identifier'),
  terms: z
    .string()
    .describe(
      'A hash of what else the configuration says of models: their limits, prices and aliases, and its embedding models',
    ),
})
export type ProcessSettings = Readonly<z.infer<typeof processSettings>>

export async function settingsOf(
  { file }: Pick<Config, 'file'>,
  { models, blobs }: { models: Models; blobs: Pick<Blobs, 'identity'> },
): Promise<ProcessSettings> {
  const terms = [
    ...[file.models ?? null, file.prices ?? null, file.aliases ?? null],
    ...(file.embeddings ? [file.embeddings] : []),
  ]
  return {
    store: await blobs.identity(),
    models: Object.fromEntries(models.routes.map(({ model, engine }) => [model, engine])),
    terms: createHash('sha256').update(JSON.stringify(terms)).digest('hex'),
  }
}

/**
 * Throws Fault `invalid` when another process on the database has a different blob store or different engines for models. With
 * `allowsMixedModels`, for a rolling change of models, different engines are only logged.
 */
export function refuseOtherSettings(
  own: ProcessSettings,
  others: readonly OtherSettings[],
  { allowsMixedModels, log }: { allowsMixedModels: boolean; log: Pick<Log, 'warn'> },
): void {
  for (const { pid, since, settings } of others) {
    const other = processSettings.parse(settings)
    const who = `Another process on this database (pid ${pid}, running since ${since.toISOString()})`
    if (other.store !== own.store)
      throw new Fault(
        'invalid',
        'other_store',
        `${who} stores files in another place, so neither can read the files of the other: give all processes the same SKILLRUN_DATA, on a shared disk, or the same SKILLRUN_S3_URL.`,
      )
    const difference = modelDifference(own, other)
    if (difference === undefined) continue
    const message = `${who} has another configuration of models: ${difference}.`
    if (!allowsMixedModels)
      throw new Fault(
        'invalid',
        'other_models',
        `${message} Give all processes the same SKILLRUN_CONFIG and the same provider keys, or set SKILLRUN_ALLOW_MIXED_MODELS=yes for a rolling change.`,
      )
    log.warn({ pid, difference }, 'another process on this database has a different model configuration')
  }
}

function modelDifference(own: ProcessSettings, other: ProcessSettings): string | undefined {
  for (const model of new Set([...Object.keys(own.models), ...Object.keys(other.models)])) {
    const [here, there] = [own.models[model] ?? 'nothing', other.models[model] ?? 'nothing']
    if (here !== there) return `${model} is answered by ${here} here and by ${there} there`
  }
  return own.terms === other.terms ? undefined : 'limits, prices or aliases of models differ, or the embedding models'
}
