import { decodeUri, segments } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'

/** A string that reads like a path inside a tree. */
export interface CitedPath {
  /** The path without a position in the file, and without a final slash. */
  readonly path: string
  /**
   * Why the string looks like a path. `file`: it has a directory and a known extension. `name`: it has a known
   * extension, and no directory other than `..`. `directory`: it ends in a slash. `words`: it has a slash elsewhere.
   */
  readonly form: 'file' | 'directory' | 'name' | 'words'
}

const EXTENSIONS = new Set(
  `adoc astro bash bat c cc cfg cjs clj cljs cmake cmd conf cpp cs css csv cts cxx dart db diff dockerfile eex ejs elm erb erl
  ex exs fish fs gif go gql gradle graphql groovy h haml hbs hpp hrl hs htm html ico ini ipynb jar java jl jpeg jpg js
  json json5 jsonc jsonl jsx kt kts less lock lua m md mdc mdx mjs ml mli mm mod mts nim nix org patch pdf php pl pm png
  po prisma properties proto ps1 pug py pyi r rake rb rs rst sass sbt scala scss sh snap sol sql sqlite sum svelte svg
  swift tex tf tfvars toml ts tsv tsx txt vue wasm webp xml yaml yml zig zsh`.split(/\s+/),
)

/** Matches an extension and the position after it: a line, a range of lines, an anchor, a symbol. */
const SUFFIX = /(\.[A-Za-z][A-Za-z0-9]{0,9})(?::(?:\d[\d:,-]*|:?[A-Za-z_][\w.:]*(?:\(\))?)|#\S*)$/
const POSSIBLE_PATH = /^[\w.+@/\u00a1-\u2010\u2027-\u24ff\u2580-\ufffd-]+$/
const LETTER = /[A-Za-z\u00aa-\ufffd]/
const MIME = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/
/** Matches method names of MCP, such as `tools/call`. */
const METHOD =
  /^(?:completion|logging|notifications|prompts|resources|roots|sampling|tools)\/(?:call|complete|get|list|read|setLevel|subscribe|unsubscribe|create\w*|\w*list_changed|initialized|cancelled|progress|message|updated)$/
const HOST = /^[\w-]+(?:\.[\w-]+)*\.(?:ai|app|com|de|dev|edu|gov|info|io|me|net|org|rs|sh|uk)$/i
/** Names of libraries that look like files. */
const LIBRARY = /(?:^|\/)(?:chart|d3|ember|express|next|node|nuxt|p5|react|socket|three|vue)\.(?:js|io)$/i

/** Maximum characters of a cited path. */
const MAX_PATH = 500

/**
 * The possible path in a code span or a word of a command. Undefined for names without a known extension, for texts that begin with `/`, `@`, `~`, `+`
 * or `-`, end in `@`, contain `//` or `...`, begin with a host, or have more than `MAX_PATH` characters, for names of libraries, MIME types and methods
 * of MCP, and for other texts that do not read like a path.
 */
export function citedPath(cited: string): CitedPath | undefined {
  const bare = cited.length > MAX_PATH ? '' : cited.replace(SUFFIX, '$1')
  if (!POSSIBLE_PATH.test(bare) || /^[/@~+-]|\/\/|\.{3}|@$/.test(bare)) return undefined
  const path = trimEnd(bare, '/')
  const parts = segments(path)
  const last = parts.at(-1) ?? ''
  if (!parts.some((part) => LETTER.test(part)) || LIBRARY.test(path)) return undefined
  if (parts.length > 1 && HOST.test(parts[0] ?? '')) return undefined
  if (bare.endsWith('/')) return { path, form: 'directory' }
  if (isFileName(last)) return { path, form: parts.filter((part) => part !== '..').length > 1 ? 'file' : 'name' }
  return path.includes('/') && !MIME.test(path) && !METHOD.test(path) ? { path, form: 'words' } : undefined
}

/**
 * The decoded path and the anchor of a link's destination; `mailto:` counts as a path. Undefined for placeholders,
 * for destinations with `//`, for paths that begin with `~`, and for paths of more than `MAX_PATH` characters.
 */
export function destinationIn(cited: string): { readonly path: string; readonly anchor: string } | undefined {
  const [, target = '', anchor = ''] = /^([^#]*)#?(.*)/s.exec(cited.replace(/^mdc:/, '')) ?? []
  const path = decodeUri(target.replace(/\?.*/s, ''))
  if (/[<>{}$*|\\[\]…]|\.{3}|\/\//.test(path) || path.startsWith('~') || path.length > MAX_PATH) return undefined
  return { path, anchor: decodeUri(anchor) }
}

export function isFileName(name: string): boolean {
  return EXTENSIONS.has(/[^.]\.([A-Za-z][A-Za-z0-9]*)$/.exec(name)?.[1]?.toLowerCase() ?? '')
}

/** Matches a name that stands for other names, such as `foo` or `my-app`. */
const PLACEHOLDER_NAME =
  /^(?:(?:foo|bar|baz|qux|your|some|something|whatever|dummy|snake_case|kebab-case|camelcase|pascalcase)(?:$|[._-])|my[._-]|(?:example|sample|(?:[a-z\d]+[_-])*name)\.|x{2,}$|v?[xn]\.[xyn])/i
const PLACEHOLDER_CAPITALS = /(?:^|[^A-Z])(?:YYYY|XX+|NN+|FOO|BAR|NAME|PATH|TITLE|ID)(?:[^A-Z]|$)/

/** Whether a path is a placeholder, such as `path/to/file.ts`. */
export function isExample(path: string): boolean {
  const parts = segments(path)
  const isPlaceholder = (part: string) => PLACEHOLDER_NAME.test(part) || /xxx/i.test(part)
  if (parts.some(isPlaceholder) || PLACEHOLDER_CAPITALS.test(path) || /(?:^|\/)path\/to(?:\/|$)/.test(path)) return true
  return parts.every((part) => part.replace(/\.\w+$/, '').length <= 1)
}

const GENERATED = new Set(
  `.cache .git .gradle .idea .mypy_cache .next .nuxt .nyc_output .output .parcel-cache .pytest_cache .ruff_cache
  .svelte-kit .terraform .tox .turbo .venv .vscode-test __pycache__ build coverage dist htmlcov logs node_modules obj out
  playwright-report target test-results tmp venv`.split(/\s+/),
)

/** Matches a personal file, or an optional file of a tool. */
const OPTIONAL = /\.local(?:\.\w+)?$|(?:^|\/)\.[\w-]+\/(?:mcp(?:-servers)?|settings)\.\w+$/

/** Whether a checkout may lack a path: it is in an output directory of a tool, personal, or optional. */
export function mayBeAbsent(path: string): boolean {
  const parts = segments(path)
  return parts.some((part) => GENERATED.has(part)) || isOptional(path) || /(?:^|\/)copilot-instructions\.md$/.test(path)
}

/**
 * Whether a checkout may lack a path even if the path was committed once: personal settings, the hidden directory of a
 * tool, or an output directory itself.
 */
export function isOptional(path: string): boolean {
  return OPTIONAL.test(path) || GENERATED.has(path) || (!path.includes('/') && isPersonal(path) && !isFileName(path))
}

/** Common names of files, and all names without a dot. A file of such a name in another directory is probably a different file. */
export const GENERIC_NAME =
  /^(?:__init__|cargo|config|conftest|index|layout|lib|main|mod|package|page|pyproject|readme|route|settings|setup|test|tsconfig)\.\w+$|^[^.]+$/i

/** Names of files that running programs make. */
export const RUNTIME_DATA = /\.(?:db|log|pid|sock|sqlite3?|tfstate)$/i

/** Directories of texts that people copy into other projects. */
export const TEMPLATES =
  /(?:^|\/)(?:__fixtures__|assets|boilerplates?|fixtures|scaffold(?:ing|s)?|skeletons?|templates?|testdata)\//

/** Hidden directories that belong to a project. Other hidden directories may be in the home directory of a person. */
const PROJECT_DIRECTORIES = /^\.(?:changeset|circleci|context|devcontainer|github|gitlab|husky)$/

/** Whether a name with a dot may be in the user's home directory, because it is not a known directory of projects. */
export function isPersonal(name: string): boolean {
  return name.startsWith('.') && !PROJECT_DIRECTORIES.test(name)
}
