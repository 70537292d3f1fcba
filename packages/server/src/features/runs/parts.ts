import type { Clock } from '@skillrun/core/clock.ts'
import type { Db } from '../../adapters/db/db.ts'
import type { Embedder } from '../../adapters/models/embedder.ts'
import type { Illustrator } from '../../adapters/models/illustrator.ts'
import type { Model } from '../../adapters/models/model.ts'
import type { Transcriber } from '../../adapters/models/transcriber.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import type { Sandbox } from '../../adapters/sandbox/sandbox.ts'
import type { Scripts } from '../../adapters/sandbox/scripts.ts'
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts'
import type { Transcoder } from '../../adapters/transcoder/transcoder.ts'
import type { Tool } from '../../agent/tool.ts'
import type { Log } from '../../core/log.ts'
import type { Micros } from '../../core/money.ts'
import type { Endings } from '../executions/executions.ts'
import type { ResolveParts, WebRule } from '../inputs/inputs.ts'
import type { EmbeddingRoute, Engine, Models } from '../models/models.ts'
import type { Processes } from '../processes/processes.ts'
import type { ShadowSettings } from '../programs/programs.ts'

/** Dependencies of recording a step. */
export interface RecordParts {
  readonly db: Db
  readonly clock: Clock
  readonly tools: Pick<RunTools, 'priceOf'>
}

/** Dependencies of reading the inputs of a run. */
export interface ReadParts extends ResolveParts {
  readonly processPool: ProcessPool
  readonly media: RunMedia
  readonly tools: RunTools
}

/** Dependencies of answering a run. */
export interface EngineParts extends ReadParts {
  readonly models: RunModels
  readonly programs: RunPrograms
}

/** Dependencies of a worker besides those of answering: its process, its queue, and where it reports progress. */
export interface WorkerParts {
  readonly queue: Pick<Queue, 'add'>
  readonly processes: Pick<Processes, 'id' | 'findGone'>
  readonly endings: Pick<Endings, 'watch' | 'deliver' | 'wake'>
  readonly telemetry: Telemetry
  readonly log: Log
  /** See `startWithin`. */
  readonly runningPerWorkspace?: number | undefined
}

/** Decodes media files; the models that transcribe and generate images. */
export interface RunMedia {
  readonly transcoder: Transcoder
  /** Undefined: speech is not transcribed. */
  readonly transcriber: RunTranscriber | undefined
  /** Generates images from text; undefined: unavailable. */
  readonly illustrator: (() => Promise<Illustrator>) | undefined
}

/** A transcriber, opened on first use, and its price. */
export interface RunTranscriber {
  readonly microsPerMinute: Micros
  readonly open: () => Promise<Transcriber>
  /** `openai/whisper-1`. */
  readonly name: string
}

/** The operator's settings for the tools of runs. */
export interface RunTools {
  /** Tools of other servers, and for the web. */
  readonly extra: readonly Tool[]
  /** Undefined: runs may not read the web. */
  readonly web: WebRule | undefined
  /** Runs the scripts of skills; undefined: unavailable. */
  readonly scripts: Scripts | undefined
  /** The fixed price of one call of a tool or of the embedded engine. */
  readonly priceOf: (name: string) => Micros
  /** Called when a tool throws anything other than a Fault. */
  readonly onBug: (error: unknown, at: { readonly execution: string; readonly tool: string }) => void
}

export type ModelEngine = Extract<Engine, { kind: 'model' }>

/** The language models for runs. */
export interface RunModels {
  /** The engine of a model identifier. */
  readonly route: Models['route']
  readonly open: (engine: ModelEngine) => Promise<Model>
  /** The embedding models, opened on first use. */
  readonly embedders: readonly RunEmbedder[]
  /** Calls for one turn, including the first. */
  readonly attemptsMax: number
  /** Turns of one execution. */
  readonly turnsMax: number
  /** Timeout of one call. */
  readonly wallMs: number
}

/** An embedding model, opened on first use. */
export interface RunEmbedder extends EmbeddingRoute {
  readonly open: () => Promise<Embedder>
}

/** How programs run, and how often a shadow runs. */
export interface RunPrograms {
  readonly sandbox: Sandbox
  readonly shadow: ShadowSettings
}
