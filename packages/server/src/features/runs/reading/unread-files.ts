import { pointerStep } from '@skillrun/core/json.ts'
import { unreadWarning } from '@skillrun/reader/media/mail/attachments.ts'
import { resultOf } from '../../executions/executions.ts'
import type { ReadParts } from '../parts.ts'
import type { Run } from '../run-state.ts'
import { archiveContents } from '../steps/recorded.ts'
import { beginStep, findStep, record, warn } from '../transcript.ts'

/** The steps of opening an archive, and of a file in it that cannot be read. */
export const archiveTool = 'archive.open'
export const skipTool = 'archive.skip'

/** Records a file of an archive or email that is not read, once. */
export async function tellSkipped(parts: ReadParts, run: Run, skipped: { input: string; why: string }): Promise<void> {
  if (findStep(run, skipTool, { key: 'input', value: skipped.input })) return
  beginStep(run)
  await record(parts, run, {
    kind: 'tool',
    name: skipTool,
    detail: { input: skipped.input },
    result: { why: skipped.why },
    startedAt: parts.clock.now(),
  })
}

const toldMax = 5

/** Unread files of archives and emails, in words; undefined if all were read. */
export function leftInArchives({ transcript }: Pick<Run, 'transcript'>): string | undefined {
  const left = transcript.flatMap((step) => {
    const { input } = step.detail as { input: string }
    if (step.name === skipTool) return [`${input}: ${(step.result as { why: string }).why}`]
    if (step.name !== archiveTool) return []
    return resultOf(step, archiveContents).left.map(({ name, why }) => `${input}/${name}: ${why}`)
  })
  if (left.length === 0) return undefined
  const more = left.length > toldMax ? `; and ${left.length - toldMax} more` : ''
  return `Not read: ${left.slice(0, toldMax).join('; ')}${more}`
}

/** Of emails that were opened, only attachments that could not be read are warned of: an email is read without them. */
export function warnOfAttachments(run: Pick<Run, 'transcript' | 'warnings'>): void {
  const skipped = new Set(
    run.transcript.flatMap(({ name, detail }) => (name === skipTool ? [(detail as { input: string }).input] : [])),
  )
  for (const step of run.transcript) {
    const contents = step.name === archiveTool ? resultOf(step, archiveContents) : undefined
    if (!contents?.isMail) continue
    const { input } = step.detail as { input: string }
    const unread = [...contents.entries.filter(({ name }) => skipped.has(`${input}/${name}`)), ...contents.left]
    const names = unread.flatMap((one) => ('isInline' in one && one.isInline ? [] : [one.name]))
    const warning = { ...unreadWarning(names), path: `/inputs${pointerStep(input)}` }
    const others = run.warnings.filter(({ code, path }) => code !== warning.code || path !== warning.path)
    run.warnings.splice(0, run.warnings.length, ...others)
    if (names.length > 0) warn(run, warning)
  }
}
