/** Which files a code index takes, and how their definitions are written. */

/** How a language marks the end of a definition, and what its definitions look like. */
export type Grammar =
  | 'c'
  | 'csharp'
  | 'go'
  | 'java'
  | 'kotlin'
  | 'markdown'
  | 'none'
  | 'other'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'scala'
  | 'sh'
  | 'sql'
  | 'swift'
  | 'typescript'

export interface Language {
  /** As a fence of Markdown names it. */
  readonly name: string
  readonly grammar: Grammar
  /** `code`, or a document: prose or configuration. */
  readonly kind: 'code' | 'prose' | 'configuration'
}

const CODE: readonly (readonly [name: string, grammar: Grammar, extensions: string])[] = [
  ['ts', 'typescript', 'ts mts cts'],
  ['tsx', 'typescript', 'tsx'],
  ['js', 'typescript', 'js mjs cjs'],
  ['jsx', 'typescript', 'jsx'],
  ['vue', 'typescript', 'vue'],
  ['svelte', 'typescript', 'svelte astro'],
  ['python', 'python', 'py pyi pyx'],
  ['go', 'go', 'go'],
  ['rust', 'rust', 'rs'],
  ['java', 'java', 'java'],
  ['groovy', 'java', 'groovy'],
  ['dart', 'java', 'dart'],
  ['kotlin', 'kotlin', 'kt kts'],
  ['c', 'c', 'c h y l'],
  ['cpp', 'c', 'cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc cu cuh m mm'],
  ['csharp', 'csharp', 'cs'],
  ['ruby', 'ruby', 'rb rake gemspec ru cr'],
  ['php', 'php', 'php phtml inc'],
  ['swift', 'swift', 'swift'],
  ['scala', 'scala', 'scala sc'],
  ['bash', 'sh', 'sh bash zsh ksh fish'],
  ['sql', 'sql', 'sql'],
  ['lua', 'other', 'lua'],
  ['elixir', 'ruby', 'ex exs'],
  ['perl', 'other', 'pl pm'],
  ['protobuf', 'other', 'proto'],
  ['graphql', 'other', 'graphql gql'],
  ['haskell', 'other', 'hs'],
  ['ocaml', 'other', 'ml mli'],
  ['zig', 'rust', 'zig'],
  ['r', 'other', 'r'],
  ['julia', 'other', 'jl'],
  ['clojure', 'other', 'clj cljs cljc edn'],
  ['powershell', 'other', 'ps1 psm1'],
  ['html', 'none', 'html htm hbs ejs erb twig jinja j2 tmpl gotmpl liquid'],
  ['css', 'none', 'css scss sass less'],
  ['asm', 'none', 's asm'],
]

const PROSE = 'md mdx markdown rst adoc txt'
const CONFIGURATION = 'json jsonc json5 yaml yml toml ini cfg conf properties gradle cmake mk xml tf nix bazel bzl'
/** Names without a telling extension. */
const NAMES: Readonly<Record<string, Language>> = {
  makefile: { name: 'makefile', grammar: 'none', kind: 'configuration' },
  dockerfile: { name: 'dockerfile', grammar: 'none', kind: 'configuration' },
  rakefile: { name: 'ruby', grammar: 'ruby', kind: 'code' },
  gemfile: { name: 'ruby', grammar: 'ruby', kind: 'configuration' },
  'cmakelists.txt': { name: 'cmake', grammar: 'none', kind: 'configuration' },
}

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...CONFIGURATION.split(' ').map((end) => [end, { name: end, grammar: 'none', kind: 'configuration' }] as const),
  ...PROSE.split(' ').map((end) => [end, { name: 'md', grammar: 'markdown', kind: 'prose' }] as const),
  ...CODE.flatMap(([name, grammar, ends]) =>
    ends.split(' ').map((end) => [end, { name, grammar, kind: 'code' }] as const),
  ),
])

/** The language of a file by its path; undefined for a file that is not indexed. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return NAMES[name] ?? BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1))
}
