/** The pages of the documentation site, in the order of its menu. */
export declare const contents: readonly {
  readonly title: string
  readonly pages: readonly {
    readonly page: string
    readonly title: string
    readonly from?: string
    readonly section?: string
    readonly made?: string
  }[]
}[]
