/** Reports every content security policy violation of the page to `window.complain`. */
export function watchViolations(): void
/** Files as in a drop event. */
export function transferOf(files: readonly { name: string; base64: string }[]): unknown
/** By how many pixels the page is wider than its window. */
export function overflow(): number
/** The number of entries that the page stored in the browser: session storage, local storage, cookies. */
export function keptEntries(): number[]
/** The focused element. */
export function focused(): { id: string; text: string; pointer: string; outline: string }
/** The opaque colours that are painted on a canvas, as `r,g,b`. */
export function paintedColours(selector: string): string[]
/** Begins a walk with the Tab key. Returns the number of elements that it should reach. */
export function startWalk(): number
/** Looks at the element that has the focus. */
export function stepOfWalk(): void
/** What was wrong on the walk. */
export function endWalk(): string[]
/** Removes all elements of a kind but every tenth; returns how many are left. */
export function keepEveryTenth(selector: string): number
/** Doubles the text size, like a user with low vision. */
export function doubleTexts(): void
/** Texts of the page with a contrast ratio below `least` to 1, each with its ratio. */
export function findFaintTexts(least: number): string[]
/** Scrolls to the end of a growing list of 10,000 rows as fast as frames allow; `most`: rows that were rendered at once. */
export function scrollToEnd(selector: string): Promise<{ most: number; size: number; position: number }>
/** Records the layout shifts of the page. */
export function watchShifts(): void
/** The sum of the layout shifts so far, and what moved. */
export function layoutShift(): { sum: number; sources: string[] }
export function typedAtOnce(of: { button: string; text: string }): Promise<string>
export function fillSession(): void
/** Types a text into a field at the moment when it is drawn. */
export function typeWhenDrawn(of: { placeholder: string; text: string }): void
/** The left edges of the first of each of these characters in the text that an element begins with. */
export function lefts(of: { selector: string; characters: string }): number[]
