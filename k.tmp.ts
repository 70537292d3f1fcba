import { planSchema } from './packages/reader/src/schema/plan.ts'
import { schemaOf, printedPages } from './packages/reader/training/printed/pages.ts'
for (const page of await printedPages()) {
  if (page.set === 'fourth') continue
  const plan: any = planSchema(schemaOf(page as never) as never)
  for (const p of plan.properties ?? []) {
    const v = (page.truth as any)[p.name]
    if (typeof v !== 'string' || !/\d{4}/.test(v) || /^\d{4}-\d\d-\d\d$/.test(v)) continue
    const l = p.plan ?? p.value
    console.log(page.set, page.name, p.name, l?.meaning?.kind, l?.meaning?.concept?.id, JSON.stringify(v))
  }
}
