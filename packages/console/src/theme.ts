import { signal } from './state.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'skillrun-theme'

/** The theme of this browser; `system` follows the operating system. */
export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(place)) ?? 'system')

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(place)
  else localStorage.setItem(place, chosen)
  theme.set(chosen)
  applyTheme()
}

export function applyTheme(): void {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
