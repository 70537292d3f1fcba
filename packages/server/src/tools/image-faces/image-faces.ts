import { tool } from '../../agent/tool.ts'
import { hasDetectors } from '../../media/detect/detect.ts'
import { detectInput, detectOn } from '../detecting.ts'

/** Where faces are. */
export const imageFaces = tool({
  name: 'image.faces',
  toolset: 'image',
  description:
    'Finds the faces on a picture or a page of a document: the box of each as fractions, and how sure the detector is. It recognises nobody and says nothing about anybody. Its boxes fit image.blur and image.crop.',
  answers: '{ faces: Array<{ score: number; box: [number, number, number, number] }> }',
  input: detectInput,
  isThere: hasDetectors,
  async run(asked, context, signal) {
    const found = await detectOn(context, { ...asked, what: 'faces' }, signal)
    return { faces: found.map(({ score, box }) => ({ score, box: [...box] })) }
  },
})
