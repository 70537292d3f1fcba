import { keepsProcessPoolPromises } from '../trials/conformance.ts'
import { createInlineProcessPool } from './inline-process-pool.ts'

keepsProcessPoolPromises({ name: 'a process pool in process', killable: false, create: createInlineProcessPool })
