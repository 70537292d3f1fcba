import { keepsTheWorkshopsPromises } from '../trials/conformance.ts'
import { childWorkshopDefaults, createChildWorkshop } from './child-workshop.ts'

keepsTheWorkshopsPromises({
  name: 'a workshop of child processes',
  killable: true,
  create: () =>
    createChildWorkshop({
      ...childWorkshopDefaults,
      childrenMax: 2,
      queueMax: 4,
      heapMb: 64,
      outputMb: 2,
      readFolders: [],
      memoryCheckMs: 10,
    }),
})
