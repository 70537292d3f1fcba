import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type ModelQuestion, tool } from '../../agent/tool.ts'

const questionCharactersMax = 4_000
const aboutCharactersMax = 40_000
const choicesMax = 100

/** One question of a program to a language model: bounded, priced, and recorded before its answer is used. */
export const modelAsk = tool({
  name: 'model.ask',
  toolset: 'model',
  description:
    'Ask a language model one short question, usually about a piece of text passed in `about`. Returns { answer } in the requested type, or null if the text does not say. Each call costs money and takes about a second: read with the other tools, compute in code, and ask only what needs judgement, such as the category of a complaint. Run independent questions in parallel with Promise.all. Example: await model.ask({ question: "What is the complaint about?", about: text, choices: ["delivery", "quality", "price"] }).',
  answers: '{ answer: string | number | boolean | null }',
  input: z.object({
    question: z.string().min(1).max(questionCharactersMax),
    about: z
      .string()
      .max(aboutCharactersMax)
      .optional()
      .describe('The text that the question is about; pass only the relevant part'),
    type: z.enum(['text', 'number', 'boolean']).default('text').describe('Type of the answer'),
    choices: z
      .array(z.string().min(1).max(200))
      .min(2)
      .max(choicesMax)
      .optional()
      .describe('Allowed answers; if given, type is ignored'),
  }),
  async run(input, context, signal) {
    if (!context.ask) throw noModelToAsk()
    return context.ask(input satisfies ModelQuestion, signal)
  },
})

/** Fault `needs_model`: no language model is configured. */
export const noModelToAsk = (): Fault =>
  new Fault(
    'invalid',
    'needs_model',
    'model.ask: no language model is configured on this server; set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or run Ollama',
  )
