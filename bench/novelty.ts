// How often a program's guard takes a document for another kind by its words, although nothing changed. `node bench/novelty.ts
// [--streams 400]`: streams of one sender's made forms, each learned from 12, with 288 others. New words are accepted, as after an agent that answers the
// same. Prints a line of JSON.
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { plainWords } from '../packages/server/src/agent/programs/plain-words.ts'
import { familiarOf, noveltyOf } from '../packages/server/src/features/programs/novelty.ts'
import { optionsOf } from './options.ts'
import { forms } from './programs/forms.ts'

const { streams } = optionsOf({ streams: 400 })
const [known, others] = [12, 288]
const [form] = forms
let alarms = 0
let streamsWithAlarms = 0
for (let seed = 0; form && seed < streams; seed += 1) {
  const random = createRandom(`drift ${seed}`)
  const words = (count: number) => Array.from({ length: count }, () => plainWords(form(random).text))
  const familiar = familiarOf(words(known))
  const accepted: string[] = []
  let novel = 0
  for (const one of words(others)) {
    const unseen = noveltyOf(one, familiar, accepted)
    if (!unseen) continue
    accepted.push(...unseen)
    novel += 1
  }
  alarms += novel
  if (novel > 0) streamsWithAlarms += 1
}
console.log(JSON.stringify({ streams, documents: streams * others, alarms, streamsWithAlarms }))
