export type { EngineParts } from './parts.ts'
export { inputSteps } from './reading/read-inputs.ts'
export { type Replayed, replayRun } from './replay/replay-run.ts'
export type { Piece, TextStreams } from './text-stream.ts'
