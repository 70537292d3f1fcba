import type { StatementFacts } from '../statement-facts.ts'
import type { Layout } from './layout.ts'
import { wideStatements as one } from './statements-wide-1.ts'
import { wideStatementsTwo as two } from './statements-wide-2.ts'
import { wideStatementsThree as three } from './statements-wide-3.ts'

/** Layouts of the train part only. */
export const wideStatements: readonly Layout<StatementFacts>[] = [...one, ...two, ...three]
