import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type ModelQuestion, tool } from '../../agent/tool.ts'

const questionCharactersMax = 4_000
const aboutCharactersMax = 40_000
const choicesMax = 100

/** One small question to a language model, for programs: bounded, priced, and recorded before its answer is used. */
export const modelAsk = tool({
  name: 'model.ask',
  toolset: 'model',
  description:
    'Asks a language model one small question, about a piece of text where one is given, and gives its answer in the form that is asked for; null where the text does not say. Each call costs money and takes a second or so: read with the other tools and compute what can be computed, and ask only for what needs judgement, such as the kind of a complaint. Questions that do not depend on each other are asked together with Promise.all.',
  answers: '{ answer: string | number | boolean | null }',
  input: z.object({
    question: z.string().min(1).max(questionCharactersMax),
    about: z
      .string()
      .max(aboutCharactersMax)
      .optional()
      .describe('The text that the question is about, no longer than needed'),
    type: z.enum(['text', 'number', 'boolean']).default('text').describe('What kind of value the answer is'),
    choices: z
      .array(z.string().min(1).max(200))
      .min(2)
      .max(choicesMax)
      .optional()
      .describe('The answer is one of these; then type plays no part'),
  }),
  async run(input, context, signal) {
    if (!context.ask) throw nobodyToAsk()
    return context.ask(input satisfies ModelQuestion, signal)
  },
})

/** The Fault of a question that nobody can answer. */
export const nobodyToAsk = (): Fault =>
  new Fault(
    'invalid',
    'needs_model',
    'model.ask: no language model is configured; set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or run Ollama',
  )
