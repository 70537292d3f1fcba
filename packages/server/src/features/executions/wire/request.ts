import { wrongRates } from '@skillrun/reader/score/risk.ts'
import { z } from 'zod'
import { roles } from '../../../adapters/http/route.ts'
import { arrayOf, recordOf, shownAs } from '../../../adapters/http/schemas.ts'
import { callbackUrl } from '../../../adapters/http/url-schemas.ts'
import { limits } from '../../../core/limits.ts'
import { inputItem } from '../../inputs/inputs.ts'
import { skillEntry } from '../../skills/skills.ts'

/** Only counted and described here: `readSlots` tells items from plain JSON, which may be large, and validates the items. */
const slots = recordOf(
  shownAs(z.unknown(), z.union([inputItem, z.array(inputItem), z.unknown()])),
  limits.inputSlotsMax,
)

const jsonSchema = z.looseObject({}).describe('A JSON Schema, 2020-12 or draft-07')
export const toolset = z
  .string()
  .max(100)
  .describe('core, image, image-gen, viz, document, video, audio, web, world-gen, or the name of a tool server')

const config = z
  .object({
    prompt: z.string().max(limits.promptCharactersMax).nullish(),
    json_schema: jsonSchema.nullish(),
    response_model: jsonSchema.nullish().meta({ deprecated: true, description: 'Alias of json_schema' }),
    tools_type: z.enum(['document', 'image', 'video', 'multimodal']).nullish(),
    tool_names: arrayOf(z.string(), limits.listItemsMax).nullish(),
    skills: arrayOf(skillEntry, limits.listItemsMax).nullish(),
    allow_public_scripts: z
      .boolean()
      .nullish()
      .describe('Allow scripts of public skills of other workspaces to run in the sandbox'),
    caching: z.boolean().nullish(),
    service_tier: z.enum(['auto', 'default', 'standard', 'flex', 'priority']).nullish(),
    execution_mode: z.enum(['agent', 'program']).nullish(),
    mode: z.enum(['agent', 'program']).nullish().meta({ deprecated: true, description: 'Alias of execution_mode' }),
    path: z
      .enum(['cheapest'])
      .nullish()
      .describe(
        'cheapest: each field of the schema is answered by the first of program, rules, the small and the large model of the route whose wrong answers to it are proven to be at most `max_wrong_rate`; the large model judges the others. Without it, one engine answers all fields',
      ),
    max_cost_dollars: z
      .number()
      .nonnegative()
      .max(1_000_000)
      .nullish()
      .describe(
        'Maximum total cost of the execution in dollars. Model replies are capped to it; when not even a short reply fits, the run pauses',
      ),
    max_steps: z.int().min(1).max(10_000).nullish(),
    max_wrong_rate: z
      .number()
      .min(wrongRates.min)
      .max(wrongRates.max)
      .nullish()
      .describe(
        `Maximum share of wrong values among those that the embedded engine reads into single fields. With a number, a field whose likeliest value is not sure enough is null, with candidates in \`evidence\`, or given with the warning \`value_unsure\` where the schema requires a value. Default ${wrongRates.default}: such values are given if they are likely, with a note, and \`completeness.low_confidence\` counts them. null: no score, values as the rules find them. \`completeness\` says whether the answer was held to the share`,
      ),
    timeout_seconds: z.number().positive().max(86_400).nullish(),
    require_approval: z
      .union([
        z.literal('completion'),
        z
          .object({
            completion: z.boolean().nullish(),
            tools: arrayOf(z.string().max(200), limits.listItemsMax)
              .nullish()
              .describe('Dotted names of tools, as in steps'),
            timeout_seconds: z.number().min(1).max(604_800).nullish().describe('Default: 72 hours'),
            on_timeout: z.enum(['approve', 'reject']).nullish().describe('Default: reject'),
            approvers: z
              .array(z.enum(roles))
              .min(1)
              .max(roles.length)
              .nullish()
              .describe(
                'Roles of the users who may decide; default: admin, who always may. Keys need the scope approve. Other users than admins cannot decide on what they started',
              ),
          })
          .meta({ id: 'RequireApproval' }),
      ])
      .nullish()
      .describe('What a person must approve: the completion, or calls of tools. The execution is paused until then'),
    review: z
      .object({
        below: z
          .number()
          .min(0)
          .max(1)
          .describe(
            'The answer enters the review queue when one of its values is less sure than this. A required value that was not found, a value that a warning names, and an answer without evidence have confidence 0',
          ),
        add_cases: z.boolean().nullish().describe('true: the reviewed answer becomes a case of the first skill'),
      })
      .meta({ id: 'RequireReview' })
      .nullish()
      .describe('When a person should review the answer; default: the settings of the skill and of the workspace'),
    base_execution: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .describe(
        'Id of an earlier, completed execution of the same task: pages that did not change are not read by OCR again, and a model is asked only for fields that may have changed, or are new in the schema',
      ),
    page_indices: arrayOf(z.int().nonnegative(), 10_000)
      .nullish()
      .describe('0-based indices of the pages to read of each document'),
    video_segment_duration: z
      .number()
      .min(0.1)
      .max(86_400)
      .nullish()
      .describe('Length in seconds of the segments that frames of a video are taken from; default: its scenes'),
    video_frames_per_segment: z.int().min(1).max(100).nullish().describe('Frames per segment'),
    grounding: z.boolean().nullish(),
    confidence: z.boolean().nullish(),
    orchestration_mode: z.unknown().optional().describe('Accepted for compatibility, without effect'),
    detail: z
      .unknown()
      .optional()
      .describe('Accepted for compatibility, without effect; `image_url.detail` of an input has an effect'),
  })
  .meta({ id: 'AgentExecutionConfig' })

