import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test.each([
  ['Extract the fields'],
  [`it's "quoted" and $HOME and \`id\` and \\`],
  ['two\nlines'],
  [`<img src=x onerror='x'>; rm -rf ~`],
])('the command for the prompt %j passes exactly that body through the shell', (prompt) => {
  const asked = { model: 'svc-agent-1:auto', config: { prompt } }
  const command = curlOf(asked, 'http://localhost:8080').replace(/^curl /, `printf '%s\\0' `)
  const words = execFileSync('/bin/sh', ['-c', command], { env: { SKILLRUN_API_KEY: 'sk' } })
    .toString()
    .split('\0')
  expect(words.slice(0, 6)).toEqual([
    'http://localhost:8080/v1/agent/execute',
    '-H',
    'Authorization: Bearer sk',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(words[6] ?? '')).toEqual({ ...asked, batch: false })
})
