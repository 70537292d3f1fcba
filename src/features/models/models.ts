import { invalid } from '../../seams/http/validation.ts'

/** Which engine answers a model identifier. */
export interface ModelRoute {
  readonly model: string
  /** First or second generation: the second may run programs. */
  readonly generation: 1 | 2
  readonly engine: 'embedded'
}

/** The model identifiers that this server knows, and how an alias reads. */
export interface Models {
  readonly routes: readonly ModelRoute[]
  /** The route of an identifier or alias. Throws a ValidationFailure that lists what is known. */
  route(identifier: string): ModelRoute
}

/** The model of a request that names none. */
export const defaultModel = 'svc-agent-1:auto'

const shippedVariants = [
  'cosmos3-nano',
  'gemma4-26b-a4b',
  'qwen3.6-35b-a3b',
  'gemini-flash-3.6',
  'gpt-5.5',
  'grok-4.5',
  'kimi-2.6',
  'muse-spark-1.1',
  'opus-4.8',
  'opus-5',
]
const families = ['svc-agent-1', 'svc-agent-2'] as const
const levels = ['', ':auto', ':fast', ':pro']

// Existing public clients know the families by these names.
const shippedAliases: Readonly<Record<string, string>> = {
  'vlmrun-orion-1': 'svc-agent-1',
  'vlmrun-orion-1:lite': 'svc-agent-1:fast',
  'vlmrun-orion-1:*': 'svc-agent-1:*',
  'vlmrun-orion-2': 'svc-agent-2',
  'vlmrun-orion-2:lite': 'svc-agent-2:fast',
  'vlmrun-orion-2:*': 'svc-agent-2:*',
}

/**
 * Reads the model identifiers: the two families fall to the embedded engine; a third-party variant is known, but
 * refused with a sentence until its provider is there.
 */
export function makeModels(settings: {
  aliases?: Readonly<Record<string, string>> | undefined
  variants?: readonly string[] | undefined
}): Models {
  const aliases = { ...shippedAliases, ...settings.aliases }
  const variants = (settings.variants ?? shippedVariants).map((variant) => `svc-agent-2:${variant}`)
  const routes: ModelRoute[] = families.flatMap((family, index) =>
    levels.map((level) => ({
      model: `${family}${level}`,
      generation: index === 0 ? (1 as const) : (2 as const),
      engine: 'embedded' as const,
    })),
  )
  const byName = new Map(routes.map((one) => [one.model, one]))
  const known = [...byName.keys(), ...variants]
  return {
    routes,
    route(identifier) {
      const model = resolveAlias(identifier, aliases)
      const found = byName.get(model)
      if (found) return found
      const loc = ['body', 'model']
      if (variants.includes(model)) {
        throw invalid(
          loc,
          `The model ${model} needs its provider, which this server does not have; use ${families.join(' or ')} (with :auto, :fast or :pro), which the embedded engine answers`,
          { type: 'model_unavailable', input: identifier },
        )
      }
      throw invalid(loc, `Input should be one of ${known.map((name) => `'${name}'`).join(', ')}`, {
        type: 'enum',
        input: identifier,
        ctx: { expected: known.join(', ') },
      })
    },
  }
}

function resolveAlias(identifier: string, aliases: Readonly<Record<string, string>>): string {
  const exact = Object.hasOwn(aliases, identifier) ? aliases[identifier] : undefined
  if (exact !== undefined) return exact
  for (const [pattern, target] of Object.entries(aliases)) {
    if (!pattern.endsWith('*') || !identifier.startsWith(pattern.slice(0, -1))) continue
    return target.replace('*', identifier.slice(pattern.length - 1))
  }
  return identifier
}
