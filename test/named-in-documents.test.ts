import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Command } from '../packages/cli/src/command.ts'
import { programOf } from '../packages/cli/src/program.ts'
import { processTerminal } from '../packages/cli/src/terminal.ts'
import { systemClock } from '../packages/core/src/clock.ts'
import { configFileSchema } from '../packages/server/src/config.ts'

/*
 * What documents name exists: commands with their options, routes, files, variables. And the other way round: every variable that the
 * code reads is documented.
 */

const root = join(import.meta.dirname, '..')

async function textsOf(patterns: readonly string[], leftOut: RegExp): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for await (const path of glob(patterns, { cwd: root }))
    if (!leftOut.test(path)) texts.set(path, await readFile(join(root, path), 'utf8'))
  return texts
}

const documents = await textsOf(
  ['*.md', 'docs/**/*.md', 'packages/**/*.md', 'clients/**/*.md', 'skills/*.md'],
  /node_modules|\/dist\//,
)
const code = [
  ...(
    await textsOf(['packages/*/src/**/*.ts', 'packages/cli/*.mjs'], /\.test\.ts|\/testing\/|scripted-|\.d\.ts/)
  ).values(),
].join('\n')

/** The code in a document: in backticks, and the lines of its shell blocks, joined where one goes on in the next. */
function codeIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh[^\n]*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const prose = text.replaceAll(/^```[\s\S]*?^```[ \t]*$/gm, '')
  return [
    ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, inline = '']) => inline),
    ...blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n')),
  ]
}

const program = await programOf([], processTerminal(systemClock, new AbortController().signal), () => {})

/** What is wrong with a command line: an unknown command, or an option that the command does not have. */
function faultsOfCommand(words: readonly string[]): readonly string[] {
  let command: Command = program
  const faults: string[] = []
  let takesCommands = true
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-')) {
      const name = word.split('=')[0] ?? ''
      const known = [command, command.parent, program].flatMap((one) => one?.options ?? [])
      if (
        !known.some(({ short, long }) => name === short || name === long) &&
        !['--help', '-h', '--version'].includes(name)
      )
        faults.push(`${command.name()} has no ${name}`)
      continue
    }
    if (!takesCommands || !/^[a-z][a-z-]*$/.test(word)) {
      takesCommands = false
      continue
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (next) command = next as Command
    else {
      takesCommands = false
      if (command === program && !(word === 'help' && index === 0)) faults.push(`there is no command ${word}`)
    }
  }
  return faults
}

