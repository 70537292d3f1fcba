import { installationOf } from '@skillrun/core/installation.ts'

/** Where this server and its packages are. */
export const installation = installationOf(new URL('../../', import.meta.url))
