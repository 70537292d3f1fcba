import type { Page, Word } from '../document.ts'
import { type PackedDocument, packDocument, unpackDocument } from '../packed-document.ts'
import { gridPage } from '../text/grid.ts'
import { wordsOfText } from '../text/plain.ts'
import type { SpokenPart, TimedParts } from './assemble.ts'
import { clockTime } from './clock-time.ts'
import type { MediaFacts } from './media-facts.ts'

export default function assembleTimed({ facts, frames, sceneCount, spoken, notes }: TimedParts): PackedDocument {
  const pictures = frames.flatMap(({ atSeconds, packed }) =>
    unpackDocument(packed).pages.map((page): Page => ({ ...page, atSeconds })),
  )
  const said = spoken && spoken.length > 0 ? [spokenPage(spoken)] : []
  const pages = [textPage([...factLines(facts, sceneCount), ...notes].join('\n')), ...pictures, ...said]
  const reading = packDocument({
    mediaType: facts.video ? 'video' : 'audio',
    pageCount: pages.length,
    pages: pages.map((page, index) => ({ ...page, index })),
  })
  return notes.length === 0 ? reading : { ...reading, notes }
}

/** A page of generated text, whose words have no span. */
function textPage(text: string): Page {
  const page = gridPage(wordsOfText(text))
  return { ...page, words: page.words.map(({ text: word, box, confidence }) => ({ text: word, box, confidence })) }
}

/** The spoken text, one line per part below a heading; each word has its time. */
function spokenPage(spoken: readonly SpokenPart[]): Page {
  const lines = spoken.map(
    ({ fromSeconds, text }) => `[${clockTime(fromSeconds)}] ${text.replaceAll(/\s+/g, ' ').trim()}`,
  )
  const page = textPage(['Transcript:', ...lines].join('\n'))
  const words = page.words.map((word): Word => {
    const part = spoken[Math.round(word.box[1] * page.height) - 1]
    return part ? { ...word, seconds: [part.fromSeconds, part.toSeconds] } : word
  })
  return { ...page, words }
}

/** Tags about how a file was made rather than its content. */
const technicalTags = /^(major_brand|minor_version|compatible_brands|encoder|encoded_by|creation_time|vendor_id)$/

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

/** The facts, one per line, with labels as a schema would name them. */
function factLines(
  { container, durationSeconds, video, audio, subtitleTracks, tags }: MediaFacts,
  sceneCount: number | null,
): string[] {
  const own = Object.entries(tags).filter(([name]) => !technicalTags.test(name))
  return [
    `Media type: ${video ? 'video' : 'audio'}`,
    `Format: ${container}`,
    ...(durationSeconds === null
      ? []
      : [`Duration seconds: ${durationSeconds}`, `Length: ${clockTime(durationSeconds)}`]),
    ...(video ? [`Width: ${video.width}`, `Height: ${video.height}`, `Video codec: ${video.codec}`] : []),
    ...(video?.framesPerSecond ? [`Frames per second: ${video.framesPerSecond}`] : []),
    ...(sceneCount === null ? [] : [`Scene count: ${sceneCount}`]),
    `Has video: ${yesOrNo(video !== null)}`,
    `Has audio: ${yesOrNo(audio !== null)}`,
    `Has subtitles: ${yesOrNo(subtitleTracks > 0)}`,
    ...(audio
      ? [`Audio codec: ${audio.codec}`, `Sample rate: ${audio.sampleRate}`, `Channels: ${audio.channels}`]
      : ['Audio: none']),
    ...own.map(([name, value]) => `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}: ${value}`),
  ]
}
