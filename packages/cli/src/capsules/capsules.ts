import { stat, writeFile } from 'node:fs/promises'
import type { Capsule, CapsuleKeys, AgentExecutionResponse as Execution } from '@skillrun/client/openapi.ts'
import { envelopeText } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { readJsonFile } from '../local-json.ts'
import { callerPath } from '../paths.ts'
import { printable, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { isAddress, keysPath, loadKeys, verifyCapsule } from './verify.ts'

/** `skillrun executions capsule`: a signed statement about an execution. */
export function addCapsule(executions: Command, terminal: Terminal): void {
  executions
    .command('capsule <ID>')
    .description('get a signed statement about an execution that has ended; "skillrun verify" checks it')
    .option('-o, --output <FILE>', 'where to put it; without it, stdout')
    .option(
      '--contents',
      'include the request, the inputs, the steps and the answer, so that another server can import it',
    )
    .examples('skillrun executions capsule 0192f0c1-… -o invoice.capsule.json')
    .action(async (id: string, { output, contents }: { output?: string; contents?: boolean }, command: Command) => {
      const client = await command.connect()
      const { payloadType, payload, signatures } = await client.call<Capsule>(
        `/v1/agent/executions/${encodeURIComponent(id)}/capsule${contents ? '?contents=true' : ''}`,
      )
      const [signature = { keyid: '', sig: '' }] = signatures
      const text = envelopeText({ payloadType, payload, signatures: [signature] })
      if (output === undefined) return terminal.print(`${text}\n`)
      await writeFile(callerPath(output, terminal.environment), text)
      terminal.log(`wrote ${output}`)
    })
}

/** `skillrun executions import`: creates an execution on this server from a capsule with contents. */
export function addImport(executions: Command, terminal: Terminal): void {
  executions
    .command('import <FILE>')
    .description('import the execution of a capsule with contents as a new execution, to replay or fork it')
    .examples('skillrun executions import invoice.capsule.json')
    .action(async (file: string, _: unknown, command: Command) => {
      const body = await readJsonFile(file, terminal, 'capsule')
      const client = await command.connect()
      const record = await client.call<Execution>('/v1/capsules', { method: 'POST', body })
      if (command.isJson) return terminal.print(renderJson(record))
      if (!record.trusted) terminal.log('not trusted: the capsule is signed with a key of another server')
      terminal.print(`${printable(record.id)}\n`)
    })
}

/** `skillrun verify`: checks a capsule, offline if the keys are in a file. */
export function addVerify(program: Command, terminal: Terminal): void {
  program
    .command('verify <FILE>')
    .description('check the signature of a capsule, and with --record whether a record is the one it was made of')
    .option(
      '--keys <URL|FILE>',
      `public keys of the server, also as --key if that is an address or names a file; without it, ${keysPath} of the configured server`,
    )
    .option('--record <FILE>', 'record of the execution, as "skillrun executions get ID --json" prints it')
    .examples(
      'skillrun verify invoice.capsule.json --key keys.json',
      `skillrun verify invoice.capsule.json --keys https://skillrun.example.com${keysPath}`,
    )
    .action(async (file: string, { keys, record }: { keys?: string; record?: string }, command: Command) => {
      // Otherwise --key is the API key, as for every command.
      const { key = '' } = command.optsWithGlobals<GlobalOptions>()
      const keysFrom = keys ?? ((await namesKeys(key, terminal)) ? key : undefined)
      const published = async () =>
        keysFrom === undefined
          ? (await (await command.connect()).call<CapsuleKeys>(keysPath)).keys
          : await loadKeys(keysFrom, terminal)
      await verifyCapsule({ file, record, isJson: command.isJson }, published, terminal)
    })
}

/** `skillrun capsule-keys`: the keys that sign capsules. */
export function addCapsuleKeys(program: Command, terminal: Terminal): void {
  program
    .command('capsule-keys')
    .description('list the public keys that capsules are signed with, or sign with a new one')
    .option('--rotate', 'sign with a new key from now on; needs an admin of the first workspace')
    .option('--revoke', 'with --rotate: capsules of the earlier key are valid no longer')
    .examples('skillrun capsule-keys --json > keys.json', 'skillrun capsule-keys --rotate')
    .action(async ({ rotate, revoke }: { rotate?: boolean; revoke?: boolean }, command: Command) => {
      if (revoke && !rotate)
        throw new Fault('invalid', 'rotate_to_revoke', '--revoke needs --rotate: a revoked key cannot sign')
      const client = await command.connect()
      const list = rotate
        ? await client.call<CapsuleKeys>('/v1/capsule-keys/rotate', {
            method: 'POST',
            body: { revoke: revoke === true },
          })
        : await client.call<CapsuleKeys>(keysPath)
      if (command.isJson) return terminal.print(renderJson(list))
      const rows = list.keys.map((key) => [
        key.kid,
        key.revoked_at ? 'revoked' : key.valid_until ? 'retired' : 'signs',
        renderMoment(key.valid_from),
        renderMoment(key.valid_until),
      ])
      terminal.print(renderTable(['ID', 'STATUS', 'FROM', 'UNTIL'], rows, terminal.columns))
    })
}

/** Whether the value of --key is a place of published keys. */
const namesKeys = async (key: string, { environment }: Terminal): Promise<boolean> =>
  isAddress(key) ||
  stat(callerPath(key, environment)).then(
    (found) => found.isFile(),
    () => false,
  )
