import type { Page, Word } from '../document.ts'
import { boxAbout, turnAbout } from '../image/turn.ts'

/**
 * The page with its words placed as if it were upright, to find lines and columns: a skewed or rotated scan has
 * `turnedDegrees`, and boxes on the image as given. Pages without rotation are returned unchanged. Order and text of
 * the words stay, so the n-th word is the n-th of the page.
 */
export function uprightPage(page: Page): Page {
  if (page.turnedDegrees === 0) return page
  const { width, height, turnedDegrees } = page
  const lies = Math.abs(Math.round(turnedDegrees / 90)) % 2 === 1
  const size = lies ? { width: height, height: width } : { width, height }
  const words = page.words.map((word): Word => {
    const [x, y, w, h] = word.box
    const wordSize = lies ? { width: h * height, height: w * width } : { width: w * width, height: h * height }
    const turned = turnAbout(
      { x: (x + w / 2) * width, y: (y + h / 2) * height },
      { x: width / 2, y: height / 2 },
      turnedDegrees,
    )
    const centre = { x: turned.x + (size.width - width) / 2, y: turned.y + (size.height - height) / 2 }
    return { ...word, box: boxAbout(centre, wordSize, size) }
  })
  return { ...page, ...size, words, turnedDegrees: 0 }
}
