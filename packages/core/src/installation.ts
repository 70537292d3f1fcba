/*
 * Where the parts of Skillrun are: in a checkout, or installed by npm as packages of `node_modules/@skillrun`.
 */

const above = new URL('../../../', import.meta.url)

/** Whether this is a published package: JavaScript beside its dependencies. */
export const isInstalled: boolean = above.pathname.endsWith('/node_modules/')

/** The folder of all dependencies. */
export const modulesFolder: URL = isInstalled ? above : new URL('node_modules/', above)

/** The folder of one of our packages. */
export const packageFolder = (name: 'core' | 'reader' | 'server' | 'console'): URL =>
  new URL(`${isInstalled ? '@skillrun' : 'packages'}/${name}/`, above)

/** The folder above everything that is ours: the checkout, or where npm installed us. */
export const rootFolder: URL = isInstalled ? new URL('../', above) : above

/** The folder that ships with the server but is at the top of a checkout. */
export const sharedFolder = (name: 'samples' | 'skills'): URL =>
  isInstalled ? new URL(`${name}/`, packageFolder('server')) : new URL(`${name}/`, above)
