import { describe, expect, test } from 'vitest'
import { frontMatterOf } from './front-matter.ts'

const skillMd = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n# Title\nname: not this\n`

describe('the name and description of a SKILL.md', () => {
  test('are parsed from plain, quoted and indented texts', () => {
    expect(frontMatterOf(skillMd('name: totals', 'description: Reads totals: all of them # soon'))).toEqual({
      name: 'totals',
      description: 'Reads totals: all of them',
    })
    expect(frontMatterOf(skillMd('description: "Reads \\"totals\\""', "name: 'it''s'"))).toEqual({
      name: "it's",
      description: 'Reads "totals"',
    })
    expect(frontMatterOf(skillMd('name: totals', 'description: >-', '  Reads', '  totals', 'license: MIT'))).toEqual({
      name: 'totals',
      description: 'Reads totals',
    })
  })

  test('are parsed from a file with Windows line ends, too', () => {
    expect(frontMatterOf('\uFEFF---\r\nname: totals\r\ndescription: Reads\r\n---\r\n')).toEqual({
      name: 'totals',
      description: 'Reads',
    })
  })

  test('are absent without front matter: text below it does not count', () => {
    expect(frontMatterOf('# Title\nname: no')).toEqual({})
    expect(frontMatterOf(skillMd('metadata:', '  name: inner', 'name:'))).toEqual({})
  })
})
