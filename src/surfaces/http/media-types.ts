import { getMimeType } from 'hono/utils/mime'
import { oneLine } from '../../text/controls.ts'

/** How a browser should treat the bytes of a file. */
export interface ServedType {
  readonly type: string
  /** Whether a browser should save the file instead of showing it. */
  readonly isDownload: boolean
  /** What the content security policy of the shown file permits. Default: nothing. */
  readonly policy?: string
}

/** Pictures that cannot contain scripts. */
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'ico']

/** Recordings that a page plays. Opened directly, they are saved. */
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

/** Endings of files that people write by hand. A browser shows them as text. */
const TEXTS = new Set(
  (
    'txt text md markdown rst adoc org log csv tsv json jsonl ndjson json5 yaml yml toml ini cfg conf properties tex bib ' +
    'diff patch sql graphql proto c h cc cpp cxx hpp cs go java kt kts swift rs py pyi rb php pl lua r jl scala clj ex exs ' +
    'erl hs ml dart zig nim sh bash zsh fish ps1 ts tsx mts cts js jsx mjs cjs css scss less vue svelte tf gradle'
  ).split(' '),
)
const TEXT_NAMES = new Set('readme license licence notice changelog makefile dockerfile gitignore'.split(' '))

const UNKNOWN: ServedType = { type: 'application/octet-stream', isDownload: true }

/**
 * The media type of a file, by its name. Few types are known on purpose: a stranger may have written the file, and it is served
 * by the host of the API. HTML, XML and scripts never get their own type.
 *
 * `destination`: the purpose of the request (`Sec-Fetch-Dest`). An SVG can contain scripts, so it gets its own type only inside
 * an `<img>`, where browsers neither run scripts nor load anything. An SVG that is opened directly is saved. A PDF is
 * saved, too, because the PDF viewers of browsers do not run in the sandbox. A page that draws a PDF can still read its
 * bytes.
 */
export function chooseMediaType(path: string, destination: string | undefined): ServedType {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  const image = IMAGES.includes(ending) ? getMimeType(name) : undefined
  if (image !== undefined) return { type: image, isDownload: false }
  if (ending === 'svg' && destination === 'image') {
    // Permits style attributes, because they load nothing here.
    return { type: 'image/svg+xml', isDownload: false, policy: "style-src 'unsafe-inline'" }
  }
  const recording = Object.hasOwn(RECORDINGS, ending) ? RECORDINGS[ending] : undefined
  if (recording !== undefined) return { type: recording, isDownload: true }
  if (ending === 'pdf') return { type: 'application/pdf', isDownload: true }
  const isText = TEXTS.has(ending) || TEXT_NAMES.has(name.replace(/^\./, ''))
  return isText ? { type: 'text/plain; charset=utf-8', isDownload: false } : UNKNOWN
}

/** `Content-Disposition` with the name of a file, without characters that change the writing direction or end the header. */
export function disposition(path: string, isDownload: boolean): string {
  const name = oneLine(path.slice(path.lastIndexOf('/') + 1)).toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encode = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  const encodedName = encodeURIComponent(name).replace(/['()*]/g, encode)
  return `${isDownload ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${encodedName}`
}
