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
  /** What the caller said it is. */
  readonly modality: 'text' | 'image' | 'video' | 'audio' | 'file'
  /** How closely a picture is to be looked at; absent: as usual. */
  readonly detail?: 'low' | 'high'
  readonly source: InputSource
}
