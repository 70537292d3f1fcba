import { isJsonObject } from '@skillrun/core/json.ts'
import { specOf, type Tool } from '../agent/tool.ts'

/** The tool reference as Markdown. */
export function toolReference(tools: readonly Tool[]): string {
  const sets = Map.groupBy(tools, (one) => one.toolset)
  const parts = [...sets].map(([toolset, members]) => [`## ${toolset}`, ...members.map(sectionOf)].join('\n\n'))
  const head = `# Tools

The tools that a model may call in an execution. Choose them in the request:

- \`toolsets\` selects groups, \`config.tool_names\` single tools by name, and \`config.tools_type\` the usual tools for documents, images or video.
- If the request chooses none, the inputs decide: \`core\` and \`document\` are always offered; \`image\`, \`video\` and \`audio\` when there are such inputs.
- \`skills\` tools are offered in every execution with skills.
- \`document.lines\` and \`model.ask\` exist only in programs, which second-generation models write. A program has \`document.lines\` if it may call
  \`document\` tools, and \`model.ask\` if the request and its skills name no tools, or name \`model.ask\`.
- \`image.faces\` and \`image.objects\` need an optional package; \`skillrun doctor\` says how to install it.

In the tool loop of first-generation models the names have \`_\` in place of the dot, as in \`document_read\`.`
  return `${[head, ...parts].join('\n\n')}\n`
}

function sectionOf(one: Tool): string {
  const { input } = specOf(one)
  const properties = isJsonObject(input['properties']) ? Object.entries(input['properties']) : []
  const required = Array.isArray(input['required']) ? input['required'] : []
  const lines = properties.map(([name, schema]) => {
    const about = isJsonObject(schema) ? schema : {}
    const values = Array.isArray(about['enum']) ? about['enum'].join(', ') : String(about['type'] ?? 'any')
    const each = isJsonObject(about['items']) ? about['items']['description'] : undefined
    const description = about['description'] ?? each
    const suffix = description === undefined ? '' : `: ${String(description)}`
    return `- \`${name}\` (${values}${required.includes(name) ? '' : ', optional'})${suffix}`
  })
  return [`### ${one.name}`, one.description, lines.join('\n')].filter(Boolean).join('\n\n')
}
