import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installationOf } from './installation.ts'

/** Optional packages that few servers need. Each set is installed on demand into a separate folder. */
interface OptionalPackages {
  /** The folder under `optional/`. */
  readonly folder: string
  /** With the exact versions that this version is tested with. */
  readonly packages: readonly string[]
  /** The main module, relative to node_modules. */
  readonly main: string
}

export const optionalPackages = {
  /** The build for CPUs only: builds for GPUs take 600 MB more. */
  llama: {
    folder: 'llama',
    packages: ['node-llama-cpp@3.22.1', `@node-llama-cpp/${llamaBuild()}@3.22.1`],
    main: 'node-llama-cpp/dist/index.js',
  },
  detectors: {
    folder: 'detectors',
    packages: [
      '@vladmandic/human@3.3.6',
      '@tensorflow/tfjs-core@4.22.0',
      '@tensorflow/tfjs-converter@4.22.0',
      '@tensorflow/tfjs-backend-wasm@4.22.0',
    ],
    main: '@vladmandic/human/dist/human.node-wasm.js',
  },
} as const satisfies Record<string, OptionalPackages>

/** The folder of optional packages; jobs that load them need read access to it. */
export const optionalFolder: string = fileURLToPath(
  new URL('optional/', installationOf(new URL('../', import.meta.url)).rootFolder),
)

/** The URL of the main module; undefined when the packages are not installed. */
export function findOptional({ folder, main }: OptionalPackages): URL | undefined {
  const place = new URL(
    `optional/${folder}/node_modules/${main}`,
    installationOf(new URL('../', import.meta.url)).rootFolder,
  )
  try {
    accessSync(fileURLToPath(place), constants.R_OK)
    return place
  } catch {
    return undefined
  }
}

/** The installation instructions. The command changes nothing else and runs no install scripts. */
export const installOptional = ({ folder, packages }: OptionalPackages): string =>
  `run "npm install --prefix optional/${folder} --ignore-scripts --omit=optional ${packages.join(' ')}" in Skillrun's folder`

/** The name of llama.cpp's build for this machine. */
function llamaBuild(): string {
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'mac-arm64-metal' : 'mac-x64'
  return `${process.platform}-${process.arch === 'arm' ? 'armv7l' : process.arch}`
}
