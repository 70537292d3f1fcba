import { readFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject } from '../packages/core/src/json.ts'

const head = '# Made by scripts/openapi.ts. Do not edit: run npm run openapi.\n'
const folder = 'clients/python/skillrun'

/** Other dialects have clients of their own, and signed links are opened as they are. */
const isOwn = (path: string): boolean =>
  path.startsWith('/v1/') && !/^\/v1\/(openai|chat|public|messages|responses|fine_tuning|datasets)(\/|$)/.test(path)

/** The generated files of the Python client by path: types and operations of an OpenAPI 3.1 document, and the synchronous half. */
export function pythonClientOf(document: JsonObject): Readonly<Record<string, string>> {
  const operations = operationsOf(document)
  const client = readFileSync(new URL(`../${folder}/_async_client.py`, import.meta.url), 'utf8')
  return {
    [`${folder}/types.py`]: typesOf(document),
    [`${folder}/_async_operations.py`]: operations,
    [`${folder}/_operations.py`]: synchronous(operations),
    [`${folder}/_client.py`]: head + synchronous(client),
  }
}

/** The synchronous form of asynchronous Python code. */
function synchronous(text: string): string {
  const words: readonly (readonly [RegExp, string])[] = [
    [/\basync (def|for|with) /g, '$1 '],
    [/\bawait /g, ''],
    [/\bAsync(Skillrun|Operations|Client|Iterator|Reply)\b/g, '$1'],
    [/\b_async_(\w+)/g, '_$1'],
    [/\basyncio\.sleep\b/g, 'time.sleep'],
    [/\bimport asyncio\b/g, 'import time'],
    [/__a(enter|exit)__/g, '__$1__'],
    [/\ba(close|iter_lines|iter_bytes|read)\b/g, '$1'],
    [/\basynchronous\b/g, 'synchronous'],
  ]
  return words.reduce((made, [from, to]) => made.replace(from, to), text)
}

function typesOf(document: JsonObject): string {
  const writer = new TypeWriter()
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'))
  for (const [name, schema] of schemas) writer.add(name, schema)
  for (const { name, operation } of operationList(document)) {
    const { body, reply } = schemasOf(operation)
    if (body) writer.nameFor(body, `${name}Body`)
    if (reply) writer.nameFor(reply, `${name}Reply`)
  }
  return `${head}"""Types of requests and replies. They describe plain dicts and lists; nothing is converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]
"""Any value that JSON can carry."""

${writer.lines.join('\n')}`
}

/** Writes a TypedDict for each object with named fields, and an alias for every other named schema. */
class TypeWriter {
  readonly lines: string[] = []
  private readonly used = new Set<string>()

  add(name: string, schema: Json): void {
    if (isJsonObject(schema) && hasFields(schema)) {
      this.dict(name, schema)
      return
    }
    this.used.add(name)
    this.lines.push(`${name}: TypeAlias = ${quoted(this.typeOf(schema, name))}\n`)
  }

  /** A reference stays what it is; any other schema gets the name. */
  nameFor(schema: Json, name: string): void {
    if (!isReference(schema)) this.add(name, schema)
  }

  /** Returns the name of the type: the wanted one, with a number after it if that is taken. */
  private dict(wanted: string, schema: JsonObject): string {
    let name = wanted
    for (let number = 2; this.used.has(name); number++) name = `${wanted}${number}`
    this.used.add(name)
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const fields = Object.entries(objectAt(schema, 'properties')).map(([key, one]) => {
      const type = this.typeOf(one, name + pascal(key))
      return { key, about: aboutOf(one), type: required.includes(key) ? type : `NotRequired[${type}]` }
    })
    const about = aboutOf(schema)
    if (fields.every(({ key }) => isName(key))) {
      const lines = fields.flatMap(({ key, type, about: text }) => [`    ${key}: ${type}`, ...docstring(text)])
      this.lines.push(`\nclass ${name}(TypedDict):\n${[...docstring(about), ...lines].join('\n')}\n`)
      return name
    }
    const lines = fields.map(({ key, type }) => `        ${quoted(key)}: ${quoted(type)},`)
    this.lines.push(`${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`)
    return name
  }

