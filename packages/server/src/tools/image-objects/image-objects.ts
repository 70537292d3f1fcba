import { tool } from '../../agent/tool.ts'
import { hasDetectors } from '../../media/detect/detect.ts'
import { detectInput, detectOn } from '../detecting.ts'

/** What things are on a picture. */
export const imageObjects = tool({
  name: 'image.objects',
  toolset: 'image',
  description:
    'Finds everyday things of 80 kinds (person, car, dog, cup, chair, laptop …) on a picture: what each may be, how sure the detector is, and its box as fractions. It is often wrong about what a thing is: take a low score for a guess.',
  answers: '{ objects: Array<{ label: string; score: number; box: [number, number, number, number] }> }',
  input: detectInput,
  isThere: hasDetectors,
  async run(asked, context, signal) {
    const found = await detectOn(context, { ...asked, what: 'objects' }, signal)
    return { objects: found.map(({ label, score, box }) => ({ label, score, box: [...box] })) }
  },
})
