/** Tells `window.complain` of everything that the page's content security policy refuses. */
export function watchViolations(): void
/** Files as a drop event carries them. */
export function transferOf(files: readonly { name: string; base64: string }[]): unknown
/** Pixels by which the page is wider than its window. */
export function overflow(): number
/** How much the page has kept in the browser: entries of the tab's and of the browser's storage, cookies. */
export function keptEntries(): number[]
/** What has the focus. */
export function focused(): { id: string; text: string; pointer: string; outline: string }
/** Doubles the size of texts, as a reader does who needs it. */
export function doubleTexts(): void
/** Texts of the page that stand out by less than `least` to 1 from what is behind them, each with its ratio. */
export function findFaintTexts(least: number): string[]