  typeOf(schema: Json | undefined, name: string): string {
    if (!isJsonObject(schema)) return 'Json'
    if (isReference(schema)) return referenceOf(schema)
    if ('const' in schema) return literals([schema['const'] ?? null])
    if (Array.isArray(schema['enum'])) return literals(schema['enum'])
    for (const word of ['anyOf', 'oneOf'] as const) {
      const members = schema[word]
      if (Array.isArray(members)) return this.union(members, name)
    }
    if (Array.isArray(schema['type']))
      return this.union(
        schema['type'].map((type) => ({ ...schema, type })),
        name,
      )
    switch (schema['type']) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return `List[${Array.isArray(schema['prefixItems']) ? 'Json' : this.typeOf(schema['items'], `${name}Item`)}]`
      case 'object': {
        if (!hasFields(schema)) {
          const more = schema['additionalProperties']
          return `Dict[str, ${isJsonObject(more) ? this.typeOf(more, `${name}Value`) : 'Json'}]`
        }
        return this.dict(name, schema)
      }
      default:
        return 'Json'
    }
  }

  private union(members: readonly Json[], name: string): string {
    const all = [...new Set(members.map((one) => this.typeOf(one, name)))]
    if (all.includes('Json')) return 'Json'
    return all.length === 1 ? (all[0] ?? 'Json') : `Union[${all.join(', ')}]`
  }
}

interface NamedOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
}

