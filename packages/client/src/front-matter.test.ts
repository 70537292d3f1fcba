import { describe, expect, test } from 'vitest'
import { toldBy } from './front-matter.ts'

const skillMd = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n# Title\nname: not this\n`

describe('the name and description of a SKILL.md', () => {
  test('are parsed from plain, quoted and indented texts', () => {
    expect(toldBy(skillMd('name: totals', 'description: Reads totals: all of them # soon'))).toEqual({
      name: 'totals',
      description: 'Reads totals: all of them',
    })
    expect(toldBy(skillMd('description: "Reads \\"totals\\""', "name: 'it''s'"))).toEqual({
      name: "it's",
      description: 'Reads "totals"',
    })
    expect(toldBy(skillMd('name: totals', 'description: >-', '  Reads', '  totals', 'license: MIT'))).toEqual({
      name: 'totals',
      description: 'Reads totals',
    })
  })

  test('are parsed from a file with Windows line ends, too', () => {
    expect(toldBy('\uFEFF---\r\nname: totals\r\ndescription: Reads\r\n---\r\n')).toEqual({
      name: 'totals',
      description: 'Reads',
    })
  })

  test('are absent without front matter: text below it does not count', () => {
    expect(toldBy('# Title\nname: no')).toEqual({})
    expect(toldBy(skillMd('metadata:', '  name: inner', 'name:'))).toEqual({})
  })
})
