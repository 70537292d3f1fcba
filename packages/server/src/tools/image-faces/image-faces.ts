import { tool } from '../../agent/tool.ts'
import { hasDetectors } from '../../media/detect/detect.ts'
import { detectInput, detectOn } from '../detecting.ts'

/** Faces on an image. */
export const imageFaces = tool({
  name: 'image.faces',
  toolset: 'image',
  description:
    'Detect faces on an image or on a page of a document. Returns the box and detector score (0 to 1) of each. It does not identify people or describe them. Pass the boxes to `image.blur` or `image.crop` unchanged.',
  answers: '{ faces: Array<{ score: number; box: [number, number, number, number] }> }',
  input: detectInput,
  isAvailable: hasDetectors,
  async run(asked, context, signal) {
    const found = await detectOn(context, { ...asked, what: 'faces' }, signal)
    return { faces: found.map(({ score, box }) => ({ score, box: [...box] })) }
  },
})
