import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { evaluate } from './evaluate.ts'
import { decimalOf } from './fraction.ts'

/** Places of an answer that has no end. */
const places = 12

/** Exact arithmetic. */
export const coreCalculate = tool({
  name: 'core.calculate',
  toolset: 'core',
  description:
    'Calculates formulas exactly, without rounding on the way: + - * / ^ and %, brackets, sum(a, b, …), min, max, abs, round(value, places). Numbers have a point and no thousands separators. Use it for every sum, tax or difference. Example: sum(12.50, 3*4.99) * 20%.',
  answers: '{ values: string[] }',
  input: z.object({ formulas: z.array(z.string().min(1).max(5_000)).min(1).max(50) }),
  async run({ formulas }) {
    return { values: formulas.map((formula) => decimalOf(evaluate(formula), places)) }
  },
})
