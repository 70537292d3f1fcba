import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Packages that some work needs and most servers do not: each set is installed into a folder of its own, when it is wanted. */
interface OptionalPackages {
  /** Under `optional/`. */
  readonly folder: string
  /** With exact versions, those that this product is tried with. */
  readonly packages: readonly string[]
  /** The module that is loaded, within node_modules. */
  readonly main: string
}

export const optionalPackages = {
  /** The build for this machine's processor alone: those for graphics cards take 600 MB more. */
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

const root = new URL('../../../', import.meta.url)

/** Where optional packages are installed: their code may be read by whoever loads it. */
export const optionalFolder: string = fileURLToPath(new URL('optional/', root))

/** The address of the module that is loaded; undefined where the packages are not installed. */
export function findOptional({ folder, main }: OptionalPackages): URL | undefined {
  const place = new URL(`optional/${folder}/node_modules/${main}`, root)
  try {
    accessSync(fileURLToPath(place), constants.R_OK)
    return place
  } catch {
    return undefined
  }
}

/** How to get them: nothing else is changed by it, and no script of theirs runs. */
export const installOptional = ({ folder, packages }: OptionalPackages): string =>
  `run "npm install --prefix optional/${folder} --ignore-scripts --omit=optional ${packages.join(' ')}" in Skillrun's folder`

/** The name that llama.cpp's builds have for this machine. */
function llamaBuild(): string {
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'mac-arm64-metal' : 'mac-x64'
  return `${process.platform}-${process.arch === 'arm' ? 'armv7l' : process.arch}`
}
