/**
 * @param {...string} operation
 * @returns {import('n8n-workflow').IDisplayOptions}
 */
const shownFor = (...operation) => ({ show: { operation } })
/**
 * @param {string[]} documentFrom
 * @returns {import('n8n-workflow').IDisplayOptions}
 */
const documentOf = (documentFrom) => ({ show: { operation: ['execute'], documentFrom } })

/** @type {import('n8n-workflow').INodeProperties[]} */
const properties = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'execute',
    options: [
      {
        name: 'Read Document',
        value: 'execute',
        action: 'Read a document',
        description: 'Read a document by a schema, skill or prompt',
      },
      {
        name: 'Get Execution',
        value: 'get',
        action: 'Get an execution',
        description: 'Get the record of an execution',
      },
      { name: 'Upload File', value: 'upload', action: 'Upload a file', description: 'Upload a file and get its ID' },
    ],
  },
  {
    displayName: 'Document From',
    name: 'documentFrom',
    type: 'options',
    default: 'binary',
    displayOptions: shownFor('execute'),
    options: [
      { name: 'Binary Property', value: 'binary' },
      { name: 'File ID', value: 'file' },
      { name: 'Text', value: 'text' },
      { name: 'URL', value: 'url' },
    ],
  },
  {
    displayName: 'Text',
    name: 'text',
    type: 'string',
    default: '',
    required: true,
    displayOptions: documentOf(['text']),
  },
  {
    displayName: 'URL',
    name: 'documentUrl',
    type: 'string',
    default: '',
    required: true,
    displayOptions: documentOf(['url']),
  },
  {
    displayName: 'File ID',
    name: 'fileId',
    type: 'string',
    default: '',
    required: true,
    displayOptions: documentOf(['file']),
  },
  {
    displayName: 'Binary Property',
    name: 'binaryProperty',
    type: 'string',
    default: 'data',
    required: true,
    displayOptions: { show: { operation: ['execute', 'upload'] }, hide: { documentFrom: ['file', 'text', 'url'] } },
  },
  {
    displayName: 'JSON Schema',
    name: 'schema',
    type: 'json',
    default: '',
    description: 'Of the response, with a description for each field',
    displayOptions: shownFor('execute'),
  },
  {
    displayName: 'Skill',
    name: 'skill',
    type: 'string',
    default: '',
    description: 'Name or ID of a skill',
    displayOptions: shownFor('execute'),
  },
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'string',
    default: '',
    description: 'What to do, in words',
    displayOptions: shownFor('execute'),
  },
  {
    displayName: 'Wait for the End',
    name: 'wait',
    type: 'boolean',
    default: true,
    description:
      'Whether to wait for the response. Otherwise the execution is returned at once, and Callback URL gets its end.',
    displayOptions: shownFor('execute'),
  },
  {
    displayName: 'Callback URL',
    name: 'callbackUrl',
    type: 'string',
    default: '',
    description: 'Such as the URL of a Webhook node',
    displayOptions: { show: { operation: ['execute'], wait: [false] } },
  },
  {
    displayName: 'Execution ID',
    name: 'executionId',
    type: 'string',
    default: '',
    required: true,
    displayOptions: shownFor('get'),
  },
]

/** Reads documents with a Skillrun server. Each item gives one item. */
class Skillrun {
  /** @type {import('n8n-workflow').INodeTypeDescription} */
  description = {
    displayName: 'Skillrun',
    name: 'skillrun',
    icon: 'fa:file-alt',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Read documents by a schema, skill or prompt, with evidence',
    defaults: { name: 'Skillrun' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'skillrunApi', required: true }],
    properties,
  }

  /**
   * @this {import('n8n-workflow').IExecuteFunctions}
   * @returns {Promise<import('n8n-workflow').INodeExecutionData[][]>}
   */
  async execute() {
    const results = []
    for (const [index] of this.getInputData().entries()) {
      try {
        results.push({ json: await operate(this, index), pairedItem: { item: index } })
      } catch (error) {
        if (!this.continueOnFail()) throw error
        results.push({
          json: { error: error instanceof Error ? error.message : String(error) },
          pairedItem: { item: index },
        })
      }
    }
    return [results]
  }
}

/** Between two looks at an execution that is not over. */
const pollMs = 2_000

async function operate(context, index) {
  switch (context.getNodeParameter('operation', index)) {
    case 'get': {
      const id = given(context, index, 'executionId')
      return ask(context, { method: 'GET', path: `/v1/agent/executions/${encodeURIComponent(id)}` })
    }
    case 'upload':
      return upload(context, index)
    default:
      return read(context, index)
  }
}

