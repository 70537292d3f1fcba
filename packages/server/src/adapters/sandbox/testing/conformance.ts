import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox, SandboxLimits, SandboxRun } from '../sandbox.ts'
import { escapes, greedy, programOf, senseless } from './hostile-programs.ts'

/** An implementation under test. */
export interface Candidate {
  readonly name: string
  readonly create: () => Sandbox
  /** Whether programs run in their own processes; if not, tests that need a process to be killed are skipped. */
  readonly isApart: boolean
  /** Why this machine cannot run it. */
  readonly missing?: string
}

/** Time enough to come to any limit but that of computing, on the busiest machine too. */
const limits: SandboxLimits = {
  wallMs: 40_000,
  cpuMs: 10_000,
  memoryMb: 48,
  outputBytesMax: 1_000_000,
  hostCallsMax: 50,
  consoleBytesMax: 5_000,
}

/** For programs that compute forever. */
const impatient: SandboxLimits = { ...limits, cpuMs: 500 }

const host: SandboxRun['host'] = {
  'trial.echo': async (value) => value ?? null,
  'trial.fail': async () => {
    throw new Fault('invalid', 'trial', 'The trial fails on purpose')
  },
}

const never = (): Promise<Json> => new Promise(() => {})

/** The tests that every sandbox passes. */
export function keepsTheSandboxesPromises({ name, create, isApart, missing }: Candidate): void {
  describe.skipIf(missing !== undefined)(missing === undefined ? name : `${name} (${missing})`, () => {
    let sandbox: Sandbox
    beforeAll(() => {
      sandbox = create()
    })
    afterAll(() => sandbox.close())
    const run = (source: string, more: Partial<SandboxRun> = {}) =>
      sandbox.run({ source, input: null, host, limits, nowMs: 0, signal: new AbortController().signal, ...more })
    answersAndTraces(run)
    failsInWords(run)
    letsNothingOut(run)
    endsWhenItShould(run, create)
    describe.skipIf(!isApart)('with separate processes', () => survives(run))
  })
}

type Run = (source: string, more?: Partial<SandboxRun>) => ReturnType<Sandbox['run']>

const failureOf = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    (answer) => expect.unreachable(`it answered ${JSON.stringify(answer).slice(0, 200)}`),
    (error: unknown) => error,
  )

