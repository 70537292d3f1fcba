import { madeSheets } from './sheets.ts'
const n: any = {}
let shown = 0
for await (const s of madeSheets(process.argv[2] as 'training')) {
  const k = `${s.form} ${s.fileName.split('.').at(-1)}`
  n[k] = (n[k] ?? 0) + 1
  if (s.fileName.endsWith('csv') && shown++ % 23 === 0) console.log(s.fileName, '\n', s.bytes.toString().slice(0, 900))
}
console.table(n)
