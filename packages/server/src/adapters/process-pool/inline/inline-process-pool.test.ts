import { keepsTheWorkshopsPromises } from '../trials/conformance.ts'
import { createInlineWorkshop } from './inline-process-pool.ts'

keepsTheWorkshopsPromises({ name: 'a workshop in process', killable: false, create: createInlineWorkshop })
