import type { Asked } from '../wire.ts'

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command that repeats the request, without the key. */
export function curlOf(asked: Asked, origin: string): string {
  return [
    `curl ${quoted(`${origin}/v1/agent/execute`)}`,
    '-H "Authorization: Bearer $SKILLRUN_API_KEY"',
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify({ ...asked, batch: false }, null, 2))}`,
  ].join(' \\\n  ')
}
