// Runs all tests, or those that the arguments select, and prints at the end how many passed and failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(packagedNode) ? packagedNode : process.execPath
const folder = mkdtempSync(join(tmpdir(), 'skillrun-results-'))
const resultsFile = join(folder, 'results.json')

const child = spawn(
  node,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--configLoader=native',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultsFile}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
// Ctrl-C also reaches the tests; this process stays to print the counts.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('error', (error) => {
  console.error(error.message)
  finish(1)
})
child.on('close', (code) => finish(code ?? 1))

function finish(code) {
  const { passed, failed, skipped } = count(code)
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code === 0 && failed > 0 ? 1 : code
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

/** The counts in vitest's results. A file that failed to load counts as failed, and so does a crash. */
function count(code) {
  let results
  try {
    results = JSON.parse(readFileSync(resultsFile, 'utf8'))
  } catch {
    return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  }
  const unloaded = results.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  )
  const failed = results.numFailedTests + unloaded.length
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  }
}
