// Functions that run within a page of the browser.

/** Reports every content security policy violation of the page to `window.complain`. */
export function watchViolations() {
  document.addEventListener('securitypolicyviolation', (event) => {
    window.complain(`${event.violatedDirective} refused ${event.blockedURI}`)
  })
}

/** Files as in a drop event. */
export function transferOf(files) {
  const transfer = new DataTransfer()
  for (const { name, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], name))
  }
  return transfer
}

/** By how many pixels the page is wider than its window. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/** The number of entries that the page stored in the browser: session storage, local storage, cookies. */
export const keptEntries = () => [sessionStorage.length, localStorage.length, document.cookie.length]

/** The focused element. */
export function focused() {
  const element = document.activeElement
  return {
    id: element.id,
    text: element.textContent,
    pointer: element.closest('[data-pointer]')?.dataset.pointer ?? '',
    outline: getComputedStyle(element).outlineStyle,
  }
}

/** The opaque colours that are painted on a canvas, as `r,g,b`. */
export function paintedColours(selector) {
  const canvas = document.querySelector(selector)
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const colours = new Set()
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`)
  return [...colours]
}

/**
 * Begins a walk with the Tab key from the start of the page. Returns the number of elements that it should reach: of a group of radio
 * buttons, the one that takes the focus.
 */
export function startWalk() {
  document.activeElement?.blur()
  const reachable = () =>
    [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.matches(':disabled, [tabindex="-1"], input[type="radio"]:not(:checked)') &&
        one.getClientRects().length > 0,
    )
  window.walk = { seen: new Set(), faults: [], reachable }
  return reachable().length
}

/** Looks at the element that has the focus. */
export function stepOfWalk() {
  const { seen, faults } = window.walk
  const one = document.activeElement
  if (!one || one === document.body || seen.has(one)) return
  seen.add(one)
  // A file chooser is hidden; its label shows the focus.
  const shown = one.matches('input[type="file"]') ? (one.labels?.[0] ?? one) : one
  const { outlineStyle, outlineWidth } = getComputedStyle(shown)
  const { top, bottom, left, right } = shown.getBoundingClientRect()
  const isInView = bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) === 0)
    faults.push(`no ring: ${one.outerHTML.slice(0, 160)}`)
  if (!isInView) faults.push(`out of view: ${one.outerHTML.slice(0, 160)}`)
}

/** What was wrong on the walk: elements that showed no focus, were out of view, or were not reached. */
export function endWalk() {
  const { seen, faults, reachable } = window.walk
  const missed = reachable().filter((one) => !seen.has(one))
  return [...faults, ...missed.map((one) => `not reached: ${one.outerHTML.slice(0, 160)}`)]
}

/** Removes all elements of a kind but every tenth; returns how many are left. */
export function keepEveryTenth(selector) {
  for (const [at, one] of [...document.querySelectorAll(selector)].entries()) if (at % 10 > 0) one.remove()
  return document.querySelectorAll(selector).length
}

/** Doubles the text size, like a user with low vision. */
export const doubleTexts = () => document.documentElement.style.setProperty('font-size', '200%')

/**
 * Texts of the page with a contrast ratio below `least` to 1, each with its ratio (WCAG 2.2, success criterion 1.4.3).
 * Disabled controls and hidden texts are exempt, as in the criterion.
 */
export function findFaintTexts(least) {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (colour) => {
    if (!canvas) return [0, 0, 0, 0]
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r = 0, g = 0, b = 0, a = 0], under) => [
    ...[r, g, b].map((part, index) => part * a + (under[index] ?? 0) * (1 - a)),
    1,
  ]
  const behind = (element) =>
    element === null
      ? [255, 255, 255, 1]
      : over(rgba(getComputedStyle(element).backgroundColor), behind(element.parentElement))
  // Relative luminance, WCAG 2.2.
  const luminance = (colour) => {
    const [r = 0, g = 0, b = 0] = colour.map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const faint = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || !node.textContent?.trim() || !element.checkVisibility()) continue
    if (element.closest(':disabled, [aria-hidden="true"], title')) continue
    const ground = behind(element)
    const [a, b] = [luminance(over(rgba(getComputedStyle(element).color), ground)), luminance(ground)].toSorted(
      (x, y) => y - x,
    )
    const ratio = ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05)
    if (ratio < least) faint.push(`${node.textContent.trim().slice(0, 40)} ${ratio.toFixed(2)}`)
  }
  return faint
}

/** Scrolls to the end of a growing list of 10,000 rows as fast as frames allow; `most`: rows that were rendered at once. */
export async function scrollToEnd(selector) {
  const list = document.querySelector(selector)
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  let most = 0
  const position = () => Number(list.lastElementChild?.getAttribute('aria-posinset') ?? 0)
  for (let still = 0; still < 600 && position() < 10_000; still++) {
    const before = position()
    window.scrollBy(0, 4000)
    await frame()
    most = Math.max(most, list.children.length)
    if (position() > before) still = 0
  }
  window.scrollTo(0, document.documentElement.scrollHeight)
  await frame()
  await frame()
  return { most, size: Number(list.lastElementChild.getAttribute('aria-setsize')), position: position() }
}

/** Records the layout shifts of the page (Layout Instability API). */
export function watchShifts() {
  window.shifts = []
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({
    type: 'layout-shift',
    buffered: true,
  })
}

/** The sum of the layout shifts so far, and what moved. */
export function layoutShift() {
  const shifts = window.shifts.filter((one) => !one.hadRecentInput)
  return {
    sum: shifts.reduce((sum, one) => sum + one.value, 0),
    sources: shifts.flatMap((one) =>
      one.sources.map(({ node, previousRect, currentRect }) => {
        const of = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
        return `${one.value.toFixed(3)} ${node?.nodeName ?? ''}.${node?.className ?? ''}: ${of(previousRect)} to ${of(currentRect)}`
      }),
    ),
  }
}

/** Types into the editor of a value in the moment that a button opens it, and returns what is in it once the page is at rest. */
export async function typedAtOnce({ button, text }) {
  const { promise, resolve } = Promise.withResolvers()
  new MutationObserver((_, observer) => {
    const field = document.querySelector('form.editor textarea')
    if (!field) return
    observer.disconnect()
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
    // What a page puts off until after a frame has run by then.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(field.value), 200)))
  }).observe(document.body, { subtree: true, childList: true })
  document.querySelector(button)?.click()
  return await promise
}

/** Types a text into a field at the moment when it is drawn. */
export function typeWhenDrawn({ placeholder, text }) {
  const observer = new MutationObserver(() => {
    const field = document.querySelector(`input[placeholder="${placeholder}"]`)
    if (!field) return
    observer.disconnect()
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** The left edges of the first of each of these characters in the text that an element begins with. */
export function lefts({ selector, characters }) {
  const text = document.querySelector(selector).firstChild
  return [...characters].map((one) => {
    const range = document.createRange()
    range.setStart(text, text.data.indexOf(one))
    range.setEnd(text, text.data.indexOf(one) + 1)
    return range.getBoundingClientRect().left
  })
}

/** Fills the storage of the session. */
export function fillSession() {
  for (let size = 2 ** 23; size >= 1; size /= 2) {
    try {
      sessionStorage.setItem('filling', (sessionStorage.getItem('filling') ?? '') + 'x'.repeat(size))
    } catch {
      // No room for as many.
    }
  }
}
