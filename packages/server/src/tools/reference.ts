import { isJsonObject } from '@skillrun/core/json.ts'
import { specOf, type Tool } from '../agent/tool.ts'

/** The tool reference as Markdown: every tool by toolset with its inputs. */
export function toolReference(tools: readonly Tool[]): string {
  const sets = Map.groupBy(tools, (one) => one.toolset)
  const parts = [...sets].map(([toolset, members]) => [`## ${toolset}`, ...members.map(sectionOf)].join('\n\n'))
  const head = `# Tools

What a model may do in a run. \`toolsets\` chooses groups, \`config.tool_names\` single tools by name, \`config.tools_type\` what is usual for
documents, images or video; without any of them a run is offered what its inputs call for: core and document always, image, video and audio where
there are some. document.lines and those of \`model\` are for programs alone, which models of the second generation write: a program that may call tools of
\`document\` has document.lines, and one whose request and skills name no tools, or model.ask among them, may ask. Those of \`skills\` come with skills, in every run that has some. image.faces and image.objects are offered where detectors are installed, an optional package: \`skillrun doctor\` says how.
A model sees the names with \`_\` in place of the point.`
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
    const said = description === undefined ? '' : `: ${String(description)}`
    return `- \`${name}\` (${values}${required.includes(name) ? '' : ', may be left out'})${said}`
  })
  return [`### ${one.name}`, one.description, lines.join('\n')].filter(Boolean).join('\n\n')
}
