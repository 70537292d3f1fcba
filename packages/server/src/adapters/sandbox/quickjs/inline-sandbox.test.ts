import { systemClock } from '@skillrun/core/clock.ts'
import { keepsTheSandboxesPromises } from '../testing/conformance.ts'
import { createInlineSandbox } from './inline-sandbox.ts'

keepsTheSandboxesPromises({
  name: 'a sandbox in process',
  isApart: false,
  create: () => createInlineSandbox({ clock: systemClock }),
})
