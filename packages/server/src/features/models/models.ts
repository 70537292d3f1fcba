import { Fault } from '@skillrun/core/fault.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ModelUsage } from '../../adapters/models/model.ts'
import { type Micros, perMillion } from '../../core/money.ts'
import { chooseLevel, type RequestFacts } from './choose-level.ts'
import { factsOf, type ModelFacts, type Provider, type Rates, type Settings } from './providers.ts'
import shipped from './routes.json' with { type: 'json' }

export type { EmbeddingRoute } from './embeddings.ts'
export type { ModelFacts, Rates } from './providers.ts'

/** An engine: the embedded engine, or a model of a provider. */
export type Engine =
  | { readonly kind: 'embedded'; readonly name: 'embedded' }
  | {
      readonly kind: 'model'
      /** `openai/gpt-5.5`. */
      readonly name: string
      readonly provider: Provider
      readonly facts: ModelFacts
    }

/** The models of a path. `small`: the cheaper one that is asked first; null: there is none. */
export interface Ladder {
  readonly small: Extract<Engine, { kind: 'model' }> | null
  readonly large: Extract<Engine, { kind: 'model' }>
}

/** Which engine answers a model identifier. */
export interface ModelRoute {
  readonly model: string
  /** The engine for display; `:auto` may name two. */
  readonly engine: string
  /** The engine of every request; null if it depends on the request. */
  readonly fixed: Engine | null
  /** The models of the cheapest path; null: no language model answers the identifier. */
  readonly ladder: Ladder | null
  /** The engine for a request, with the rule that chose it if there was a choice. */
  choose(facts: RequestFacts): { readonly engine: Engine; readonly because: string | null }
}

/** The model identifiers of this server, and the meaning of aliases. */
export interface Models {
  readonly routes: readonly ModelRoute[]
  /** The route of an identifier or alias. Throws a ValidationFailure that lists the known ones. */
  route(identifier: string): ModelRoute
}

/** The models section of the configuration. */
export interface ModelsSettings {
  readonly aliases?: Readonly<Record<string, string>> | undefined
  readonly variants?: readonly string[] | undefined
  readonly models?: Settings['models']
  readonly routes?: Readonly<Record<string, string>> | undefined
}

/** The default model. */
export const defaultModel = 'svc-agent-1:auto'

const families = ['svc-agent-1', 'svc-agent-2'] as const

/** Whether a model identifier is of the second generation, which writes programs and is served by them; the first calls tools. */
export const isSecondGeneration = (model: string): boolean => model.startsWith(families[1])

const embedded: Engine = { kind: 'embedded', name: 'embedded' }

/** The cost of a turn's calls at these rates: Σ tokens · rate / 10⁶, rounded half up to a whole micro-dollar. */
export function costOf(usage: ModelUsage, rates: Rates): Micros {
  const written = usage.cacheWrittenTokens ?? 0
  const uncached = Math.max(0, usage.inputTokens - usage.cachedInputTokens - written)
  return perMillion(
    uncached * rates.input +
      written * (rates.cacheWrite ?? rates.input) +
      usage.cachedInputTokens * rates.cachedInput +
      usage.outputTokens * rates.output,
  )
}

/** Whether calls at these rates cost anything. */
export const isPriced = ({ input, cachedInput, cacheWrite = 0, output }: Rates): boolean =>
  input > 0 || cachedInput > 0 || cacheWrite > 0 || output > 0

/**
 * Builds the model identifiers. The families go to the first available provider (in the configuration's order, or else the built-in one),
 * or else to the embedded engine; a third-party variant without its provider is refused with an explanation. Routes of the configuration
 * take precedence. Throws Faults for an invalid configuration.
 */
export function makeModels(settings: ModelsSettings, providers: readonly Provider[]): Models {
  const aliases = { ...shipped.aliases, ...settings.aliases }
  const engineOf = (name: string): Engine => {
    if (name === 'embedded') return embedded
    const provider = providers.find((one) => name.startsWith(`${one.name}/`))
    if (!provider)
      throw new Fault(
        'invalid',
        'bad_configuration',
        `SKILLRUN_CONFIG: routes refers to ${JSON.stringify(name)}, but there is no provider ${JSON.stringify(name.split('/')[0])}; use one of ${['embedded', ...providers.map((one) => one.name)].join(', ')}.`,
      )
    return { kind: 'model', name, provider, facts: factsOf(name, provider, settings.models) }
  }
  const first = providers.find((provider) => provider.fast || provider.pro)
  const levelEngine = (level: 'fast' | 'pro'): Engine => {
    const model = first?.[level] ?? first?.fast ?? first?.pro
    return first && model ? engineOf(`${first.name}/${model}`) : embedded
  }
  const given = settings.routes ?? {}
  const ofFamilies = families.flatMap((family) => familyRoutes(family, given, { engineOf, levelEngine }))
  const variants = settings.variants ?? Object.keys(shipped.variants)
  const byName = new Map(ofFamilies.map((one) => [one.model, one]))
  const absent = new Map<string, string | null>()
  for (const variant of variants) {
    const model = `svc-agent-2:${variant}`
    const target = given[model] ?? (shipped.variants as Record<string, string | null>)[variant] ?? null
    const isThere =
      target !== null && (target === 'embedded' || providers.some((one) => target.startsWith(`${one.name}/`)))
    if (given[model] !== undefined || isThere)
      byName.set(model, {
        ...fixedRoute(model, engineOf(target ?? 'embedded')),
        ladder: ladderOf(byName.get('svc-agent-2:fast')?.fixed, engineOf(target ?? 'embedded')),
      })
    else absent.set(model, target)
  }
  const known = [...byName.keys(), ...absent.keys()]
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray !== undefined)
    throw new Fault(
      'invalid',
      'bad_configuration',
      `SKILLRUN_CONFIG: routes has the unknown model identifier ${JSON.stringify(stray)}; the identifiers are ${known.join(', ')}.`,
    )
  return {
    routes: [...byName.values()],
    route(identifier) {
      const model = resolveAlias(identifier, aliases)
      const found = byName.get(model)
      if (found) return found
      const target = absent.get(model)
      if (target !== undefined) throw unavailable(identifier, model, target)
      const names = [...known, ...Object.keys(settings.aliases ?? {})].map((name) => `'${name}'`).join(', ')
      const more = 'an operator can add names as aliases in SKILLRUN_CONFIG'
      throw invalid(['body', 'model'], `Input should be one of ${names}; ${more}`, {
        type: 'enum',
        input: identifier,
        ctx: { expected: known.join(', ') },
      })
    },
  }
}

