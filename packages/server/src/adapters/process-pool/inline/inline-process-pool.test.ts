import { keepsProcessPoolPromises } from '../testing/conformance.ts'
import { createInlineProcessPool } from './inline-process-pool.ts'

keepsProcessPoolPromises({ name: 'a process pool in process', killable: false, create: createInlineProcessPool })
