/** A box of a picture: its title and, below it, what happens there. */
interface Box {
  readonly title: string
  readonly lines: readonly string[]
}

/** The pictures of docs/CONCEPTS.md: boxes from left to right, with what passes between them. */
const pictures: Readonly<Record<string, { readonly boxes: readonly Box[]; readonly arrows: readonly string[] }>> = {
  execution: {
    boxes: [
      { title: 'Request', lines: ['inputs', 'prompt, skill or schema'] },
      { title: 'Queue', lines: ['one transaction', 'three tiers'] },
      { title: 'Worker', lines: ['reads, answers, checks', 'records each step'] },
      { title: 'Record', lines: ['answer, evidence', 'usage, cost'] },
    ],
    arrows: ['201', 'lease', 'commit'],
  },
  evidence: {
    boxes: [
      { title: 'Page', lines: ['words with positions'] },
      { title: 'Value', lines: ['1304.34', 'in your schema'] },
      { title: 'Lookup', lines: ['found as "£1,304.34"', 'normalised'] },
      { title: 'Evidence', lines: ['page and box', 'confidence 0.995'] },
    ],
    arrows: ['engine', 'each value', 'place'],
  },
  engines: {
    boxes: [
      { title: 'Task', lines: ['what is asked for'] },
      { title: 'Embedded engine', lines: ['rules, no model', 'no cost'] },
      { title: 'Language model', lines: ['with tools', 'within a budget'] },
      { title: 'Answer', lines: ['valid in your schema'] },
    ],
    arrows: ['', 'needs_model', ''],
  },
  skills: {
    boxes: [
      { title: 'Skill', lines: ['instructions, schema', 'scripts'] },
      { title: 'Cases', lines: ['inputs with', 'known answers'] },
      { title: 'Gate', lines: ['compared with the', 'version before'] },
      { title: 'Version', lines: ['in use'] },
    ],
    arrows: ['new version', 'evaluate', 'passed'],
  },
  programs: {
    boxes: [
      { title: 'Executions', lines: ['of one skill', 'answered by an agent'] },
      { title: 'Program', lines: ['code in a sandbox', 'no model call'] },
      { title: 'Guard', lines: ['checks each answer', 'in doubt: the agent'] },
      { title: 'Shadow runs', lines: ['an agent checks', 'some answers'] },
    ],
    arrows: ['compile', 'serves', 'measured'],
  },
  workspaces: {
    boxes: [
      { title: 'Caller', lines: ['key or session', 'with scopes'] },
      { title: 'Workspace', lines: ['files, skills', 'executions, budget'] },
      { title: 'Database', lines: ['row-level security', 'by workspace'] },
    ],
    arrows: ['one workspace', 'every query'],
  },
}

const [boxWidth, boxHeight, gap, margin] = [170, 92, 86, 12]

/** The pictures as SVG, by file name. */
export function drawConcepts(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(pictures).map(([name, { boxes, arrows }]) => {
      const width = margin * 2 + boxes.length * boxWidth + (boxes.length - 1) * gap
      const height = margin * 2 + boxHeight
      const middle = height / 2
      const parts = boxes.flatMap(({ title, lines }, index) => {
        const left = margin + index * (boxWidth + gap)
        const center = left + boxWidth / 2
        const first = middle - 6 - (lines.length - 1) * 9
        const arrow = arrows[index]
        const end = left + boxWidth + gap
        return [
          `<rect x="${left}" y="${margin}" width="${boxWidth}" height="${boxHeight}" rx="8" fill="#f4f6fb" stroke="#3451b2"/>`,
          text(center, first, title, 'font-size="15" font-weight="600" fill="#1b2559"'),
          ...lines.map((line, row) => text(center, first + 21 + row * 18, line, 'font-size="13" fill="#3c3c43"')),
          ...(arrow === undefined
            ? []
            : [
                `<path d="M${left + boxWidth + 4} ${middle}H${end - 6}m-8 -5l8 5l-8 5" fill="none" stroke="#3451b2" stroke-width="1.5"/>`,
                text(left + boxWidth + gap / 2 - 2, middle - 10, arrow, 'font-size="12" fill="#3c3c43"'),
              ]),
        ]
      })
      const label = boxes.map(({ title }) => title).join(', ')
      return [
        `concept-${name}.svg`,
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" role="img" aria-label="${label}"><rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>${parts.join('')}</svg>\n`,
      ]
    }),
  )
}

const text = (x: number, y: number, words: string, look: string): string =>
  `<text x="${x}" y="${y}" text-anchor="middle" ${look}>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
