import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll } from 'vitest'

/** No test file takes a fifth of this; one that has not ended by then hangs. Long runs by hand set more. */
const longestMs = Number(process.env['TEST_FILE_MINUTES'] ?? 30) * 60_000

// Shrinking a counterexample may take forever: report the smallest one by then.
fc.configureGlobal({ interruptAfterTimeLimit: longestMs / 5, markInterruptAsFailure: true })

/**
 * Test timeouts cannot end a file that is caught in a loop, or in an endless import. A second thread reports its
 * position and ends its process, which fails the file and lets the others continue.
 */
const watch = `
const { Session } = require('node:inspector')
const { writeSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const say = (lines) => writeSync(2, lines.map((line) => line + '\\n').join(''))

let timer
parentPort.on('message', (begins) => {
  clearTimeout(timer)
  if (begins) timer = setTimeout(report, workerData)
})
function report() {
  say(['A test file has not ended after ' + workerData / 60_000 + ' minutes; it stands at:'])
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    say(params.callFrames.map(({ functionName, location }) =>
      '  ' + functionName + ' ' + urls.get(location.scriptId) + ':' + (location.lineNumber + 1)))
    process.kill(process.pid, 'SIGKILL')
  })
  session.post('Debugger.enable')
  // A waiting process answers this and does not pause; a looping one does the reverse.
  session.post('Runtime.evaluate', { expression: 'process.getActiveResourcesInfo().join()' }, (_, answer) => {
    say(['  nothing: it waits for ' + answer?.result?.value])
  })
  session.post('Debugger.pause')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5_000)
}
`

const shared: typeof globalThis & { skillrunWatch?: Worker } = globalThis
/** One thread for all files that this process runs. */
shared.skillrunWatch ??= new Worker(watch, { eval: true, workerData: longestMs })
const watching = shared.skillrunWatch
watching.unref()
watching.postMessage(true)
afterAll(() => watching.postMessage(false))
