// Writes docs/TOOLS.md from the tools themselves; a test compares the two.
import { writeFile } from 'node:fs/promises'
import { toolReference } from '../packages/server/src/tools/reference.ts'
import { programTools, skillTools, tools } from '../packages/server/src/tools/tools.ts'

await writeFile(new URL('../docs/TOOLS.md', import.meta.url), toolReference([...tools, ...programTools, ...skillTools]))