const metadata = z
  .looseObject({
    environment: z.enum(['dev', 'staging', 'prod']).nullish(),
    session_id: z.string().min(1).max(255).nullish(),
    sessionId: z.string().min(1).max(255).nullish(),
    allow_logging: z.boolean().nullish().describe('Accepted for compatibility; content is never logged'),
    allow_training: z
      .boolean()
      .nullish()
      .describe('false: the server learns nothing from this execution for later ones'),
    allow_retention: z
      .boolean()
      .nullish()
      .describe(
        'false: inputs, their files and all steps are deleted when the execution ends, the response after it was first read or after an hour; hashes, usage and price are retained',
      ),
    allowLogging: z.boolean().nullish(),
    allowTraining: z.boolean().nullish(),
    allowRetention: z.boolean().nullish(),
  })
  .meta({ id: 'RequestMetadata' })

/** Body of POST /v1/agent/execute. */
export const executeRequest = z
  .object({
    id: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe(
        'Idempotency id: repeating the same id and body returns the first execution. A UUID becomes the id of the execution; any other text becomes its `client_id`',
      ),
    name: z
      .string()
      .min(1)
      .max(400)
      .nullish()
      .describe('`<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version'),
    inputs: slots
      .nullish()
      .describe(
        'Inputs by slot name: an input item, an array of input items, an http, https or data URL, or any JSON value. The request also needs a prompt, a schema, a skill or the `name` of an agent',
      ),
    batch: z.boolean().nullish().describe('false: the reply waits for the end of the execution. Default: true'),
    config: config.nullish(),
    model: z.string().min(1).max(255).nullish(),
    callback_url: callbackUrl
      .nullish()
      .describe('URL that receives a POST with the execution as JSON when it ends or pauses'),
    created_at: z.iso.datetime({ offset: true, local: true }).meta({ format: 'date-time' }).nullish(),
    metadata: metadata.nullish(),
    toolsets: arrayOf(toolset, limits.listItemsMax).nullish(),
  })
  .meta({ id: 'AgentExecuteRequest' })
export type ExecuteRequest = z.infer<typeof executeRequest>
