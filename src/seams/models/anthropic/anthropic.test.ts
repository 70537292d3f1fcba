import { keepsTheModelsPromises, trialKey } from '../trials/conformance.ts'
import { messagesWire } from '../trials/wires.ts'
import { openAnthropic } from './anthropic.ts'

keepsTheModelsPromises({
  wire: messagesWire,
  open: (url) => openAnthropic({ name: 'anthropic', model: 'claude-opus-5', apiKey: trialKey, baseUrl: `${url}/v1` }),
})
