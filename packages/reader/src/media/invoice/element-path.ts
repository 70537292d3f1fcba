import type { XmlElement } from './xml.ts'

/** The default prefixes of steps. */
export interface DefaultPrefixes {
  readonly inner: string
  readonly last: string
}

/** The value at a path. */
export interface PathValue {
  readonly element: XmlElement
  readonly text: string
  /** XPath from the root. */
  readonly path: string
}

/** An element and its XPath from the root. */
export interface PlacedElement {
  readonly element: XmlElement
  readonly path: string
}

interface Scope {
  readonly prefixes: DefaultPrefixes
  /** The value of `$currency` in a condition. */
  readonly currency: string
}

const conditionPattern = /\[(.+?)(!=|<>|~|=)(.+?)\]$/

/** The elements that the steps of `path` select from `from`. */
export function elementsAt(from: PlacedElement, path: string, scope: Scope): PlacedElement[] {
  const steps = path.split(/\/(?![^[]*\])/)
  return steps.reduce<PlacedElement[]>(
    (places, step, index) => {
      const prefix = index === steps.length - 1 ? scope.prefixes.last : scope.prefixes.inner
      return step === '.' ? places : places.flatMap((place) => childrenOf(place, step, { ...scope, prefix }))
    },
    [from],
  )
}

/** The values of the first alternative of `paths` (separated by ` | `) that selects any, without empty texts. */
export function valuesAt(from: PlacedElement, paths: string, scope: Scope): PathValue[] {
  for (const alternative of paths.split(' | ').filter(Boolean)) {
    const [, path = alternative, attribute] = /^(.+)\/@(\w+)$/.exec(alternative) ?? []
    const found = elementsAt(from, path, scope).flatMap(({ element, path: place }): PathValue[] => {
      const text = attribute === undefined ? element.text : (element.attributes[attribute] ?? '').trim()
      return text === '' ? [] : [{ element, text, path: attribute === undefined ? place : `${place}/@${attribute}` }]
    })
    if (found.length > 0) return found
  }
  return []
}

function childrenOf(
  { element, path }: PlacedElement,
  step: string,
  scope: Scope & { prefix: string },
): PlacedElement[] {
  const condition = conditionPattern.exec(step)
  const name = withPrefix(condition === null ? step : step.slice(0, condition.index), scope.prefix)
  const named = element.children.filter((child) => child.name === name)
  return named
    .map((child, index) => ({
      element: child,
      path: `${path}/${name}${named.length > 1 ? `[${index + 1}]` : ''}`,
    }))
    .filter((child) => condition === null || meets(child, condition, scope))
}

/** `=` equal, `~` equal or absent, `!=` different or absent, `<>` present and different. */
function meets(place: PlacedElement, [, of = '', operator, wanted = '']: RegExpExecArray, scope: Scope): boolean {
  const expected = wanted === '$currency' ? scope.currency : wanted
  const actual = of.startsWith('@')
    ? place.element.attributes[of.slice(1)]
    : elementsAt(place, of, scope)[0]?.element.text
  if (operator === '=') return actual === expected
  if (operator === '~') return actual === undefined || actual === expected
  return actual === undefined ? operator === '!=' : actual !== expected
}

const withPrefix = (name: string, prefix: string): string => (name.includes(':') ? name : `${prefix}:${name}`)
