import { getMimeType } from 'hono/utils/mime'
import { oneLine } from '../../text/controls.ts'

/** How the bytes of a file are announced to a browser. */
export interface Announced {
  readonly type: string
  /** A browser saves it instead of showing it. */
  readonly isSaved: boolean
  /** Rights of the file where it is shown. Default: none. */
  readonly policy?: string
}

/** Pictures without a program in them. */
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'ico']

/** Recordings: a page plays them. Opened by themselves they are saved. */
const RECORDINGS: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  ogv: 'video/ogg',
}

/** Types that people write by hand; a browser shows them as text. */
const TEXTS = new Set(
  (
    'txt text md markdown rst adoc org log csv tsv json jsonl ndjson json5 yaml yml toml ini cfg conf properties tex bib ' +
    'diff patch sql graphql proto c h cc cpp cxx hpp cs go java kt kts swift rs py pyi rb php pl lua r jl scala clj ex exs ' +
    'erl hs ml dart zig nim sh bash zsh fish ps1 ts tsx mts cts js jsx mjs cjs css scss less vue svelte tf gradle'
  ).split(' '),
)
const TEXT_NAMES = new Set([
  'readme',
  'license',
  'licence',
  'notice',
  'changelog',
  'makefile',
  'dockerfile',
  'gitignore',
])

const UNKNOWN: Announced = { type: 'application/octet-stream', isSaved: true }

/**
 * The media type of a file, by its name. The list is short on purpose: a file may come from a stranger, and is served by the same host
 * as the API. HTML, XML and scripts are never given as what they are.
 *
 * `destination` is what the browser fetches it for (`Sec-Fetch-Dest`). An SVG is a document that can hold scripts: it is
 * one only inside an `<img>`, where no browser runs them or lets it load anything; opened by itself it is saved.
 * A PDF is saved, too, when it is opened by itself, since the viewers of browsers run in no sandbox; a page that draws
 * it reads its bytes all the same.
 */
export function announceType(path: string, destination: string | undefined): Announced {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  const image = IMAGES.includes(ending) ? getMimeType(name) : undefined
  if (image !== undefined) return { type: image, isSaved: false }
  if (ending === 'svg' && destination === 'image') {
    // Its own style attributes; nothing is loaded by them.
    return { type: 'image/svg+xml', isSaved: false, policy: "style-src 'unsafe-inline'" }
  }
  const recording = Object.hasOwn(RECORDINGS, ending) ? RECORDINGS[ending] : undefined
  if (recording !== undefined) return { type: recording, isSaved: true }
  if (ending === 'pdf') return { type: 'application/pdf', isSaved: true }
  const isText = TEXTS.has(ending) || TEXT_NAMES.has(name.replace(/^\./, ''))
  return isText ? { type: 'text/plain; charset=utf-8', isSaved: false } : UNKNOWN
}

/** `Content-Disposition` for a file: its own name, in which nothing turns the direction of writing or ends the header. */
export function disposition(path: string, isSaved: boolean): string {
  const name = oneLine(path.slice(path.lastIndexOf('/') + 1)).toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isSaved ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${whole}`
}
