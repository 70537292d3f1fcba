/** Saves a text as a file, like a download. */
export const save = (name: string, type: string, text: string): void => saveBlob(name, new Blob([text], { type }))

/** Saves bytes as a file, like a download. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
