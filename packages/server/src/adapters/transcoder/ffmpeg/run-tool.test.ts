import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runTool } from './run-tool.ts'

const bounds = { wallMs: 20_000, cpuSeconds: 10, memoryMb: 1_000, outputBytesMax: 1_000 }
const run = (program: string, prlimit?: string, args: readonly string[] = []) =>
  runTool(
    { program, bubblewrap: undefined, prlimit },
    { args, file: '/dev/null', bounds },
    new AbortController().signal,
  ).catch((error: unknown) => error)

const prlimit = '/usr/bin/prlimit'
const hasPrlimit = await access(prlimit).then(
  () => true,
  () => false,
)

test('a program that fails blames its input', async () => {
  expect(await run('/bin/false')).toMatchObject({ kind: 'invalid', code: 'unreadable_media' })
})

test('a program that cannot be started does not blame its input', async () => {
  expect(await run('/no/such/program')).toMatchObject({ kind: 'unavailable', code: 'transcoder_unavailable' })
})

if (!hasPrlimit) console.log('A test of limits is skipped: there is no prlimit here (apt-get install util-linux).')

test.skipIf(!hasPrlimit)('nor does one that its launcher cannot start', async () => {
  const failure = await run('/no/such/program', prlimit)
  expect(failure).toMatchObject({ kind: 'unavailable', code: 'transcoder_unavailable', retryable: true })
  expect((failure as Error).message).toContain('the input is not at fault')
  expect((failure as Error).message).not.toContain('/no/such')
})

test('a program that was terminated from outside does not blame its input; one killed by the kernel exceeded a limit', async () => {
  const ended = (signal: string) => run('/bin/sh', undefined, ['-c', `kill -${signal} $$`])
  for (const signal of ['TERM', 'INT', 'HUP'])
    expect(await ended(signal)).toMatchObject({ kind: 'unavailable', code: 'transcoder_unavailable', retryable: true })
  for (const [signal, limit] of [
    ['KILL', '1000 MB of memory'],
    ['ABRT', '1000 MB of memory'],
    ['XCPU', '10 seconds of CPU time'],
  ] as const)
    expect(await ended(signal)).toMatchObject({
      kind: 'too_large',
      code: 'input_too_costly',
      message: expect.stringContaining(limit),
    })
})
