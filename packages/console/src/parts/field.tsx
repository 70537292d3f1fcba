import type { ComponentProps } from 'preact'

type FieldProps = ComponentProps<'input'> & { readonly label: string; readonly onText: (text: string) => void }

/** An input of one line with its label. */
export function Field({ label, onText, ...input }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input {...input} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  )
}
