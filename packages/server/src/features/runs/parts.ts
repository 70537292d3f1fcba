import type { Clock } from '@skillrun/core/clock.ts'
import type { Db } from '../../adapters/db/db.ts'
import type { Illustrator } from '../../adapters/models/illustrator.ts'
import type { Model } from '../../adapters/models/model.ts'
import type { Transcriber } from '../../adapters/models/transcriber.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Sandbox } from '../../adapters/sandbox/sandbox.ts'
import type { Scripts } from '../../adapters/sandbox/scripts.ts'
import type { Transcoder } from '../../adapters/transcoder/transcoder.ts'
import type { Tool } from '../../agent/tool.ts'
import type { Micros } from '../../core/money.ts'
import type { BringParts, WebRule } from '../inputs/inputs.ts'
import type { Engine, Models } from '../models/models.ts'
import type { ShadowSettings } from '../programs/programs.ts'

/** What recording a step needs. */
export interface RecordParts {
  readonly db: Db
  readonly clock: Clock
  readonly tools: Pick<RunTools, 'priceOf'>
}

/** What reading the inputs of a run needs. */
export interface ReadParts extends BringParts {
  readonly processPool: ProcessPool
  readonly media: RunMedia
  readonly tools: RunTools
}

/** What answering a run needs. */
export interface EngineParts extends ReadParts {
  readonly models: RunModels
  readonly programs: RunPrograms
}

/** Decodes media files, and the models that transcribe and draw. */
export interface RunMedia {
  readonly transcoder: Transcoder
  /** Undefined: speech is not transcribed. */
  readonly transcriber: RunTranscriber | undefined
  /** Makes images from text; undefined: no model does. */
  readonly illustrator: (() => Promise<Illustrator>) | undefined
}

/** A transcriber, opened on first use, and its price. */
export interface RunTranscriber {
  readonly microsPerMinute: Micros
  readonly open: () => Promise<Transcriber>
  /** `openai/whisper-1`. */
  readonly name: string
}

/** What the operator sets of the tools of runs. */
export interface RunTools {
  /** Tools of other servers, and of the web. */
  readonly extra: readonly Tool[]
  /** Undefined: runs may not read the web. */
  readonly web: WebRule | undefined
  /** Runs scripts of skills; undefined: none run. */
  readonly scripts: Scripts | undefined
  /** The fixed price of one call of a tool or of the embedded engine. */
  readonly priceOf: (name: string) => Micros
  /** Called when a tool throws anything other than a Fault. */
  readonly onBug: (error: unknown, at: { readonly execution: string; readonly tool: string }) => void
}

export type ModelEngine = Extract<Engine, { kind: 'model' }>

/** The language models that runs call. */
export interface RunModels {
  /** The engine of a model identifier. */
  readonly route: Models['route']
  readonly open: (engine: ModelEngine) => Promise<Model>
  /** Calls for one turn, the first included. */
  readonly attemptsMax: number
  /** How long one call may take. */
  readonly wallMs: number
}

/** How programs run, and how often an agent runs beside them to compare. */
export interface RunPrograms {
  readonly sandbox: Sandbox
  readonly shadow: ShadowSettings
}
