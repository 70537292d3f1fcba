/** An 8-bit greyscale image, row by row from the top. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}
