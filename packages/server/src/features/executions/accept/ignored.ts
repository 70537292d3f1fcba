import { pointerStep } from '@skillrun/core/json.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { type IgnoredField, ignoredFields, ignoredSentence } from '../../../adapters/http/ignored-fields.ts'
import { inputItem, isInputItem } from '../../inputs/inputs.ts'
import { executeRequest } from '../wire/request.ts'

/** Fields of a body of POST /v1/agent/execute that this server does not know. */
export function ignoredInBody(sent: unknown): readonly IgnoredField[] {
  const inputs = typeof sent === 'object' && sent !== null && 'inputs' in sent ? sent.inputs : undefined
  const slots = typeof inputs === 'object' && inputs !== null ? Object.entries(inputs) : []
  const inItems = slots.flatMap(([slot, value]) => {
    const items = Array.isArray(value)
      ? value.map((item, index) => [[slot, index], item] as const)
      : [[[slot], value] as const]
    return items.flatMap(([place, item]) => {
      if (!isInputItem(item)) return []
      return ignoredFields(inputItem, item).map(({ path, nearest }) => ({
        path: ['inputs', ...place, ...path],
        nearest,
      }))
    })
  })
  return [...ignoredFields(executeRequest, sent), ...inItems].slice(0, ignoredMax)
}

const ignoredMax = 20

/** The warning for an ignored field. */
export const ignoredWarning = (field: IgnoredField): Warning => ({
  code: 'ignored_field',
  path: field.path.map(pointerStep).join(''),
  message: ignoredSentence(field),
})

/** The ignored fields of a request in one sentence without its full stop; undefined if there are none. */
export function ignoredMessage(warnings: readonly Warning[]): string | undefined {
  const ignored = warnings.filter(({ code }) => code === 'ignored_field')
  const [first] = ignored
  if (first === undefined) return undefined
  return ignored.length === 1 ? first.message : `${first.message} (and ${ignored.length - 1} more: see warnings)`
}