function answersAndTraces(run: Run): void {
  test('gives a program its input and answers what it returned, with its console and the count of its calls', async () => {
    const source = programOf(
      'console.log("n is", inputs.n, { a: 1 })\nreturn { twice: await tools.trial.echo(inputs.n * 2) }',
    )
    expect(await run(source, { input: { n: 4 } })).toMatchObject({
      value: { twice: 8 },
      console: ['n is 4 {"a":1}'],
      hostCalls: 1,
      ms: expect.any(Number),
    })
  })

  test('makes calls that do not wait for each other at once', async () => {
    const both = Promise.withResolvers<Json>()
    let called = 0
    const meet = (): Promise<Json> => {
      called += 1
      if (called === 2) both.resolve('met')
      return both.promise
    }
    const source = programOf('return Promise.all([tools.trial.meet(), tools.trial.meet()])')
    expect((await run(source, { host: { 'trial.meet': meet } })).value).toEqual(['met', 'met'])
  })

  test('gives every program a new realm', async () => {
    await run(programOf('globalThis.left = 1; Object.prototype.left = 1; Math.max = () => 7; return 1'))
    const source = programOf('return [typeof left, typeof {}.left, Math.max(1, 2)]')
    expect((await run(source)).value).toEqual(['undefined', 'undefined', 2])
  })

  test('runs a program again in a realm that has no trace of its earlier runs', async () => {
    const source = `
      let times = 0
      const seen: unknown[] = []
      console.log('evaluated', Math.random())
      export default async function run(tools: any, inputs: any) {
        const before = [times, seen.length, typeof (globalThis as any).left, Math.random(), Date.now(), Math.max(1, 2)]
        times += 1
        seen.push(inputs, await tools.trial.echo(inputs))
        Object.assign(globalThis, { left: inputs })
        Math.max = () => 7
        console.log('ran', inputs)
        return [...before, inputs, seen]
      }`
    const other = programOf('globalThis.left = 1; return typeof seen')
    const ran: unknown[] = []
    for (let time = 1; time <= 4; time += 1) {
      const { value, console } = await run(source, { input: `input ${time}`, nowMs: 5 })
      const own = JSON.parse(JSON.stringify({ value, console }).replaceAll(`input ${time}`, 'its own'))
      ran.push(own)
      if (time > 2) expect((await run(other)).value).toBe('undefined')
    }
    expect(ran[0]).toEqual({
      value: [0, 0, 'undefined', expect.any(Number), 5, 2, 'its own', ['its own', 'its own']],
      console: [expect.stringMatching(/^evaluated 0\.\d+$/), 'ran its own'],
    })
    expect(ran).toEqual(Array(4).fill(ran[0]))
    // A prepared program is not reused for another time, another set of tools or other limits.
    expect((await run(source, { nowMs: 6 })).value).toMatchObject({ 4: 6 })
    const names = programOf('return Object.keys(tools)')
    for (let time = 1; time <= 3; time += 1) expect((await run(names)).value).toEqual(['trial'])
    expect((await run(names, { host: { 'other.tool': async () => null } })).value).toEqual(['other'])
    const large = programOf('return new Array(1e6).fill(1).length')
    for (let time = 1; time <= 3; time += 1) expect((await run(large)).value).toBe(1e6)
    expect(await failureOf(run(large, { limits: { ...limits, memoryMb: 4 } }))).toMatchObject({
      code: 'program_memory',
    })
  })

  test('starts with a clean realm after a program that filled its memory', async () => {
    const filling = programOf('globalThis.kept = []; for (;;) kept.push("secret".repeat(1000) + kept.length)')
    expect(await failureOf(run(filling))).toMatchObject({ code: 'program_memory' })
    expect((await run(programOf('return typeof kept'))).value).toBe('undefined')
  })

  test('fixes the clock and the random numbers of a program', async () => {
    const source = programOf('return [new Date().toISOString(), Date.now(), Math.random(), new Date(5).getTime()]')
    const [first, second] = [await run(source, { nowMs: 1_000 }), await run(source, { nowMs: 1_000 })]
    expect(first.value).toEqual(['1970-01-01T00:00:01.000Z', 1_000, expect.any(Number), 5])
    expect(second.value).toEqual(first.value)
  })

  test('runs many programs at once, each with its own answer', async () => {
    const values = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => run(programOf('return inputs'), { input: n })))
    expect(values.map((one) => one.value)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('carries values to the host and back as they are', async () => {
    const value = { text: 'ü😀', list: [null, true, -1.5e-7, ''], deep: { '': { 'a.b': [] } } }
    expect((await run(programOf('return tools.trial.echo(inputs)'), { input: value })).value).toEqual(value)
  })
}

function failsInWords(run: Run): void {
  test.each([...greedy, ...senseless])('reports $what', async ({ body, code, line }) => {
    const terms = code === 'program_cpu' ? impatient : limits
    expect(await failureOf(run(programOf(body), { limits: terms }))).toMatchObject({
      name: 'Fault',
      kind: 'invalid',
      code,
      message: expect.stringMatching(/\w/),
      ...(line === undefined ? {} : { line }),
    })
  })

  test('returns the console of a program that failed', async () => {
    const source = programOf('console.log("so far"); await tools.trial.echo(1); null.foo')
    expect(await failureOf(run(source))).toMatchObject({ line: 2, trace: { console: ['so far'], hostCalls: 1 } })
  })

  test('turns a Fault of the host into an error that a program can catch', async () => {
    const source = programOf('try { await tools.trial.fail() } catch (error) { return error.message }')
    expect((await run(source)).value).toBe('The trial fails on purpose')
  })

  test('ends a run with any other error of a host function', async () => {
    const broken = new Error('not for programs')
    const failing = { 'trial.echo': async () => Promise.reject(broken) }
    expect(await failureOf(run(programOf('try { await tools.trial.echo() } catch {}'), { host: failing }))).toBe(broken)
  })

  test('refuses a program that is too long, and one without a function', async () => {
    expect(await failureOf(run(`//${'x'.repeat(300_000)}`))).toMatchObject({ code: 'program_syntax' })
    expect(await failureOf(run('export const a = 1'))).toMatchObject({ code: 'program_result' })
  })
}

function letsNothingOut(run: Run): void {
  test.each(escapes)('has no way out by $what, however often it is tried', async ({ body }) => {
    // From its third run on, a program is restored from a snapshot.
    for (let time = 1; time <= 3; time += 1) {
      const outcome = await run(programOf(body)).then(
        ({ value }) => value,
        (error: unknown) => (error as Fault).code,
      )
      expect([false, 'program_error', 'program_stuck', 'program_result']).toContainEqual(outcome)
    }
    expect(({} as { canary?: unknown }).canary).toBeUndefined()
  })

  test('would notice a way out: the body of a program can answer true', async () => {
    expect((await run(programOf('return typeof tools !== "undefined"'))).value).toBe(true)
  })
}

function endsWhenItShould(run: Run, create: () => Sandbox): void {
  test('ends a program that waits for too long', async () => {
    const slow = run(programOf('await tools.trial.never()'), {
      host: { 'trial.never': never },
      limits: { ...limits, wallMs: 100 },
    })
    expect(await failureOf(slow)).toMatchObject({ code: 'program_wall' })
  })

  test('does not start an aborted run, and ends a running one with the reason of its abort', async () => {
    const control = new AbortController()
    const called = Promise.withResolvers<void>()
    const waiting = (): Promise<Json> => {
      called.resolve()
      return never()
    }
    const running = run(programOf('await tools.trial.wait()'), {
      host: { 'trial.wait': waiting },
      signal: control.signal,
    })
    await called.promise
    control.abort(new Error('enough'))
    expect(await failureOf(running)).toMatchObject({ message: 'enough' })
    expect(await failureOf(run(programOf('return 1'), { signal: control.signal }))).toMatchObject({ message: 'enough' })
    expect((await run(programOf('return 1'))).value).toBe(1)
  })

  test('has no call under way when it returns', async () => {
    let isDone = false
    const slow = async (): Promise<Json> => {
      await new Promise((resolve) => setImmediate(resolve))
      isDone = true
      return 1
    }
    const source = programOf('tools.trial.slow(); return tools.trial.echo(1)')
    await run(source, { host: { ...host, 'trial.slow': slow } })
    expect(isDone).toBe(true)
  })

  test('refuses programs after it is closed', async () => {
    const one = create()
    await one.close()
    const source = programOf('return 1')
    const signal = new AbortController().signal
    expect(await failureOf(one.run({ source, input: null, host, limits, nowMs: 0, signal }))).toMatchObject({
      code: 'sandbox_closed',
    })
  })
}

function survives(run: Run): void {
  test('runs other programs while one computes forever', async () => {
    const control = new AbortController()
    const unlimited = { ...limits, cpuMs: 3_600_000, wallMs: 3_600_000 }
    const hostile = failureOf(run(programOf('while (true) {}'), { limits: unlimited, signal: control.signal }))
    expect((await run(programOf('return 1'))).value).toBe(1)
    control.abort(new Error('enough'))
    expect(await hostile).toMatchObject({ message: 'enough' })
  })

  test.each([
    ['an expression too deep to be read', '('.repeat(200_000)],
    ['types too deep to be read', `type A = ${'['.repeat(100_000)}`],
    ['templates too deep to be read', '`${'.repeat(80_000)],
  ])('reads the next program after %s', async (_what, source) => {
    // A slow machine may reach the CPU limit while it parses.
    const outcome = await failureOf(run(source, { limits: impatient }))
    expect(outcome).toMatchObject({ code: expect.stringMatching(/^program_(syntax|cpu)$/) })
    expect((await run(programOf('const a: number = 1; return a'))).value).toBe(1)
  })

  test('ends a program that no interrupt can end', async () => {
    const source = programOf(
      'const a = []; a.length = 4294967295; return a.indexOf(1) + a.lastIndexOf(2) + a.join().length',
    )
    const outcome = await failureOf(run(source, { limits: impatient }))
    expect(outcome).toMatchObject({ code: expect.stringMatching(/^program_(cpu|memory|error)$/) })
    expect((await run(programOf('return 1'))).value).toBe(1)
  })
}
