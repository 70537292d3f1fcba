import { dirname } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import type { Trial } from './trial.ts'

let calls = 0
const kept: unknown[] = []

/** Misbehaves as asked, so that tests can see a process pool survive it. */
export default async function trial({ act, value }: Trial): Promise<unknown> {
  calls += 1
  switch (act) {
    case 'echo':
      return value
    case 'calls':
      return { calls, pid: process.pid }
    case 'environment':
      return Object.keys(process.env)
    case 'fault':
      throw new Fault('unsupported', 'trial_fault', 'A trial throws this Fault.')
    case 'error':
      throw new Error('a secret path: /etc/passwd')
    case 'package':
      return import(String(value))
    case 'text':
      throw value
    case 'sleep':
      return await new Promise((resolve) => setTimeout(resolve, Number(value)))
    case 'loop':
      return loop()
    case 'resident':
      for (let block = 0; block < Number(value); block += 1) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
      return kept.length
    case 'heap':
      return fillHeap()
    case 'exit':
      return process.exit(0)
    case 'later':
      setTimeout(() => {
        throw new Error('thrown by nobody')
      }, 0)
      return await new Promise(() => {})
    case 'leave':
      process.prependOnceListener('message', () => {
        throw new Error('thrown by what an earlier job left')
      })
      return undefined
    case 'output':
      return Buffer.alloc(Number(value), 1)
    case 'function':
      return () => value
    case 'write':
      return (await import('node:fs/promises')).writeFile(String(value), 'x')
    case 'read':
      return (await import('node:fs/promises')).readFile(String(value), 'utf8')
    case 'list':
      return (await import('node:fs/promises')).readdir(dirname(String(value)))
    case 'decode':
      // Native code opens the file, which Node's permissions do not prevent.
      return (await (await import('sharp')).default(String(value)).metadata()).width
    case 'paint': {
      const red = { width: 1, height: 1, channels: 3, background: 'red' } as const
      return (await (await import('sharp')).default({ create: red }).toFile(String(value))).width
    }
    case 'spawn':
      return (await import('node:child_process')).execFileSync('true')
  }
}

function loop(): never {
  for (;;) kept.length = 0
}

function fillHeap(): never {
  for (;;) kept.push({ word: String(kept.length) })
}