const commandsIn = (text: string): readonly (readonly string[])[] =>
  codeIn(text).flatMap((line) =>
    [
      ...line.matchAll(
        /(?:^|[|;&(])\s*(?:[A-Z_]+=\S*\s+)*(?:npx skillrun|npm run -s skillrun --|skillrun) ([^|;&)>#"'`]+)/g,
      ),
    ].map(([, words = '']) => words.trim().split(/\s+/)),
  )

test('every command and option of skillrun that a document names exists', () => {
  const faults = [...documents].flatMap(([path, text]) =>
    commandsIn(text).flatMap((words) => faultsOfCommand(words).map((fault) => `${path}: ${fault}`)),
  )
  expect(faults).toEqual([])
  expect([...documents.values()].flatMap(commandsIn).length).toBeGreaterThan(100)
})

const api = await readFile(join(root, 'openapi.json'), 'utf8')
const { paths } = JSON.parse(api) as { paths: Record<string, object> }
/** Served beside the API. */
const besides = ['/metrics', '/healthz', '/readyz', '/mcp', '/docs', '/docs/api', '/openapi.json']

/** Whether there is such a route; a segment with a parameter matches any other. */
function isRoute(method: string, path: string): boolean {
  // A cell of a table writes `a\\|b` for several.
  const several = /^(.*\/)([^/]*\\\|[^/]*)(.*)$/.exec(path)
  if (several)
    return (several[2] ?? '').split('\\|').every((one) => isRoute(method, `${several[1]}${one}${several[3]}`))
  const segments = (path.split(/[?#]/)[0] ?? '').replace(/\/$/, '').split('/')
  if (besides.includes(segments.join('/'))) return true
  return Object.entries(paths).some(([known, methods]) => {
    const wanted = known.split('/')
    return (
      method.toLowerCase() in methods &&
      wanted.length === segments.length &&
      wanted.every((one, index) => one === segments[index] || (one.startsWith('{') && segments[index] !== ''))
    )
  })
}

test('every route that a document names exists', () => {
  const named = [...documents].flatMap(([path, text]) =>
    [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`]*)/g)].map(([, method = '', route = '']) => ({
      path,
      method,
      route,
    })),
  )
  expect(named.filter(({ method, route }) => !isRoute(method, route))).toEqual([])
  expect(named.length).toBeGreaterThan(50)
})

test('every file that a document names exists, and a script takes the options that are named with it', async () => {
  const named = [...documents].flatMap(([path, text]) =>
    codeIn(text).flatMap((line) => filesIn(line).map((file) => ({ path, ...file }))),
  )
  const faults = await Promise.all(
    named.map(async ({ path, pattern, options }) => {
      const [text] = (await textsOf([pattern], /^$/)).values()
      if (text === undefined) return [`${path}: there is no ${pattern}`]
      return options
        .filter((option) => !takesOption(text, option))
        .map((option) => `${path}: ${pattern} has no --${option}`)
    }),
  )
  expect(faults.flat()).toEqual([])
  expect(named.length).toBeGreaterThan(200)
})

test('the glossary has the words that records and programs show: how values were found, who judged them, and who drifted', () => {
  const values: readonly (readonly string[])[] = [...api.matchAll(/"enum": \[([^\]]*)\]/g)].map(
    ([, list = '']) => list.match(/\w+/g) ?? [],
  )
  const shown = ['verified', 'same_engine', 'judge'].flatMap((one) => values.find((list) => list.includes(one)) ?? [])
  expect(shown.length).toBeGreaterThan(9)
  const glossary = documents.get('docs/GLOSSARY.md') ?? ''
  const words = [...shown, 'drift', 'withholds', 'shadow', 'lift', 'needs_look']
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(glossary))).toEqual([])
})

/** The files of the repository that a line of code names, with the options behind each. */
const filesIn = (line: string) =>
  [
    ...line.matchAll(
      /(?<![\w./-])((?:bench|test|scripts|packages|deploy|skills|clients)\/[\w./*-]+\.(?:tsx?|mjs|json|js|sh|sql|txt|yaml|md))\b((?: (?!&)[^\s|;]+)*)/g,
    ),
  ].map(([, pattern = '', behind = '']) => ({
    pattern,
    options: [...behind.matchAll(/ --([a-z][a-z-]*)/g)].map(([, option = '']) => option),
  }))

/** Whether a script reads an option: by its name, or as a member of what it parsed. */
const takesOption = (text: string, option: string): boolean => new RegExp(`['"\\s-]${option}['":\\s,]`).test(text)

describe('variables', () => {
  const variables = (text: string) =>
    new Set([...text.matchAll(/\bSKILLRUN_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name))
  const inProse = [...documents.values()].map((text) => text.replaceAll(/^```diff[\s\S]*?^```/gm, '')).join('\n')
  const documented = variables(inProse)
  /** Of a process that starts itself again with settings that Node takes only at its start; and npm's own. */
  const internal = ['SKILLRUN_REEXECUTED', 'INIT_CWD']

  test('that a document names are read by the code, or by a test', async () => {
    const oidc = await readFile(join(root, 'packages/server/src/oidc-settings.ts'), 'utf8')
    const read = new Set([
      ...variables(code),
      ...variables([...(await textsOf(['test/*.ts'], /named-in/)).values()].join('\n')),
      ...[...oidc.matchAll(/'([A-Z_]+)'/g)].map(([, name = '']) => `SKILLRUN_OIDC_${name}`),
    ])
    expect([...documented].filter((name) => !read.has(name)).sort()).toEqual([])
  })

  test('that the code reads are documented', () => {
    expect([...variables(code)].filter((name) => !documented.has(name))).toEqual(internal.slice(0, 1))
    const others = [...code.matchAll(/\benv(?:ironment)?(?:\[|, )'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name)
    expect(others).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'LOG_LEVEL']))
    expect(
      [...new Set(others)].filter((name) => !internal.includes(name) && !new RegExp(`\\b${name}\\b`).test(inProse)),
    ).toEqual([])
  })
})

test('every setting of the configuration file is documented', () => {
  const { properties } = z.toJSONSchema(configFileSchema) as { properties: Settings }
  const names = settingsIn(properties)
  expect(names).toEqual(expect.arrayContaining(['aliases', 'limits', 'retention_days', 'context_tokens']))
  const text = [...documents.values()].join('\n')
  expect(names.filter((name) => !new RegExp(`[\`".]${name}\\b`).test(text))).toEqual([])
})

type Settings = Readonly<Record<string, { properties?: Settings; additionalProperties?: { properties?: Settings } }>>

/** The names of settings with those inside of them. */
const settingsIn = (settings: Settings): readonly string[] =>
  Object.entries(settings).flatMap(([name, { properties, additionalProperties }]) => [
    name,
    ...settingsIn(properties ?? additionalProperties?.properties ?? {}),
  ])

describe('the check', () => {
  test('finds commands, options, routes and files that do not exist', () => {
    expect(filesIn('node bench/table.ts --seconds 1 && node scripts/none.mjs')).toEqual([
      { pattern: 'bench/table.ts', options: ['seconds'] },
      { pattern: 'scripts/none.mjs', options: [] },
    ])
    expect([
      takesOption(`{ seconds: { type: 'string' } }`, 'seconds'),
      takesOption(`'seconds-more'`, 'seconds'),
    ]).toEqual([true, false])
    expect(
      commandsIn('`skillrun execute --nothing x` and\n```sh elsewhere\nskillrun perform \\\n  it\n```\n').flatMap(
        faultsOfCommand,
      ),
    ).toEqual(['execute has no --nothing', 'there is no command perform'])
    expect([isRoute('GET', '/v1/nothing'), isRoute('GET', '/v1/agent/executions/{id}?x=1')]).toEqual([false, true])
  })
})
