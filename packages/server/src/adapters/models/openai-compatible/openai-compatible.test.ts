import { keepsTheModelsPromises } from '../trials/conformance.ts'
import { trialKey } from '../trials/stage.ts'
import { chatWire } from '../trials/wires.ts'
import { openOpenAiCompatible } from './openai-compatible.ts'

keepsTheModelsPromises({
  wire: chatWire,
  open: (url) => openOpenAiCompatible({ name: 'mine', model: 'mock-1', apiKey: trialKey, baseUrl: `${url}/v1` }),
})
