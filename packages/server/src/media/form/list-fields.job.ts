import type { FormField } from './form.ts'
import { openForm } from './open-form.ts'

export default async function listFields({ path }: { readonly path: string }): Promise<readonly FormField[]> {
  return (await openForm(path)).fields.map(({ info }) => info)
}
