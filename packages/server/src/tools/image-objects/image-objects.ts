import { tool } from '../../agent/tool.ts'
import { hasDetectors } from '../../media/detect/detect.ts'
import { detectInput, detectOn } from '../detecting.ts'

/** Everyday objects on an image. */
export const imageObjects = tool({
  name: 'image.objects',
  toolset: 'image',
  description:
    'Detect everyday objects of 80 classes (person, car, dog, cup, chair, laptop …) on an image or on a page of a document. Returns the label, detector score (0 to 1) and box of each. Labels are often wrong: treat a low score as a guess, and check the region yourself if you can see the image.',
  answers: '{ objects: Array<{ label: string; score: number; box: [number, number, number, number] }> }',
  input: detectInput,
  isAvailable: hasDetectors,
  async run(asked, context, signal) {
    const found = await detectOn(context, { ...asked, what: 'objects' }, signal)
    return { objects: found.map(({ label, score, box }) => ({ label, score, box: [...box] })) }
  },
})
