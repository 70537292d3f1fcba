/** Where the bytes of an input come from. */
export type InputSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly url: string }

/** One thing to read, named by its slot. */
export interface ExecutionInput {
  /** The slot, with `/n` for the n-th item of an array slot. */
  readonly name: string
  /** The type that the caller declared. */
  readonly modality: 'text' | 'image' | 'video' | 'audio' | 'file'
  /** Resolution for a model's look at an image; absent: the default. */
  readonly detail?: 'low' | 'high'
  readonly source: InputSource
}
