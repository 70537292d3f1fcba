/** A hostile program that must fail with `code`. */
export interface HostileProgram {
  readonly what: string
  readonly body: string
  readonly code: string
  readonly line?: number
}

/** The source of a program with this body. The first line of the body is line 2. */
export const programOf = (body: string): string =>
  `export default async function run(tools: any, inputs: any): Promise<any> {\n${body}\n}\n`

/** Programs that exceed a limit. */
export const greedy: readonly HostileProgram[] = [
  { what: 'an endless loop', body: 'while (true) {}', code: 'program_cpu' },
  {
    what: 'an endless chain of microtasks',
    body: 'for (;;) await null',
    code: 'program_cpu',
  },
  {
    what: 'a chain of promises that grows without end',
    body: 'const f = () => Promise.resolve().then(f); await f()',
    code: 'program_memory',
  },
  {
    what: 'an endless generator',
    body: 'function* g() { for (;;) yield 1 } return [...g()].length',
    code: 'program_memory',
  },
  {
    what: 'a loop that catches all',
    body: 'for (;;) try { for (;;) {} } catch {} finally { continue }',
    code: 'program_cpu',
  },
  { what: 'a pattern that backtracks', body: 'return /^(a+)+$/.test("a".repeat(40) + "b")', code: 'program_cpu' },
  { what: 'a string that doubles', body: 'let s = "x"; for (;;) s += s', code: 'program_error' },
  {
    what: 'arrays without end',
    body: 'const a = []; for (;;) a.push(new Array(100000).fill(7))',
    code: 'program_memory',
  },
  { what: 'a huge typed array', body: 'return new Uint8Array(2_000_000_000).length', code: 'program_memory' },
  { what: 'a recursion without end', body: 'const f = () => f() + 1; return f()', code: 'program_error' },
  { what: 'JSON nested without end', body: 'return JSON.parse("[".repeat(1e6))', code: 'program_error' },
  { what: 'a flood of the console', body: 'for (;;) console.log("flood")', code: 'program_console' },
  { what: 'a flood of calls', body: 'for (;;) tools.trial.echo(1)', code: 'program_host_calls' },
  { what: 'a large argument', body: 'await tools.trial.echo("x".repeat(2_000_000))', code: 'program_output' },
  { what: 'a large answer', body: 'return "x".repeat(2_000_000)', code: 'program_output' },
  { what: 'an answer of 100 MB', body: 'return "x".repeat(100_000_000)', code: 'program_memory' },
  { what: 'an answer of too many values', body: 'return new Array(200_000).fill(1)', code: 'program_result' },
  {
    what: 'an answer nested too deeply',
    body: 'let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return o',
    code: 'program_result',
  },
]

/** Programs that return nothing, or a value that is not JSON. */
export const senseless: readonly HostileProgram[] = [
  { what: 'nothing', body: '', code: 'program_nothing' },
  { what: 'a function', body: 'return () => 1', code: 'program_result' },
  { what: 'a nested NaN', body: 'return { a: [NaN] }', code: 'program_result' },
  { what: 'a cycle', body: 'const a = {}; a.a = a; return a', code: 'program_result' },
  { what: 'a bigint', body: 'return 1n', code: 'program_result' },
  { what: 'a symbol', body: 'return Symbol("s")', code: 'program_result' },
  { what: 'a map', body: 'return new Map([[1, 2]])', code: 'program_result' },
  { what: 'promises that are not awaited', body: 'return [1].map(async (x) => x)', code: 'program_result' },
  { what: 'half a surrogate pair', body: 'return "\\ud800"', code: 'program_result' },
  { what: 'a NUL', body: 'return { "a\\u0000": 1 }', code: 'program_result' },
  { what: 'a promise that never settles', body: 'await new Promise(() => {})', code: 'program_stuck' },
  { what: 'a number that is thrown', body: 'throw 5', code: 'program_error' },
  { what: 'an object that is thrown', body: 'throw { get message() { throw 1 } }', code: 'program_error' },
  { what: 'an error', body: '\n\nthrow new TypeError("no")', code: 'program_error', line: 4 },
  { what: 'an unknown tool', body: '\nreturn tools.trial.nope()', code: 'program_error', line: 3 },
  { what: 'an unknown toolset', body: 'return tools.nope.nope()', code: 'program_error', line: 2 },
  { what: 'a call of a tool that fails', body: '\nawait tools.trial.fail()', code: 'program_error', line: 3 },
  {
    what: 'a call that is given a function',
    body: '\n\nawait tools.trial.echo({ a: () => 1 })',
    code: 'program_error',
    line: 4,
  },
  { what: 'source that is not JavaScript', body: 'const = 5', code: 'program_syntax', line: 2 },
  { what: 'TypeScript that is more than types', body: '} enum A { b } {', code: 'program_syntax', line: 2 },
]

/** Attempts to leave the sandbox: each returns true when it succeeded. */
export const escapes: readonly { readonly what: string; readonly body: string }[] = [
  { what: 'process', body: 'return typeof process !== "undefined"' },
  { what: 'require', body: 'return typeof require !== "undefined"' },
  {
    what: 'the constructor chain',
    body: 'const all = [[].constructor.constructor, (async () => {}).constructor, (function* () {}).constructor]\nreturn all.some((make) => { try { const it = make("return typeof process + typeof require"); const got = it(); return typeof got === "string" && got !== "undefinedundefined" } catch { return false } })',
  },
  {
    what: 'the constructors of tools',
    body: 'const make = tools.trial.echo.constructor; return make("return typeof process")() !== "undefined"',
  },
  {
    what: 'the prototypes of what the host gives',
    body: 'const got = await tools.trial.echo({ a: 1 }); Object.getPrototypeOf(got).canary = true; Object.getPrototypeOf(tools.trial.echo).canary = true; inputs.__proto__.canary = true; return typeof got.constructor.constructor("return this")().process !== "undefined"',
  },
  { what: 'indirect eval', body: 'return (0, eval)("typeof process") !== "undefined"' },
  { what: 'a module of Node', body: 'return import("node:fs").then(() => true, () => false)' },
  { what: 'a file as a module', body: 'return import("/etc/passwd").then(() => true, () => false)' },
  {
    what: 'the bootstrap code as a module',
    body: 'return import("realm-bootstrap.ts").then((m) => { const inside = m.default({ send() {}, log() {}, finish() {}, fail() {} }); return typeof inside.process !== "undefined" }, () => false)',
  },
  {
    what: 'the web',
    body: 'return typeof fetch !== "undefined" || typeof WebSocket !== "undefined" || typeof XMLHttpRequest !== "undefined"',
  },
  {
    what: 'timers and workers',
    body: 'return typeof setTimeout !== "undefined" || typeof Worker !== "undefined" || typeof WebAssembly !== "undefined"',
  },
  {
    what: 'the stack of an error',
    body: 'Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error("x"); return Array.isArray(stack) && stack.some((f) => f.getThis?.()?.process) || false',
  },
  {
    what: 'a poisoned promise',
    body: 'Promise.prototype.then = function () { return 5 }; Object.prototype.toJSON = () => "poison"; Array.prototype.push = () => 1; return false',
  },
  { what: 'a poisoned JSON', body: 'JSON.stringify = () => "{\\"canary\\":1}"; JSON.parse = () => ({}); return false' },
]
