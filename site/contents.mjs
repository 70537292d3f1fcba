import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * The pages of the documentation site, in the order of its menu: the title, and the Markdown file of the repository that it shows.
 * `section` takes one section of a file; `made` names a generator in `scripts/docs.ts`.
 */
const chosen = [
  {
    title: 'Start',
    pages: [
      { page: 'index', title: 'Skillrun', from: 'README.md' },
      { page: 'concepts', title: 'Concepts', from: 'docs/CONCEPTS.md' },
      { page: 'comparison', title: 'How it compares', from: 'README.md', section: 'Compared with' },
    ],
  },
  {
    title: 'Use it',
    pages: [
      ['skills', 'Skills'],
      ['batches', 'Batches'],
      ['approvals', 'Approvals'],
      ['reviews', 'Reviews'],
      ['programs', 'Programs'],
      ['cheapest-path', 'The cheapest path'],
      ['callbacks', 'Callbacks'],
      ['capsules', 'Capsules'],
      ['replays', 'Replays and forks'],
      ['sign-in', 'Sign-in'],
    ].map(guide),
  },
  {
    title: 'Connect it',
    pages: [
      ['chat', 'Chat and agents'],
      ['openai', 'OpenAI clients'],
      ['anthropic', 'Anthropic client'],
      ['mcp', 'MCP clients'],
      ['automation', 'Zapier, Make and n8n'],
      ['moving', 'Move from the closed service'],
      ['compatibility', 'Its routes one by one'],
      ['extending', 'Extending Skillrun'],
    ].map(guide),
  },
  {
    title: 'Models',
    pages: [
      ['models', 'Choose and configure models'],
      ['ollama', 'Ollama'],
      ['own-model', 'Your own model server'],
      ['code-agent', 'The code agent'],
    ].map(guide),
  },
  {
    title: 'Operations',
    pages: [
      ...[
        ['operations', 'Operate'],
        ['scale-out', 'Several processes and machines'],
        ['backup', 'Backup and restore'],
        ['upgrade', 'Upgrade'],
      ].map(guide),
      { page: 'reliability', title: 'Reliability', from: 'docs/RELIABILITY.md' },
      { page: 'performance', title: 'Performance', from: 'docs/PERFORMANCE.md' },
      { page: 'scale', title: 'Scale', from: 'docs/SCALE.md' },
      { page: 'security', title: 'Security', from: 'SECURITY.md' },
      { page: 'troubleshooting', title: 'Troubleshooting', from: 'docs/TROUBLESHOOTING.md' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { page: 'http-api', title: 'HTTP API', made: 'api' },
      { page: 'command-line', title: 'Command line', made: 'commands' },
      { page: 'configuration', title: 'Configuration', from: 'README.md', section: 'Configuration' },
      { page: 'errors', title: 'Errors', from: 'docs/ERRORS.md' },
      { page: 'tools', title: 'Tools', from: 'docs/TOOLS.md' },
      { page: 'json-schema', title: 'JSON Schema', from: 'docs/JSON-SCHEMA.md' },
      { page: 'reader', title: 'The document reader', from: 'docs/READER.md' },
      { page: 'glossary', title: 'Glossary', from: 'docs/GLOSSARY.md' },
      { page: 'architecture', title: 'Architecture', from: 'docs/ARCHITECTURE.md' },
      { page: 'changes', title: 'Changes', from: 'CHANGELOG.md' },
    ],
  },
]

/** The documents of docs/ that no section above has. */
const others = ['docs', 'docs/guides']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.md') && !chosen.some(({ pages }) => pages.some(({ from }) => from === path)))
  .map((from) => ({
    page: from
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .toLowerCase(),
    title: readFileSync(join(root, from), 'utf8').split('\n', 1)[0].replace(/^# /, ''),
    from,
  }))

export const contents = others.length === 0 ? chosen : [...chosen, { title: 'More', pages: others }]

function guide([name, title]) {
  return { page: `guides/${name}`, title, from: `docs/guides/${name}.md` }
}
