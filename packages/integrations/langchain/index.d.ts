import type { DynamicStructuredTool } from '@langchain/core/tools'
import type { DocumentToolOptions } from '@skillrun/client'

export function skillrunTool(
  options: { readonly url: string; readonly key: string } & DocumentToolOptions,
): DynamicStructuredTool
