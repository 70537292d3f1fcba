/** Something that a caller should know about an answer that is given all the same. */
export interface Warning {
  /** A stable word for programs: `row_does_not_add_up`, `sums_do_not_add_up`, `list_incomplete`, `ignored_field`, `not_found`, … */
  readonly code: string
  /** JSON Pointer of the place in the response; for `ignored_field`, in the request. Empty: the whole. */
  readonly path: string
  /** One sentence for people. */
  readonly message: string
}
