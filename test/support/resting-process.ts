// Makes garbage for each line that it reads, then reports when the process has given back half of its memory.
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { releaseMemoryAtRest } from '../../packages/server/src/core/rest.ts'

releaseMemoryAtRest(500)
for await (const _line of createInterface({ input: process.stdin })) {
  work()
  const loaded = process.memoryUsage.rss()
  while (process.memoryUsage.rss() > loaded / 2) await pause(100)
  process.stdout.write('has rested\n')
}

/** Every part lives until the end, so that the heap must grow. */
function work(): void {
  const parts: object[] = []
  for (let part = 0; part < 2_000_000; part += 1) parts.push({ part, text: `part ${part}` })
}
