import type { Asked } from '../wire.ts'

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command that asks the same again; the key stays out of it. */
export function curlOf(asked: Asked, origin: string): string {
  return [
    `curl ${quoted(`${origin}/v1/agent/execute`)}`,
    '-H "Authorization: Bearer $SKILLRUN_API_KEY"',
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify({ ...asked, batch: false }, null, 2))}`,
  ].join(' \\\n  ')
}
