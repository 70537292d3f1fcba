import { Fault } from '@skillrun/core/fault.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { ProcessPool } from '../../../adapters/process-pool/process-pool.ts'
import type { ToolContext, ToolMedia } from '../../../agent/tool.ts'
import { limits } from '../../../core/limits.ts'
import { artifactIdPattern, findArtifact, keepArtifact } from '../../artifacts/artifacts.ts'
import { findFile } from '../../files/files.ts'
import { inputNamed, type ResolveParts, readTool, readWeb, useBytes, withNamedBytes } from '../../inputs/inputs.ts'
import { BudgetSpent } from '../budget.ts'
import type { ReadParts, RunTools } from '../parts.ts'
import type { Run } from '../run-state.ts'
import { transcribeSegment } from './read-timed.ts'

/** The bytes for the tools of a run: its inputs, and artifacts of the same execution. */
export function mediaOfRun(
  parts: ResolveParts & { readonly processPool: ProcessPool },
  { execution, fence, transcript }: Pick<Run, 'execution' | 'fence' | 'transcript'>,
): ToolMedia {
  const { workspaceId } = fence
  const { db, clock, storage } = parts
  const artifacts = { db, clock, storageBytesMax: storage.storageBytesMax }
  const executionId = fence.id
  const inputs = execution.request.inputs.filter(({ source }) => source.kind !== 'text')
  // Files of an archive replace it; attachments of an email are beside it.
  const read = transcript.flatMap((step) =>
    step.name === readTool ? [String((step.detail as JsonObject)['input'])] : [],
  )
  const names = inputs.flatMap(({ name }) => {
    const own = read.filter((one) => one === name || one.startsWith(`${name}/`))
    return own.length > 0 ? own : [name]
  })
  return {
    names,
    async withBytes(name, use, signal) {
      const input = inputNamed({ execution }, name)
      if (input) return withNamedBytes(parts, { execution, fence, signal }, name, ({ path }) => use(path))
      const made = artifactIdPattern.test(name)
        ? await findArtifact(parts.db, { workspaceId, namespace: { executionId }, id: name, filename: null })
        : undefined
      if (made) return useBytes(parts, made.content, ({ path }) => use(path))
      const there = names.length === 0 ? 'none' : names.join(', ')
      throw new Fault(
        'invalid',
        'unknown_input',
        `There is no input or artifact named ${JSON.stringify(name)}; inputs: ${there}`,
      )
    },
    async fileNameOf(name) {
      const input = inputNamed({ execution }, name)
      if (!input) {
        const where = { workspaceId, namespace: { executionId }, id: name, filename: null }
        return artifactIdPattern.test(name) ? (await findArtifact(db, where))?.filename : undefined
      }
      if (input.name !== name) return name
      const { source } = input
      if (source.kind === 'file') return (await findFile({ db }, { workspaceId, id: source.fileId }))?.filename
      if (source.kind === 'text') return `${name}.txt`
      return source.kind === 'url' && URL.canParse(source.url) ? new URL(source.url).pathname : undefined
    },
    keep: (made) => keepArtifact(artifacts, { workspaceId, executionId, sessionId: execution.sessionId }, made),
  }
}

/** Web access for the tools of a run; undefined if not allowed. */
export function webOfRun(
  parts: ResolveParts & { readonly processPool: ProcessPool; readonly tools: Pick<RunTools, 'web'> },
  { fence }: Pick<Run, 'fence'>,
): Pick<ToolContext, 'web'> {
  const { web: rule } = parts.tools
  if (!rule) return {}
  return { web: (url, signal) => readWeb(parts, { url, rule, workspaceId: fence.workspaceId }, signal) }
}

/** Transcription for the tools of a run; undefined without a transcriber. Each segment is a step and is paid once. */
export function transcriberOfRun(parts: ReadParts, run: Run): Pick<ToolContext, 'transcribe'> {
  const { transcriber } = parts.media
  if (!transcriber) return {}
  return {
    transcribe: async ({ name, path, fromSeconds, toSeconds }, signal) => {
      const stretch = { input: `${name} to ${toSeconds}`, path, transcriber, fromSeconds, toSeconds, signal }
      const transcript = await transcribeSegment(parts, run, stretch).catch((error: unknown) => {
        // For the model the tool is unavailable; its next turn meets the budget itself.
        throw error instanceof BudgetSpent ? new Fault('limited', 'budget_spent', error.message) : error
      })
      return transcript ?? { text: '', parts: [] }
    },
  }
}

/** Image generation for the tools of a run; undefined without an image model. */
export function illustratorOfRun({
  media: { illustrator },
}: Pick<ReadParts, 'media'>): Pick<ToolContext, 'illustrate'> {
  if (!illustrator) return {}
  return {
    illustrate: async (asked, signal) =>
      (await illustrator()).draw({ ...asked, wallMs: limits.modelCallWallMs }, signal),
  }
}
