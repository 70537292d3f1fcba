import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '@skillrun/core/fault.ts'
import type { Engine, Generated, Prompt } from './engine.ts'
import type { FromChild, Loading, ToChild } from './turn.ts'

/** Enough for a model of many gigabytes on a slow disk. */
const loadMs = 300_000
/** A generation that continues this long after an abort is ended with its process. */
const stopMs = 5_000

const entry = fileURLToPath(new URL('./entry.ts', import.meta.url))

/** Settings of the child process. */
export interface ChildEngineSettings extends Loading {
  /** `local/qwen3`. */
  readonly name: string
}

/**
 * A llama.cpp model in its own process, started on first use and restarted after a crash: a crash of native code affects
 * nothing else. The process gets no environment variables except the search paths for programs and libraries.
 */
export function createChildEngine(settings: ChildEngineSettings): Engine & { close(): void } {
  const { name, ...loading } = settings
  let running: Promise<ChildProcess> | undefined
  // Messages of the library go into `cause` only: they may contain paths and prompts.
  const broken = (what: string, cause?: string): Fault =>
    new Fault('upstream', 'provider_failed', `The model ${name} ${what}`, cause === undefined ? {} : { cause })

  const start = async (signal: AbortSignal): Promise<ChildProcess> => {
    const { PATH = '', LD_LIBRARY_PATH } = process.env
    const child = fork(entry, [JSON.stringify(loading)], {
      env: { PATH, ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }) },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.once('exit', () => {
      running = undefined
    })
    try {
      await nextMessage(child, AbortSignal.any([signal, AbortSignal.timeout(loadMs)]), (message) => {
        if (message.type === 'ready') return true
        if (message.type === 'broken') throw broken('could not be loaded', message.why)
        return undefined
      })
      return child
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Resolves with the first value other than undefined that `answer` returns for a message. */
  const nextMessage = <T>(
    child: ChildProcess,
    signal: AbortSignal,
    answer: (message: FromChild) => T | undefined,
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const onMessage = (message: FromChild): void => {
      try {
        const answered = answer(message)
        if (answered !== undefined) resolve(answered)
      } catch (error) {
        reject(error)
      }
    }
    const onGone = (): void => reject(broken('crashed; it may need more memory than is available'))
    const onAbort = (): void => reject(signal.reason)
    child.ref()
    child.channel?.ref()
    child.on('message', onMessage)
    child.once('exit', onGone)
    child.once('error', onGone)
    signal.addEventListener('abort', onAbort, { once: true })
    if (child.exitCode !== null || child.signalCode !== null) onGone()
    return promise.finally(() => {
      child.off('message', onMessage)
      child.off('exit', onGone)
      child.off('error', onGone)
      signal.removeEventListener('abort', onAbort)
      // An idle child does not keep the server running.
      child.unref()
      child.channel?.unref()
    })
  }

  const send = (child: ChildProcess, message: ToChild): void => {
    child.send(message, (error) => {
      if (error) child.kill('SIGKILL')
    })
  }

  /** Stops a generation. The next one can start only after this one has ended. */
  const stop = async (child: ChildProcess): Promise<void> => {
    send(child, { type: 'stop' })
    await nextMessage(child, AbortSignal.timeout(stopMs), ({ type }) => (type === 'delta' ? undefined : type)).catch(
      () => {
        child.kill('SIGKILL')
        running = undefined
      },
    )
  }

  return {
    /** Kills the process. */
    close: () => {
      void running?.then(
        (child) => child.kill('SIGKILL'),
        () => undefined,
      )
    },
    async generate(prompt: Prompt, signal, onText): Promise<Generated> {
      running ??= start(signal)
      const child = await running.catch((error: unknown) => {
        running = undefined
        throw error
      })
      const generated = nextMessage(child, signal, (message) => {
        if (message.type === 'delta') onText(message.text)
        if (message.type === 'refused')
          throw new Fault('invalid', 'provider_refused', `The model ${name} cannot take this request: ${message.why}`)
        if (message.type === 'broken') throw broken('failed during generation', message.why)
        return message.type === 'done' ? message.generated : undefined
      })
      send(child, { type: 'generate', prompt })
      try {
        return await generated
      } catch (error) {
        if (signal.aborted) await stop(child)
        throw error
      }
    },
  }
}
