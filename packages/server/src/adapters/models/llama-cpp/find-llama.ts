import { closeSync, openSync, readSync } from 'node:fs'
import { Fault } from '@skillrun/core/fault.ts'
import { findOptional, installOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'

/**
 * The module URL of the package for a model file. Throws Fault `bad_configuration` when the file is not a readable GGUF
 * file, or the package is not installed.
 */
export function requireLlama(file: string): string {
  const bad = (what: string): Fault =>
    new Fault('invalid', 'bad_configuration', `The model file ${JSON.stringify(file)} ${what}.`)
  if (!beginsLikeGguf(file, bad)) throw bad('is not a GGUF file')
  const module = findOptional(optionalPackages.llama)
  if (module === undefined)
    throw bad(`needs the optional package node-llama-cpp: ${installOptional(optionalPackages.llama)}`)
  return module.href
}

function beginsLikeGguf(file: string, bad: (what: string) => Fault): boolean {
  const magic = Buffer.alloc(4)
  try {
    const opened = openSync(file, 'r')
    try {
      readSync(opened, magic, 0, 4, 0)
    } finally {
      closeSync(opened)
    }
  } catch {
    throw bad('cannot be read; set it to the path of a GGUF file')
  }
  return magic.toString('latin1') === 'GGUF'
}
