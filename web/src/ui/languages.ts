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

export function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

/** The language of a file's code, as highlighters call it. */
export function languageOf(name: string): string {
  const ending = endingOf(name)
  return LANGUAGES[ending] ?? ending
}
