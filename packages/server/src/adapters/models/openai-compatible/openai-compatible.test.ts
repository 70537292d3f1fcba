import { keepsTheModelsPromises } from '../testing/conformance.ts'
import { trialKey } from '../testing/stage.ts'
import { chatWire } from '../testing/wires.ts'
import { openOpenAiCompatible } from './openai-compatible.ts'

keepsTheModelsPromises({
  wire: chatWire,
  open: (url) => openOpenAiCompatible({ name: 'mine', model: 'mock-1', apiKey: trialKey, baseUrl: `${url}/v1` }),
})
