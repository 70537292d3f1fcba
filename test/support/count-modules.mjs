// Loaded before a server: appends the length and the address of each module that it loads to the file MODULES_FILE, until it listens.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

let counts = process.env.MODULES_FILE !== undefined
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (part, ...rest) => {
  if (String(part).includes('Skillrun     http')) counts = false
  return write(part, ...rest)
}
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (counts) appendFileSync(process.env.MODULES_FILE, `${loaded.source?.length ?? 0} ${url}\n`)
    return loaded
  },
})
