import type { Json } from '@skillrun/core/json.ts'

const tag = /<(?=\/?input)/gi

/** Text that can neither open nor close an `<input>` tag of a prompt. */
export const dataText = (text: string): string => text.replaceAll(tag, '< ')

/** The same value as JSON that can neither open nor close an `<input>` tag of a prompt. */
export const dataJson = (value: Json): string => JSON.stringify(value).replaceAll(tag, '\\u003c')