/**
 * The model for writing: the preferred one if a language model answers it, or else the stronger one of its family; first generation if
 * available, because the second would write a program that writes.
 */
export function writerOf(models: Models, preferred: string): string | undefined {
  const family = preferred.split(':')[0] ?? preferred
  const [first, second] = [preferred, `${family}:pro`]
  const isFirst = !isSecondGeneration(preferred)
  const known = [...(isFirst ? [first, second] : []), 'svc-agent-1:pro', 'svc-agent-1:fast', first, second]
  return known.find((name) => {
    try {
      return models.route(name).fixed?.kind === 'model'
    } catch {
      return false
    }
  })
}

function familyRoutes(
  family: string,
  given: Readonly<Record<string, string>>,
  engines: { engineOf: (name: string) => Engine; levelEngine: (level: 'fast' | 'pro') => Engine },
): ModelRoute[] {
  const level = (name: 'fast' | 'pro'): Engine => {
    const target = given[`${family}:${name}`]
    return target === undefined ? engines.levelEngine(name) : engines.engineOf(target)
  }
  const fast = level('fast')
  const pro = level('pro')
  const auto = (model: string): ModelRoute => {
    const target = given[model]
    if (target !== undefined) return fixedRoute(model, engines.engineOf(target))
    if (fast.name === pro.name) return fixedRoute(model, fast)
    return {
      ladder: ladderOf(fast, pro),
      model,
      engine: `${fast.name} or ${pro.name}`,
      fixed: null,
      choose(facts) {
        const { level: chosen, because } = chooseLevel(facts)
        const [engine, other] = chosen === 'fast' ? [fast, pro] : [pro, fast]
        // With a language model available, the embedded engine gets only what it can do: filling a schema.
        if (engine.kind === 'embedded' && other.kind === 'model' && facts.schema === null)
          return { engine: other, because: 'no schema was given, which needs a language model' }
        // A model that sees only the words of an image would ignore its content.
        if (facts.images > 0 && isBlind(engine) && !isBlind(other) && other.kind === 'model')
          return {
            engine: other,
            because: `:auto chose ${chosen === 'fast' ? 'pro' : 'fast'}: ${facts.images} images, and ${engine.name} does not accept images`,
          }
        return { engine, because }
      },
    }
  }
  return [
    auto(family),
    auto(`${family}:auto`),
    fixedRoute(`${family}:fast`, fast),
    { ...fixedRoute(`${family}:pro`, pro), ladder: ladderOf(fast, pro) },
  ]
}

const ladderOf = (small: Engine | null | undefined, large: Engine): Ladder | null =>
  large.kind === 'embedded'
    ? null
    : { small: small?.kind === 'model' && small.name !== large.name ? small : null, large }

const isBlind = (engine: Engine): boolean => engine.kind === 'model' && !engine.facts.takesImages

const fixedRoute = (model: string, engine: Engine): ModelRoute => ({
  model,
  engine: engine.name,
  fixed: engine,
  ladder: ladderOf(null, engine),
  choose: () => ({ engine, because: null }),
})

/** A variant whose provider this server lacks: the message says what to set. */
function unavailable(identifier: string, model: string, target: string | null) {
  const provider = target?.split('/')[0] as keyof typeof shipped.providers | undefined
  const key = provider === undefined ? undefined : shipped.providers[provider]?.key
  const ownRoute = `route it in SKILLRUN_CONFIG with "routes": {"${model}": "provider/model"}`
  const advice = key === undefined ? ownRoute : `set ${key}, or ${ownRoute}`
  return invalid(
    ['body', 'model'],
    `The provider of the model ${model} is not configured on this server: ${advice}; or use ${families.join(' or ')} (with :auto, :fast or :pro)`,
    { type: 'model_unavailable', input: identifier },
  )
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
