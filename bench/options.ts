import { parseArgs } from 'node:util'

type Value = number | string | boolean
type Given<Default> = Default extends number ? number : Default extends boolean ? boolean : string

/** The options of a command line, each of the kind of its default. */
export function optionsOf<Defaults extends Readonly<Record<string, Value>>>(defaults: Defaults) {
  const options = Object.entries(defaults).map(([name, value]) =>
    typeof value === 'boolean'
      ? ([name, { type: 'boolean', default: value }] as const)
      : ([name, { type: 'string', default: String(value) }] as const),
  )
  const values: Readonly<Record<string, unknown>> = parseArgs({ options: Object.fromEntries(options) }).values
  const given = Object.entries(defaults).map(([name, value]) => {
    const one = typeof value === 'number' ? Number(values[name]) : values[name]
    if (Number.isNaN(one)) throw new Error(`--${name} takes a number, not ${values[name]}`)
    return [name, one]
  })
  return Object.fromEntries(given) as { readonly [Name in keyof Defaults]: Given<Defaults[Name]> }
}
