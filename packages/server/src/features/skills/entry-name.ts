import { limits } from '../../core/limits.ts'
import { badBundle } from './bundle.ts'

/** The beginning of a name for an error message, with invisible characters escaped. */
export function shownName(name: string): string {
  const short = name.length > 120 ? `${name.slice(0, 120)}…` : name
  return JSON.stringify(short).replaceAll(
    /[\p{Cf}\p{Cc}\p{Co}\p{Cn}]/gu,
    (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/**
 * The normalised path of a zip entry: relative, with `/`, in NFC; a folder's ends with `/`. Throws Fault `bad_bundle` for a name that
 * escapes its folder or is ambiguous between systems.
 */
export function normalPath(name: string): string {
  const refuse = (why: string) => badBundle(`The entry ${shownName(name)} ${why}`)
  if (name.includes('\u0000')) throw refuse('has a NUL character in its name')
  if (name.includes('\\')) throw refuse('has a backslash in its name; separate folders with /')
  if (/^[a-z]:/i.test(name)) throw refuse('starts with a drive letter; paths must be relative')
  if (name.startsWith('/')) throw refuse('has an absolute path; paths must be relative')
  if (Buffer.byteLength(name) > limits.bundlePathBytesMax)
    throw refuse(`has a path of more than ${limits.bundlePathBytesMax} bytes`)
  const path = name.normalize('NFC').replace(/^(\.\/)+/, '')
  const steps = path.replace(/\/$/, '').split('/')
  if (path !== '' && steps.includes('..')) throw refuse("has '..' in its path, which is not allowed")
  if (path !== '' && steps.some((step) => step === '' || step === '.'))
    throw refuse('has an empty path segment; write the path without // and /./')
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(path)) throw refuse('has control or invisible characters in its name')
  if (path.includes(':')) throw refuse('has a colon in its name')
  if (steps.some((step) => /[. ]$/.test(step)))
    throw refuse('has a path segment that ends with a dot or a space, which some systems remove')
  if (steps.length > limits.bundleDepthMax) throw refuse(`is nested deeper than ${limits.bundleDepthMax} folders`)
  return path
}

/** A key that is equal for paths which some file system treats as the same. */
export const foldedPath = (path: string): string =>
  // First to lower case: the capital of ß is itself, that of its small letter is SS.
  path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
