import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const threats = (await readFile(new URL('SECURITY.md', root), 'utf8'))
  .split(/\n\n+/)
  .filter((block) => /^\| *threat/.test(block))
  .flatMap((table) => table.split('\n').slice(2))
  .map((line) => line.split('|').slice(1, -1))

async function matching(pattern: string): Promise<number> {
  let count = 0
  for await (const _path of glob(pattern, { cwd: root.pathname })) count++
  return count
}

test('every threat in SECURITY.md names its mitigation and an existing test', async () => {
  expect(threats.length).toBeGreaterThan(20)
  for (const [threat = '', met = '', shown = ''] of threats) {
    expect(met.trim().length, threat).toBeGreaterThan(20)
    const named = [...shown.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '')
    expect(named.length, threat).toBeGreaterThan(0)
    for (const path of named) expect(await matching(path), `${threat}: ${path}`).toBeGreaterThan(0)
  }
})

test('SECURITY.md names every test against hostile callers', async () => {
  const named = threats.map(([, , shown = '']) => shown).join(' ')
  const batteries = `archives audit bad-input escape fuzz hostile-schemas isolation orphan-blobs retention retention-of-runs
    naughty-texts row-level-security scopes smuggling ssrf ssrf-places storage supply abuse skill-zips disk-full`
  for (const battery of batteries.split(/\s+/)) {
    const path = `test/${battery}.test.ts`
    expect(await matching(path), path).toBe(1)
    expect(named).toContain(`\`${path}\``)
  }
})