function operationList(document: JsonObject): readonly NamedOperation[] {
  return Object.entries(objectAt(document, 'paths'))
    .filter(([path]) => isOwn(path))
    .flatMap(([path, methods]) =>
      Object.entries(isJsonObject(methods) ? methods : {}).map(([method, operation]) => ({
        name: pascal(String(isJsonObject(operation) ? operation['operationId'] : '')),
        method: method.toUpperCase(),
        path,
        operation: isJsonObject(operation) ? operation : {},
      })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function schemasOf(operation: JsonObject): { body: Json | undefined; reply: Json | undefined } {
  const body = objectAt(objectAt(operation, 'requestBody'), 'content')['application/json']
  const found = Object.entries(objectAt(operation, 'responses')).find(([status]) => status.startsWith('2'))
  const reply = isJsonObject(found?.[1]) ? objectAt(found[1], 'content')['application/json'] : undefined
  return {
    body: isJsonObject(body) ? body['schema'] : undefined,
    reply: isJsonObject(reply) ? reply['schema'] : undefined,
  }
}

function operationsOf(document: JsonObject): string {
  const methods = operationList(document)
    // Uploads are sent by `upload`.
    .filter(({ operation }) => !('multipart/form-data' in objectAt(objectAt(operation, 'requestBody'), 'content')))
    .map(methodOf)
  return `${head}"""One method per operation of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, Union
from urllib.parse import quote

from . import types

if TYPE_CHECKING:
    from ._async_client import AsyncReply


def _at(value: object) -> str:
    return quote(str(value), safe="")


class AsyncOperations:
    """The asynchronous operations of the API; \`AsyncSkillrun\` adds what takes several of them."""

    async def _json(self, method: str, path: str, *, query: Any = None, body: Any = None) -> Any:
        raise NotImplementedError

    async def _reply(self, method: str, path: str, *, query: Any = None, body: Any = None) -> "AsyncReply":
        raise NotImplementedError

${methods.join('\n')}`
}

function methodOf({ name, method, path, operation }: NamedOperation): string {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(isJsonObject)
  const inPath = parameters.filter((one) => one['in'] === 'path')
  const query = parameters.filter((one) => one['in'] === 'query')
  const { body, reply } = schemasOf(operation)
  const type = (schema: Json, suffix: string) => `types.${isReference(schema) ? referenceOf(schema) : name + suffix}`
  const bodyNeeded = objectAt(operation, 'requestBody')['required'] === true
  const bodyType = body === undefined ? '' : type(body, 'Body')
  const arguments_ = [
    'self',
    ...inPath.map((one) => `${snake(String(one['name']))}: Union[str, int]`),
    ...(body === undefined ? [] : [bodyNeeded ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`]),
    ...(query.length > 0 ? ['*'] : []),
    ...query.map((one) => `${argument(String(one['name']))}: Optional[${queryType(one['schema'])}] = None`),
  ]
  const place = path.replace(/\{(\w+)\}/g, (_, key: string) => `{_at(${snake(key)})}`)
  const values = query.map((one) => `"${String(one['name'])}": ${argument(String(one['name']))}`)
  const sent = [
    `"${method}"`,
    `${place.includes('{') ? 'f' : ''}"${place}"`,
    ...(query.length > 0 ? [`query={${fitted(values, 12, 60)}}`] : []),
    ...(body === undefined ? [] : ['body=body']),
  ]
  const call = `await self.${reply === undefined ? '_reply' : '_json'}(${fitted(sent, 8, 80)})`
  const returns = reply === undefined ? '"AsyncReply"' : type(reply, 'Reply')
  return `    async def ${snake(name)}(${fitted(arguments_, 4, 60)}) -> ${returns}:
        """${sentence(String(operation['summary'] ?? ''))}"""
        ${reply === undefined ? `return ${call}` : `reply: ${returns} = ${call}\n        return reply`}
`
}

/** A list in one line if it fits, else with one member a line. */
function fitted(members: readonly string[], indent: number, room: number): string {
  const line = members.join(', ')
  if (line.length <= room && !line.includes('\n')) return line
  return `\n${members.map((one) => `${' '.repeat(indent + 4)}${one},\n`).join('')}${' '.repeat(indent)}`
}

function queryType(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'str'
  if (Array.isArray(schema['enum'])) return literals(schema['enum'])
  const type = schema['type']
  return type === 'integer' ? 'int' : type === 'number' ? 'float' : type === 'boolean' ? 'bool' : 'str'
}

const reserved = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !reserved.has(text)
const argument = (name: string): string => (isName(name) ? name : `${name}_`)
const hasFields = (schema: JsonObject): boolean => Object.keys(objectAt(schema, 'properties')).length > 0
const isReference = (schema: Json): boolean => isJsonObject(schema) && typeof schema['$ref'] === 'string'
const referenceOf = (schema: Json): string =>
  isJsonObject(schema) ? (String(schema['$ref']).split('/').at(-1) ?? 'Json') : 'Json'
const pascal = (text: string): string =>
  text.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())
const snake = (text: string): string => text.replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => `_${letter}`).toLowerCase()
const quoted = (text: string): string => JSON.stringify(text)
const literals = (values: readonly Json[]): string => {
  const written = values
    .filter((one) => one !== null)
    .map((one) => (typeof one === 'boolean' ? (one ? 'True' : 'False') : JSON.stringify(one)))
  const named = written.length > 0 ? [`Literal[${written.join(', ')}]`] : []
  const all = [...named, ...(values.includes(null) ? ['None'] : [])]
  return all.length === 1 ? (all[0] ?? 'None') : `Union[${all.join(', ')}]`
}
const sentence = (text: string): string => (/[.!?]$/.test(text) ? escaped(text) : `${escaped(text)}.`)
const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', "'").replace(/\s+/g, ' ')
const docstring = (text: string): string[] => (text ? [`    """${sentence(text)}"""`] : [])
const aboutOf = (schema: Json): string =>
  isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : ''

const objectAt = (value: JsonObject | undefined, key: string): JsonObject => {
  const found = value?.[key]
  return isJsonObject(found) ? found : {}
}
