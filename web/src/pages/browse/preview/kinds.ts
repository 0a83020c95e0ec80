/** What a file is shown as, by its name. */
export type Kind = 'markdown' | 'table' | 'json' | 'image' | 'pdf' | 'code' | 'text'

const KINDS: Readonly<Record<string, Kind>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mdc: 'markdown',
  csv: 'table',
  tsv: 'table',
  json: 'json',
  geojson: 'json',
  ipynb: 'json',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  svg: 'image',
  bmp: 'image',
  ico: 'image',
  pdf: 'pdf',
  txt: 'text',
  log: 'text',
  docx: 'text',
}

/** Languages that are called otherwise than the ending of their files. */
const LANGUAGES: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  mjs: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  cts: 'typescript',
  mts: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  json: 'json',
  jsonl: 'json',
  geojson: 'json',
  ipynb: 'json',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  kt: 'kotlin',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  cs: 'csharp',
  sh: 'bash',
  zsh: 'bash',
  yml: 'yaml',
  html: 'xml',
  svg: 'xml',
  toml: 'ini',
  md: 'markdown',
  markdown: 'markdown',
  makefile: 'makefile',
  dockerfile: 'bash',
  patch: 'diff',
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

export function kindOf(name: string): Kind {
  return KINDS[endingOf(name)] ?? (name.includes('.') || /^(make|docker)file$/i.test(name) ? 'code' : 'text')
}

/** The language of a file's code, as highlighters call it. */
export function languageOf(name: string): string {
  const ending = endingOf(name)
  return LANGUAGES[ending] ?? ending
}
