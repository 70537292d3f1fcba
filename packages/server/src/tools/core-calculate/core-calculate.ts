import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { evaluate } from './evaluate.ts'
import { decimalOf } from './fraction.ts'

/** Decimal places of a result whose decimal expansion does not end. */
const places = 12

/** Exact arithmetic. */
export const coreCalculate = tool({
  name: 'core.calculate',
  toolset: 'core',
  description:
    'Evaluate arithmetic formulas exactly, without intermediate rounding. Supports + - * / ^ and % (20% is 0.2), parentheses, sum(a, b, …), min(…), max(…), abs(x) and round(value, places). Write numbers with a decimal point and without thousands separators. Returns one decimal string per formula, in order. Use it for every sum, tax or difference instead of calculating yourself. Example: {"formulas": ["sum(12.50, 3*4.99) * 20%"]} returns {"values": ["5.494"]}.',
  answers: '{ values: string[] }',
  isQuick: true,
  input: z.object({ formulas: z.array(z.string().min(1).max(5_000)).min(1).max(50) }),
  async run({ formulas }) {
    return { values: formulas.map((formula) => decimalOf(evaluate(formula), places)) }
  },
})
