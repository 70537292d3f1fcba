import { Worker } from 'node:worker_threads'
import type { Forest } from '../../src/score/trees.ts'
import type { BoostOptions, Examples } from './boost.ts'
import type { Group } from './collect.ts'
import type { Corpus, Task } from './worker.ts'

/** Work is shared out in so many parts, whatever the machine: what comes out does not depend on it. */
const parts = 4

function work<Result>(task: Task): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 4096 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code} before its result`)))
  })
}

/** The groups of all documents, by set and document. */
export async function collectGroups(corpus: Corpus): Promise<Group[]> {
  const found = await Promise.all(Array.from({ length: parts }, (_, part) => work<Group[]>({ corpus, part, parts })))
  // The order of the examples is part of what decides a tree.
  const placeOf = ({ set, document }: Group): string => `${set}/${document}`
  return found.flat().toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
}

let grown = 0
const waiting: (() => void)[] = []

/** A forest, grown by a worker; so many grow at a time. */
export async function grow(examples: Examples, options: BoostOptions): Promise<Forest> {
  if (grown >= parts) await new Promise<void>((resolve) => waiting.push(resolve))
  grown++
  try {
    return await work<Forest>({ examples, options })
  } finally {
    grown--
    waiting.shift()?.()
  }
}
