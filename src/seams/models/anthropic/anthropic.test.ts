import { keepsTheModelsPromises, trialKey } from '../trials/conformance.ts'
import { messagesWire } from '../trials/wires.ts'
import { openAnthropic } from './anthropic.ts'

keepsTheModelsPromises({
  wire: messagesWire,
  thought: {
    kept: 'c2lnbmVkLXRob3VnaHQ',
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [
        { type: 'thinking', thinking: 'The page must be read.', signature: 'c2lnbmVkLXRob3VnaHQ' },
        { type: 'tool_use', id: 'toolu_1', name: 'document_read', input: { page: 0 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 20 },
    },
  },
  open: (url) => openAnthropic({ name: 'anthropic', model: 'claude-opus-5', apiKey: trialKey, baseUrl: url }),
})
