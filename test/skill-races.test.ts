import { beforeAll, describe, expect, test } from 'vitest'
import { type Member, openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'

let one: Member
let other: Member
// Two processes start.
const database = await opened(makeDatabase())
const cluster = await opened(openCluster(database.address as Parameters<typeof openCluster>[0]))
beforeAll(async () => {
  one = await cluster.start('all')
  other = await cluster.start('all')
}, 240_000)

const create = (member: Member, body: object) => member.call('POST', '/v1/skills/create', body)

/** Rounds of each race: a single one seldom overlaps where it hurts. */
const rounds = [1, 2, 3, 4, 5]
const members = {
  'one server': () => [one, one] as const,
  'two servers with one database': () => [one, other] as const,
}

describe.each(Object.entries(members))('two skills created at once on %s', (where, membersOf) => {
  test('with one name become versions 1 and 2, of which the second is the latest', async () => {
    for (const round of rounds) {
      const name = `twice-${where === 'one server' ? 'one' : 'two'}-${round}`
      const made = await Promise.all(
        membersOf().map((member, at) => create(member, { name, description: 'Reads.', prompt: `Read it, ${at}` })),
      )
      expect(made.map(({ status }) => status)).toEqual([201, 201])
      const [newest] = made.map(({ json }) => json).toSorted((a, b) => b.number - a.number)
      const { json: versions } = await one.call('GET', `/v1/skills/${newest.id}/versions`)
      expect(
        versions.map(({ number, is_latest }: { number: number; is_latest: boolean }) => [number, is_latest]).toSorted(),
      ).toEqual([
        [1, false],
        [2, true],
      ])
      const [found, seen] = await Promise.all(
        [one, other].map((member) => member.call('POST', '/v1/skills/lookup', { name })),
      )
      expect([found?.json.id, seen?.json.id]).toEqual([newest.id, newest.id])
    }
  })

  test('with the same content become two versions, and the content stays when one of them is deleted', async () => {
    const name = `same-${where === 'one server' ? 'one' : 'two'}`
    const body = { name, description: 'Reads.', prompt: 'Read the same' }
    const made = await Promise.all(membersOf().map((member) => create(member, body)))
    expect(made.map(({ json }) => json.number).toSorted()).toEqual([1, 2])
    expect(new Set(made.map(({ json }) => json.bundle_sha256)).size).toBe(1)
    const [first, second] = made.map(({ json }) => json.id)
    await one.call('DELETE', `/v1/skills/${first}`)
    const { json } = await other.call('GET', `/v1/skills/${second}/download`)
    expect((await fetch(json.download_url)).status).toBe(200)
  })

  test('with a generated name and other instructions are two skills', async () => {
    for (const round of rounds) {
      // The name is made of the first sentence.
      const subject = `Total ${where === 'one server' ? 'alpha' : 'beta'} ${'abcde'[round - 1]}.`
      const made = await Promise.all(
        membersOf().map((member, at) => create(member, { prompt: `${subject}\n\nGive it in currency ${at}.` })),
      )
      expect(made.map(({ status, json }) => [status, json.number])).toEqual([
        [201, 1],
        [201, 1],
      ])
      expect(new Set(made.map(({ json }) => json.name)).size).toBe(2)
    }
  })

  test('with a generated name and the same instructions are versions of one skill', async () => {
    const prompt = `Postcode of ${where}.`
    const made = await Promise.all(membersOf().map((member) => create(member, { prompt })))
    expect(made.map(({ json }) => json.number).toSorted()).toEqual([1, 2])
    expect(new Set(made.map(({ json }) => json.name)).size).toBe(1)
  })
})