/** The text of a required parameter: an expression may give none where the editor demands one. */
function given(context, index, name) {
  const text = String(context.getNodeParameter(name, index) ?? '').trim()
  if (text !== '') return text
  throw new Error(
    `${properties.find((one) => one.name === name).displayName} is empty: give one, or correct its expression`,
  )
}

function schemaOf(text) {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`JSON Schema is not valid JSON: ${error.message}`)
  }
}

async function read(context, index) {
  const parameter = (name, otherwise) => context.getNodeParameter(name, index, otherwise)
  const schema = parameter('schema', '')
  const skill = parameter('skill', '')
  const prompt = parameter('prompt', '')
  const wait = parameter('wait', true)
  const callbackUrl = wait ? '' : parameter('callbackUrl', '')
  // Of our own, so that an execution can be cancelled before its record has come.
  const id = crypto.randomUUID()
  const request = {
    method: 'POST',
    path: '/v1/agent/execute',
    body: {
      id,
      batch: !wait,
      inputs: { document: await itemOf(context, index) },
      config: {
        ...(schema ? { json_schema: schemaOf(schema) } : {}),
        ...(skill ? { skills: [{ skill_id: skill }] } : {}),
        ...(prompt ? { prompt } : {}),
      },
      ...(callbackUrl ? { callback_url: callbackUrl } : {}),
    },
  }
  try {
    const record = await ask(context, request)
    return wait ? await ended(context, record) : record
  } catch (error) {
    // Nobody reads the answer when the workflow was stopped. Its signal would end this request as well.
    if (stopped(context)?.aborted) {
      const unstopped = Object.create(context, { getExecutionCancelSignal: { value: () => undefined } })
      await ask(unstopped, { method: 'POST', path: `/v1/agent/executions/${id}/cancel` }).catch(() => undefined)
    }
    throw error
  }
}

/** Aborts when somebody stops the workflow; n8n ends requests by it. */
const stopped = (context) => context.getExecutionCancelSignal?.()

const pause = (signal) =>
  new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal?.aborted) return end()
    signal?.addEventListener('abort', end, { once: true })
    setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, pollMs)
  })

/** The record at its end: the server answers before it when the execution takes longer than it waits. */
async function ended(context, begun) {
  let record = begun
  while (['pending', 'enqueued', 'running'].includes(record.status)) {
    await pause(stopped(context))
    record = await ask(context, { method: 'GET', path: `/v1/agent/executions/${record.id}` })
  }
  if (record.status === 'completed') return record
  // A record without a response is nothing to go on with.
  const why = record.error?.message ?? record.usage?.message ?? 'it needs a decision'
  throw new Error(`Skillrun execution ${record.id} ${record.status === 'failed' ? 'failed' : 'is paused'}: ${why}`)
}

async function itemOf(context, index) {
  switch (context.getNodeParameter('documentFrom', index)) {
    case 'text':
      return { type: 'text', text: given(context, index, 'text') }
    case 'url':
      return { type: 'file_url', file_url: { url: given(context, index, 'documentUrl') } }
    case 'file':
      return { type: 'input_file', file_id: given(context, index, 'fileId') }
    default:
      return { type: 'input_file', file_id: (await upload(context, index)).id }
  }
}

async function upload(context, index) {
  const property = context.getNodeParameter('binaryProperty', index)
  const { fileName = 'file', mimeType } = context.helpers.assertBinaryData(index, property)
  const body = new FormData()
  const bytes = await context.helpers.getBinaryDataBuffer(index, property)
  body.append('file', new Blob([bytes], mimeType ? { type: mimeType } : {}), fileName)
  return ask(context, { method: 'POST', path: '/v1/files', body })
}

/** The JSON of a reply. n8n's own errors have the status of a refusal, but not the server's sentence about it. */
async function ask(context, { path, ...request }) {
  const { url } = await context.getCredentials('skillrunApi')
  const options = {
    ...request,
    url: url.replace(/\/+$/, '').replace(/\/v1$/, '') + path,
    json: true,
    ignoreHttpStatusErrors: true,
    returnFullResponse: true,
  }
  const { statusCode, body } = await context.helpers.httpRequestWithAuthentication.call(context, 'skillrunApi', options)
  if (statusCode < 400) return body
  const { detail } = body ?? {}
  const sentences = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
    : [detail ?? 'the address is not that of a Skillrun server, or a proxy refused']
  throw new Error(`Skillrun answered ${statusCode}: ${sentences.join('; ')}`)
}

module.exports = { Skillrun }
