/** A remark on an answer that is given nevertheless. */
export interface Warning {
  /** A stable code for programs: `row_does_not_add_up`, `sums_do_not_add_up`, `list_incomplete`, `ignored_field`, `not_found`, … */
  readonly code: string
  /** JSON Pointer into the response, or for `ignored_field` into the request. Empty: the whole. */
  readonly path: string
  /** One sentence for people. */
  readonly message: string
}
