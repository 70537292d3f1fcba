import type { Tool } from '../agent/tool.ts'
import { coreCalculate } from './core-calculate/core-calculate.ts'
import { coreDate } from './core-date/core-date.ts'
import { coreRecall } from './core-recall/core-recall.ts'
import { documentExtract } from './document-extract/document-extract.ts'
import { documentRead } from './document-read/document-read.ts'
import { documentSearch } from './document-search/document-search.ts'
import { documentTables } from './document-tables/document-tables.ts'
import { skillsRead } from './skills-read/skills-read.ts'
import { skillsRunScript } from './skills-run-script/skills-run-script.ts'

/** Every tool of this server, by toolset and name. */
export const tools: readonly Tool[] = [
  coreCalculate,
  coreDate,
  coreRecall,
  documentExtract,
  documentRead,
  documentSearch,
  documentTables,
]

/** Tools that come with skills: there in every run that has some, and in no other. */
export const skillTools: readonly Tool[] = [skillsRead, skillsRunScript]
