/*
 * Where the parts of Skillrun are: in a checkout, or installed by npm as packages of `node_modules/@skillrun`.
 */

export interface Installation {
  /** Whether this is a published package: JavaScript beside its dependencies. */
  readonly isInstalled: boolean
  /** The folder of all dependencies. */
  readonly modulesFolder: URL
  /** The folder above everything that is ours: the checkout, or where npm installed us. */
  readonly rootFolder: URL
  /** The folder of one of our packages. */
  packageFolder(name: 'core' | 'reader' | 'server' | 'console'): URL
  /** The folder that ships with the server but is at the top of a checkout; `docs` does not ship, only the site of it. */
  sharedFolder(name: 'samples' | 'skills' | 'site' | 'docs'): URL
}

/**
 * The installation that a package is part of. Packages ask for their own: `node_modules` may be a symbolic link that several checkouts
 * share, and what is imported from it is then in another checkout.
 */
export function installationOf(ownFolder: URL): Installation {
  // The command is the package `skillrun`, all others are in the scope.
  const modules = /^.*\/node_modules\/(?=(@skillrun\/)?[^/]+\/$)/.exec(ownFolder.pathname)?.[0]
  const isInstalled = modules !== undefined
  const above = new URL(modules ?? '../../', ownFolder)
  const packageFolder: Installation['packageFolder'] = (name) =>
    new URL(`${isInstalled ? '@skillrun' : 'packages'}/${name}/`, above)
  return {
    isInstalled,
    modulesFolder: isInstalled ? above : new URL('node_modules/', above),
    rootFolder: isInstalled ? new URL('../', above) : above,
    packageFolder,
    sharedFolder: (name) => new URL(`${name}/`, isInstalled ? packageFolder('server') : above),
  }
}
