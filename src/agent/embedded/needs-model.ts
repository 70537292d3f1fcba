import { Fault } from '../../kit/fault.ts'

const reasoningPattern =
  /\b(?:summari[sz]e|summary|translate|translation|describe|description of (?:the|this) (?:image|photo|picture|video)|explain|write|draft|compose|rewrite|paraphrase|caption|brainstorm|argue|sentiment|critique|review|recommend|suggest|generate|imagine|zusammenfass\w*|übersetz\w*|beschreib\w*|erklär\w*|résum\w*|tradui\w*|décri\w*|expliqu\w*|resum\w*|traduc\w*|describ\w*|explic\w*)\b/iu
const questionPattern =
  /^\s*(?:what|why|how|who|whom|whose|when|where|which|is|are|does|do|did|can|could|should|would|was|were|has|have)\b.{3,}\?\s*$/isu

/** True when a prompt asks for what rules cannot do. */
export const asksForReasoning = (prompt: string): boolean =>
  reasoningPattern.test(prompt) || questionPattern.test(prompt)

const advice = 'Set the key or address of a model provider, for example OPENAI_API_KEY or a local Ollama, to answer it.'

/** The failure of an instruction that rules cannot follow. */
export const needsModel = (why: string): Fault => new Fault('invalid', 'needs_model', `${why} ${advice}`)
