import { parentPort, workerData } from 'node:worker_threads'
import { rememberingTexts } from '../../src/layout/remembered.ts'
import { type BoostOptions, boost, type Examples } from './boost.ts'
import { type Group, groupsOf } from './collect.ts'
import type { LabelledDocument } from './labelled.ts'
import { type Form, madeAgreements, madeDocuments, madeForms } from './made.ts'
import { printedDocuments } from './printed.ts'
import { fewQuestion, otherQuestion, ownQuestion, shareOf } from './questions.ts'
import { realDocuments } from './sets.ts'

/** The documents that a score is trained on. */
export interface Corpus {
  readonly forms: readonly Form[]
  readonly folder: string | undefined
  readonly sets: readonly string[]
  readonly cache: string | undefined
}

/** What a worker is to do: collect the groups of its part of the documents, or grow a forest. */
export type Task =
  | { readonly corpus: Corpus; readonly part: number; readonly parts: number }
  | { readonly examples: Examples; readonly options: BoostOptions }

/** Sets that are asked with the words of their own schema alone: receipts and their photos are many, agreements long. Forms differ in them anyway. */
const askedOnce = new Set(['receipts', 'photos', 'ndas', 'contracts'])

async function* documents(corpus: Corpus, takes: (id: string) => boolean): AsyncGenerator<LabelledDocument> {
  const { cache, folder, forms, sets } = corpus
  yield* madeDocuments('train', { cache, forms, takes })
  yield* madeForms({ cache, forms, takes })
  yield* madeAgreements({ cache, forms, takes })
  yield* printedDocuments({ cache, takes })
  if (folder !== undefined) yield* realDocuments({ folder, cache, takes }, sets)
}

async function collect({ corpus, part, parts }: Extract<Task, { corpus: Corpus }>): Promise<Group[]> {
  const groups: Group[] = []
  const takes = (id: string): boolean => Math.floor(shareOf(id) * parts) === part
  for await (const document of documents(corpus, takes)) {
    rememberingTexts(() => {
      groups.push(...groupsOf(document, ownQuestion(document), 'own'))
      groups.push(...groupsOf(document, fewQuestion(document), 'few'))
      if (!askedOnce.has(document.set) && !/made-(?:forms|agreements)|printed/.test(document.set))
        groups.push(...groupsOf(document, otherQuestion(document), 'reworded'))
    })
  }
  return groups
}

const task = workerData as Task
parentPort?.postMessage('corpus' in task ? await collect(task) : boost(task.examples, task.options))
