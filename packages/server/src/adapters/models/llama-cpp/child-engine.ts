import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '@skillrun/core/fault.ts'
import type { Engine, Generated, Prompt } from './engine.ts'
import type { FromChild, Loading, ToChild } from './turn.ts'

/** A model of many gigabytes on a slow disk. */
const loadMs = 300_000
/** A generation that was stopped and goes on for so long is ended with its process. */
const stopMs = 5_000

const entry = fileURLToPath(new URL('./entry.ts', import.meta.url))

/** Where the engine's own trouble is told. */
export interface ChildEngineSettings extends Loading {
  /** `local/qwen3`. */
  readonly name: string
}

/**
 * A model of llama.cpp in a process of its own, which is started when it is first asked and again after it died: native code
 * that breaks takes nothing else with it. It is given no variable of the environment but where programs are found.
 */
export function createChildEngine(settings: ChildEngineSettings): Engine & { close(): void } {
  const { name, ...loading } = settings
  let present: Promise<ChildProcess> | undefined
  // The library's own words may hold paths, and what it was asked.
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
      present = undefined
    })
    try {
      await heard(child, AbortSignal.any([signal, AbortSignal.timeout(loadMs)]), (said) => {
        if (said.says === 'ready') return true
        if (said.says === 'broken') throw broken('could not be loaded', said.why)
        return undefined
      })
      return child
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Waits until something said is answered by more than undefined. */
  const heard = <T>(
    child: ChildProcess,
    signal: AbortSignal,
    answer: (said: FromChild) => T | undefined,
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const onMessage = (said: FromChild): void => {
      try {
        const answered = answer(said)
        if (answered !== undefined) resolve(answered)
      } catch (error) {
        reject(error)
      }
    }
    const onGone = (): void => reject(broken('ended in the middle; it may need more memory than there is'))
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
      // At rest it does not keep the server from ending.
      child.unref()
      child.channel?.unref()
    })
  }

  const tell = (child: ChildProcess, told: ToChild): void => {
    child.send(told, (error) => {
      if (error) child.kill('SIGKILL')
    })
  }

  /** The memory is free for the next only when this one has ended. */
  const stop = async (child: ChildProcess): Promise<void> => {
    tell(child, { does: 'stop' })
    await heard(child, AbortSignal.timeout(stopMs), ({ says }) => (says === 'piece' ? undefined : says)).catch(() => {
      child.kill('SIGKILL')
      present = undefined
    })
  }

  return {
    /** Ends the process, whatever it does. */
    close: () => {
      void present?.then(
        (child) => child.kill('SIGKILL'),
        () => undefined,
      )
    },
    async generate(prompt: Prompt, signal, hear): Promise<Generated> {
      present ??= start(signal)
      const child = await present.catch((error: unknown) => {
        present = undefined
        throw error
      })
      const generated = heard(child, signal, (said) => {
        if (said.says === 'piece') hear(said.text)
        if (said.says === 'refused')
          throw new Fault('invalid', 'provider_refused', `The model ${name} does not take this: ${said.why}`)
        if (said.says === 'broken') throw broken('broke off', said.why)
        return said.says === 'done' ? said.generated : undefined
      })
      tell(child, { does: 'generate', prompt })
      try {
        return await generated
      } catch (error) {
        if (signal.aborted) await stop(child)
        throw error
      }
    },
  }
}
