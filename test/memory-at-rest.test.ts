import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./support/resting-process.ts', import.meta.url))

test('a process that rests gives back the memory that a load took, again after each load', async () => {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  try {
    // It reports only once its resident memory is half of what it was under load.
    for (const _round of ['first', 'second']) {
      child.stdin.write('work\n')
      expect((await lines.next()).value).toBe('has rested')
    }
  } finally {
    child.kill()
    await once(child, 'close')
  }
})
