import type { Egress } from '../../../adapters/egress/egress.ts'
import type { ProcessPool } from '../../../adapters/process-pool/process-pool.ts'
import type { Tool } from '../../../agent/tool.ts'
import type { Models } from '../../models/models.ts'
import type { Admission } from './admission.ts'

/** What validates and admits requests for executions. */
export interface Intake {
  readonly models: Models
  /** Tools that the operator added: web tools and tools of other servers. */
  readonly extraTools?: readonly Tool[]
  /** Compiles schemas and checks skill bundles. */
  readonly processPool: ProcessPool
  /** Refuses callbacks to forbidden addresses. */
  readonly egress: Pick<Egress, 'check'>
  /** Verifies signed URLs of this server. */
  readonly signingSecret: Uint8Array
  readonly admission: Admission
  /** The accepting process, which may run an execution at once. */
  readonly processId: string
}
