import type { Tool } from '../agent/tool.ts'
import { audioProbe } from './audio-probe/audio-probe.ts'
import { audioTranscribe } from './audio-transcribe/audio-transcribe.ts'
import { audioTrim } from './audio-trim/audio-trim.ts'
import { coreCalculate } from './core-calculate/core-calculate.ts'
import { coreDate } from './core-date/core-date.ts'
import { coreQuery } from './core-query/core-query.ts'
import { coreRead } from './core-read/core-read.ts'
import { coreRecall } from './core-recall/core-recall.ts'
import { coreWrite } from './core-write/core-write.ts'
import { documentExtract } from './document-extract/document-extract.ts'
import { documentFields } from './document-fields/document-fields.ts'
import { documentFill } from './document-fill/document-fill.ts'
import { documentLines } from './document-lines/document-lines.ts'
import { documentRead } from './document-read/document-read.ts'
import { documentRedact } from './document-redact/document-redact.ts'
import { documentSearch } from './document-search/document-search.ts'
import { documentSplit } from './document-split/document-split.ts'
import { documentTables } from './document-tables/document-tables.ts'
import { imageAnnotate } from './image-annotate/image-annotate.ts'
import { imageBlur } from './image-blur/image-blur.ts'
import { imageCodes } from './image-codes/image-codes.ts'
import { imageCompare } from './image-compare/image-compare.ts'
import { imageCrop } from './image-crop/image-crop.ts'
import { imageDescribe } from './image-describe/image-describe.ts'
import { imageFaces } from './image-faces/image-faces.ts'
import { imageGenerate } from './image-generate/image-generate.ts'
import { imageObjects } from './image-objects/image-objects.ts'
import { imageResize } from './image-resize/image-resize.ts'
import { imageRotate } from './image-rotate/image-rotate.ts'
import { modelAsk } from './model-ask/model-ask.ts'
import { skillsRead } from './skills-read/skills-read.ts'
import { skillsRunScript } from './skills-run-script/skills-run-script.ts'
import { videoFrames } from './video-frames/video-frames.ts'
import { videoProbe } from './video-probe/video-probe.ts'
import { videoScenes } from './video-scenes/video-scenes.ts'
import { videoTrim } from './video-trim/video-trim.ts'
import { vizChart } from './viz-chart/viz-chart.ts'

/** The tools that runs may be offered. */
export const tools: readonly Tool[] = [
  coreCalculate,
  coreDate,
  coreQuery,
  coreRead,
  coreRecall,
  coreWrite,
  documentExtract,
  documentFields,
  documentFill,
  documentRead,
  documentRedact,
  documentSearch,
  documentSplit,
  documentTables,
  audioProbe,
  audioTranscribe,
  audioTrim,
  imageAnnotate,
  imageBlur,
  imageCodes,
  imageCompare,
  imageCrop,
  imageDescribe,
  imageFaces,
  imageObjects,
  imageResize,
  imageRotate,
  imageGenerate,
  videoFrames,
  videoProbe,
  videoScenes,
  videoTrim,
  vizChart,
]

/** Tools of every run with skills, and of no other. */
export const skillTools: readonly Tool[] = [skillsRead, skillsRunScript]

/** Tools that exist only in programs: a loop has the lines in its prompt, and answers questions itself. */
export const programTools: readonly Tool[] = [documentLines, modelAsk]
