/** The logo: lines of a page, one of them found. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <title>Skillrun</title>
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <rect class="mark-found" x="7" y="7" width="18" height="5" rx="1.5" />
      <rect class="mark-line" x="7" y="15" width="12" height="3" rx="1.5" />
      <rect class="mark-line" x="7" y="21" width="15" height="3" rx="1.5" />
    </svg>
  )
}
