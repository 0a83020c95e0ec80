/** Made from the OpenAPI document by `npm run reference`; a test compares. */

/** What the server can do, by name. */
export interface Operations {
  /** Print the context that applies to a place, within a token budget. */
  load: {
    reads: true
    input: {
      /** a directory or file on disk, COLLECTION/PATH, or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly place?: string
      /** maximum number of tokens; default 8000 for places on disk, unlimited for collections and packages */
      readonly budget?: number
      /** the format of the text; default markdown for places on disk, xml for collections and packages */
      readonly format?: 'markdown' | 'xml'
      /** a path that the agent has read or written */
      readonly touched?: readonly string[]
      /** what the agent is about to do; relevant text is kept first */
      readonly task?: string
      /** add the code that is relevant to --task, within the same budget */
      readonly code?: boolean
      /** with --code: add the signatures of further definitions, with their line numbers */
      readonly signatures?: boolean
      /** with --code: ask the language model once for identifiers that the task is about; default as configured */
      readonly rewrite?: boolean
      /** load the files that this agent loads (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, kilo, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or use a profile in a YAML file; default ambit */
      readonly profile?: string
      /** which instruction files come first */
      readonly order?: 'specific-first' | 'general-first'
      /** how to count tokens; default bytes4 */
      readonly tokens?: 'bytes4' | 'o200k'
      /** the instruction files in your home directory */
      readonly home?: boolean
      /** the instruction files, which many agents load themselves */
      readonly instructions?: boolean
      /** include the context directory at the root of a collection or package, too */
      readonly withContextDir?: boolean
      /** the marks on references to things that do not exist */
      readonly drift?: boolean
      /** leave out a text that the reader has: its digest, from "sent" of an earlier answer */
      readonly known?: readonly string[]
      /** the content and structure of each file in the JSON */
      readonly full?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly choice?: string
      readonly contextDir: {
        readonly path: string
        readonly levels: number
      } | null
      readonly files: readonly {
        readonly name: string
        readonly path: string
        readonly content?: string
        readonly tokenCount: number
        readonly parsed?: {
          readonly title: string
          readonly sections: readonly {
            readonly title: string
            readonly items: readonly {
              readonly title: string
              readonly fields: Readonly<Record<string, string>>
              readonly tags: readonly string[]
              readonly status?: 'todo' | 'done' | 'blocked'
              readonly children: readonly string[]
            }[]
            readonly content: string
            readonly prose: string
          }[]
          readonly metadata: Readonly<Record<string, string>>
        }
      }[]
      readonly contexts: readonly {
        readonly path: string
        readonly content: string
        /** ISO 8601, UTC */
        readonly lastModified: string
        readonly scope: 'project' | 'nested' | 'home' | 'bucket' | 'package'
        readonly reason: string
      }[]
      readonly fragments?: readonly {
        readonly uri: string
        readonly text: string
        readonly isPinned?: boolean
      }[]
      readonly summary: string
      readonly text: string
      readonly tokenCount: number
      readonly budget: number | null
      readonly truncated: boolean
      readonly overBudget: boolean
      readonly frameTokens: number
      readonly missing: readonly string[]
      readonly missingRequired: readonly string[]
      readonly warnings: readonly {
        readonly path: string
        readonly message: string
      }[]
      readonly ledger: readonly {
        readonly uri: string
        readonly title: string
        readonly kind: string
        readonly scope: string
        /** 0 to 1 */
        readonly score?: number
        readonly decision: 'kept' | 'truncated' | 'outline' | 'left'
        readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
        readonly detail?: string
        readonly pass?: string
        readonly tokensBefore: number
        readonly tokensAfter: number
      }[]
      readonly digest: string
      readonly missingTouched?: readonly string[]
      readonly sent: readonly {
        readonly uri: string
        readonly digest: string
      }[]
    }
  }
  /** Print what to read for a task: relevant code and instructions, within a token budget. */
  task: {
    reads: true
    input: {
      /** the task: a sentence, an issue, a log, a stack trace or a diff; - reads it from stdin */
      readonly task: string
      /** a directory or file of the project; code there ranks higher */
      readonly place?: string
      /** maximum number of tokens; default 8000 */
      readonly budget?: number
      /** maximum number of files to show; default 10 */
      readonly files?: number
      /** show only the definitions that fit best, in few tokens */
      readonly precise?: boolean
      /** add the signatures of further definitions, with their line numbers, where the budget has room */
      readonly signatures?: boolean
      /** ask the language model once for identifiers that the task is about; default off, or as configured */
      readonly rewrite?: boolean
      /** the format of the text */
      readonly format?: 'markdown' | 'xml'
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly task: string
      readonly budget: number
      readonly tokenCount: number
      readonly files: readonly {
        /** relative to the root */
        readonly path: string
        /** 0 to 1 */
        readonly score: number
        readonly why: string
        readonly ranges: readonly {
          readonly start: number
          readonly end: number
          readonly name?: string
          readonly kind?: string
          readonly shown: 'body' | 'signature' | 'name'
        }[]
      }[]
      readonly tests: readonly {
        readonly path: string
        readonly why: string
      }[]
      readonly text: string
      readonly ledger: readonly {
        readonly uri: string
        readonly title: string
        readonly kind: string
        readonly scope: string
        /** 0 to 1 */
        readonly score?: number
        readonly decision: 'kept' | 'truncated' | 'outline' | 'left'
        readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
        readonly detail?: string
        readonly pass?: string
        readonly tokensBefore: number
        readonly tokensAfter: number
      }[]
      readonly warnings: readonly {
        readonly path: string
        readonly message: string
      }[]
      readonly index: {
        readonly files: number
        readonly changed: number
        readonly ms: number
      }
    }
  }
  /** Show which files were considered, what happened to each, and why. */
  explain: {
    reads: true
    input: {
      /** a directory or file on disk, COLLECTION/PATH, or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly place?: string
      /** say why this file is, or is not, in the context */
      readonly whyNot?: string
      /** maximum number of tokens; default 8000 for places on disk, unlimited for collections and packages */
      readonly budget?: number
      /** a path that the agent has read or written */
      readonly touched?: readonly string[]
      /** what the agent is about to do; relevant text is kept first */
      readonly task?: string
      /** load the files that this agent loads (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, kilo, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or use a profile in a YAML file; default ambit */
      readonly profile?: string
      /** how to count tokens; default bytes4 */
      readonly tokens?: 'bytes4' | 'o200k'
      /** the instruction files in your home directory */
      readonly home?: boolean
      /** include the context directory at the root of a collection or package, too */
      readonly withContextDir?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly choice?: string
      readonly contextDir: {
        readonly path: string
        readonly levels: number
      } | null
      readonly tokenCount: number
      readonly budget: number | null
      readonly truncated: boolean
      readonly overBudget: boolean
      readonly frameTokens: number
      readonly missing: readonly string[]
      readonly missingRequired: readonly string[]
      readonly warnings: readonly {
        readonly path: string
        readonly message: string
      }[]
      readonly ledger: readonly {
        readonly uri: string
        readonly title: string
        readonly kind: string
        readonly scope: string
        /** 0 to 1 */
        readonly score?: number
        readonly decision: 'kept' | 'truncated' | 'outline' | 'left'
        readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
        readonly detail?: string
        readonly pass?: string
        readonly tokensBefore: number
        readonly tokensAfter: number
      }[]
      readonly digest: string
      readonly missingTouched?: readonly string[]
      readonly whyNot?: {
        readonly path: string
        readonly answer: string
        readonly isThere?: boolean
        readonly rows: readonly {
          readonly uri: string
          readonly title: string
          readonly kind: string
          readonly scope: string
          /** 0 to 1 */
          readonly score?: number
          readonly decision: 'kept' | 'truncated' | 'outline' | 'left'
          readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
          readonly detail?: string
          readonly pass?: string
          readonly tokensBefore: number
          readonly tokensAfter: number
        }[]
      }
    }
  }
  /** Find stale references in context files (paths, commands, anchors), oversized files and hidden text. */
  check: {
    reads: true
    input: {
      /** a directory or a file */
      readonly place?: string
      /** report files larger than this, in tokens; default 8000 */
      readonly budget?: number
      /** check the files that this agent loads (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, kilo, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or use a profile in a YAML file; default those of every agent */
      readonly profile?: string
      /** the instruction files in your home directory */
      readonly home?: boolean
      /** print a SARIF log for code scanning */
      readonly sarif?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly checked: number
      readonly findings: readonly {
        readonly rule: string
        readonly severity: 'error' | 'warning' | 'note'
        readonly kind?: 'dead' | 'moved' | 'planned' | 'example'
        readonly path: string
        readonly line?: number
        readonly message: string
        readonly hint?: string
      }[]
      readonly sarif?: Readonly<Record<string, unknown>>
    }
  }
  /** Show which rules of a project each agent misses, and how to fix that. */
  diff: {
    reads: true
    input: {
      /** a directory or a file */
      readonly place?: string
      /** the agents to compare, or files with a profile, separated by commas; default the agents with files here or in your home directory, else claude,codex */
      readonly profile?: string
      /** end with 1 if an agent misses a rule */
      readonly check?: boolean
      /** leave out files that .gitignore excludes, as Ambit does when it loads for an agent */
      readonly strict?: boolean
      /** a path that the agent has read or written */
      readonly touched?: readonly string[]
      /** the instruction files in your home directory */
      readonly home?: boolean
    }
    answer: {
      readonly place: string
      readonly agents: readonly {
        readonly agent: string
        readonly hook: boolean
        readonly missing: readonly {
          readonly title: string
          readonly uri: string
          readonly reason: string
          readonly mend: string
        }[]
      }[]
      readonly profiles: readonly {
        readonly name: string
        readonly files: number
        readonly tokens: number
      }[]
      readonly files: readonly {
        readonly title: string
        readonly uri: string
        readonly seen: Readonly<Record<string, {
          readonly decision: 'kept' | 'truncated' | 'outline' | 'left'
          readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
          readonly detail?: string
          readonly tokensAfter: number
        }>>
        readonly same: boolean
      }[]
      readonly unusedTools?: readonly string[]
      readonly missingTouched?: readonly string[]
    }
  }
  /** Set up a coding agent, so that it gets its context from Ambit; or create a context directory. */
  init: {
    reads: false
    input: {
      /** a directory or a file */
      readonly place?: string
      /** set up this agent */
      readonly agent?: 'claude' | 'codex' | 'cursor' | 'gemini' | 'opencode' | 'kilo' | 'copilot' | 'vscode' | 'cline' | 'crush' | 'qwen' | 'kiro' | 'factory'
      /** write the settings of the project, for all who work on it (default) */
      readonly project?: boolean
      /** write your own settings, for all projects */
      readonly user?: boolean
      /** write your own settings, for this project */
      readonly local?: boolean
      /** let the hook add relevant code to the first prompt of a session */
      readonly task?: boolean
      /** remove from the agent's settings what Ambit added */
      readonly remove?: boolean
      /** write the skeletons of a context directory, too; this is the default without --agent */
      readonly skeletons?: boolean
      /** write without asking; --no-write only shows what would be written */
      readonly write?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly files: readonly {
        readonly path: string
        readonly content: string
        readonly before?: string
        readonly state: 'written' | 'would-write' | 'exists' | 'merged' | 'would-merge' | 'removed' | 'would-remove' | 'absent'
        readonly note?: string
        readonly needsEdit?: boolean
      }[]
    }
  }
  /** Write the rule files that agents read, from AGENTS.md files and .agents/rules. */
  sync: {
    reads: false
    input: {
      /** a directory or a file */
      readonly place?: string
      /** write for this agent; default the agents that are used here */
      readonly agent?: readonly string[]
      /** write nothing, and end with 1 if a file is out of date */
      readonly check?: boolean
      /** write nothing, and print what would change as a diff */
      readonly dryRun?: boolean
      /** write the rules that agents have here into .agents/rules */
      readonly import?: boolean
      /** remove the files that sync wrote */
      readonly remove?: boolean
      /** add the files that sync writes to .gitignore */
      readonly gitignore?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly agents: readonly string[]
      readonly files: readonly {
        readonly name: string
        readonly state: 'write' | 'update' | 'remove' | 'current' | 'kept'
        readonly before: string
        readonly after: string
        readonly note?: string
        readonly needsEdit?: boolean
      }[]
      readonly notes: readonly string[]
      readonly isOutdated: boolean
      readonly isPreview: boolean
    }
  }
  /** Check the installation, and say how to fix what is wrong. */
  doctor: {
    reads: true
    input: {
      /** print a report for an issue, without the names of directories, hosts and collections */
      readonly report?: boolean
    }
    answer: {
      readonly checks: readonly {
        readonly name: string
        readonly status: 'ok' | 'warning' | 'failed'
        readonly message: string
        readonly hint?: string
      }[]
    }
  }
  /** Add a folder or bucket as a collection, so that you can search it. */
  'collections.add': {
    reads: false
    input: {
      /** the name of the new collection */
      readonly name: string
      /** the directory that holds its files, or a bucket: s3://BUCKET or s3://BUCKET/PREFIX */
      readonly root: string
      /** include only files that match, such as "**\/*.md"; default all */
      readonly pattern?: readonly string[]
      /** leave out files that match */
      readonly exclude?: readonly string[]
      /** include hidden files and directories; those of agents and of GitHub are always included */
      readonly hidden?: boolean
      /** the rules of .gitignore */
      readonly ignore?: boolean
      /** for a bucket outside of Amazon: the URL of its service, such as http://127.0.0.1:9000 */
      readonly endpoint?: string
      /** for a bucket: its region; default AWS_REGION */
      readonly region?: string
      /** for a bucket: the profile in the configuration files of AWS */
      readonly profile?: string
      /** for a bucket: send no credentials */
      readonly anonymous?: boolean
      /** for a bucket: put its name in the path of the URL, not in the host name */
      readonly pathStyle?: boolean
      /** for a bucket: pay for the requests */
      readonly requesterPays?: boolean
      /** add a directory that is known to hold secrets, such as ~/.ssh, without asking */
      readonly yes?: boolean
      /** index every substring, so that contains:"…" is fast in code; needs more space and time */
      readonly substrings?: boolean
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly access?: {
        readonly endpoint?: string
        readonly region?: string
        readonly profile?: string
        readonly anonymous?: boolean
        readonly pathStyle?: boolean
        readonly requesterPays?: boolean
        readonly realPath?: string
      }
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** List the collections. */
  'collections.list': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly collections: readonly {
        readonly name: string
        readonly root: string
        readonly patterns: readonly string[]
        readonly exclude: readonly string[]
        readonly isPaused: boolean
        readonly hasSubstrings: boolean
        readonly access?: {
          readonly endpoint?: string
          readonly region?: string
          readonly profile?: string
          readonly anonymous?: boolean
          readonly pathStyle?: boolean
          readonly requesterPays?: boolean
          readonly realPath?: string
        }
        readonly createdAt: string
        readonly indexedAt?: string
        readonly documents: number
        readonly bytes: number
      }[]
    }
  }
  /** Show a collection. */
  'collections.show': {
    reads: true
    input: {
      /** the name of a collection */
      readonly name: string
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly access?: {
        readonly endpoint?: string
        readonly region?: string
        readonly profile?: string
        readonly anonymous?: boolean
        readonly pathStyle?: boolean
        readonly requesterPays?: boolean
        readonly realPath?: string
      }
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Rename a collection; its path contexts stay. */
  'collections.rename': {
    reads: false
    input: {
      /** the name of a collection */
      readonly name: string
      /** its new name */
      readonly to: string
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly access?: {
        readonly endpoint?: string
        readonly region?: string
        readonly profile?: string
        readonly anonymous?: boolean
        readonly pathStyle?: boolean
        readonly requesterPays?: boolean
        readonly realPath?: string
      }
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Remove a collection and its path contexts; its files stay. */
  'collections.remove': {
    reads: false
    input: {
      /** the name of a collection */
      readonly name: string
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly access?: {
        readonly endpoint?: string
        readonly region?: string
        readonly profile?: string
        readonly anonymous?: boolean
        readonly pathStyle?: boolean
        readonly requesterPays?: boolean
        readonly realPath?: string
      }
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Change a collection: pause it, or index every substring of it. */
  'collections.set': {
    reads: false
    input: {
      /** the name of a collection */
      readonly name: string
      /** leave it out of searches that do not name it; --no-paused: include it again */
      readonly paused?: boolean
      /** index every substring, so that contains:"…" is fast; --no-substrings: words only, in less space */
      readonly substrings?: boolean
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly access?: {
        readonly endpoint?: string
        readonly region?: string
        readonly profile?: string
        readonly anonymous?: boolean
        readonly pathStyle?: boolean
        readonly requesterPays?: boolean
        readonly realPath?: string
      }
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Update the index of collections: read the files that changed. */
  index: {
    reads: false
    input: {
      /** collections; default all */
      readonly names?: readonly string[]
      /** read every file, even if its size and times have not changed */
      readonly force?: boolean
    }
    answer: {
      readonly added: number
      readonly changed: number
      readonly moved: number
      readonly removed: number
      readonly unchanged: number
      readonly skipped: number
      readonly failed: number
      readonly collections: readonly {
        readonly name: string
        readonly added: number
        readonly changed: number
        readonly moved: number
        readonly removed: number
        readonly unchanged: number
        readonly skipped: number
        readonly failed: number
        readonly left: readonly {
          readonly path: string
          readonly why: string
          readonly detail: string
        }[]
        readonly problem?: string
      }[]
    }
  }
  /** Index collections in the background: the server continues after a restart, too. */
  'indexing.start': {
    reads: false
    input: {
      /** collections; default all */
      readonly names?: readonly string[]
      /** read every file, even if its size and times have not changed */
      readonly force?: boolean
    }
    answer: {
      readonly jobs: readonly {
        readonly name: string
        readonly state: 'queued' | 'running' | 'done' | 'failed' | 'stopped'
        readonly done: number
        readonly total: number
        readonly isResumed: boolean
        readonly problem?: string
        readonly askedAt: string
        readonly updatedAt: string
      }[]
    }
  }
  /** List indexing in the background: its progress, or how it ended. */
  'indexing.list': {
    reads: true
    input: {
      /** collections; default all that were indexed in the background */
      readonly names?: readonly string[]
      /** report progress until all of them have ended */
      readonly follow?: boolean
    }
    answer: {
      readonly jobs: readonly {
        readonly name: string
        readonly state: 'queued' | 'running' | 'done' | 'failed' | 'stopped'
        readonly done: number
        readonly total: number
        readonly isResumed: boolean
        readonly problem?: string
        readonly askedAt: string
        readonly updatedAt: string
      }[]
    }
  }
  /** Stop indexing in the background; what was indexed stays. */
  'indexing.stop': {
    reads: false
    input: {
      /** collections */
      readonly names: readonly string[]
    }
    answer: {
      readonly jobs: readonly {
        readonly name: string
        readonly state: 'queued' | 'running' | 'done' | 'failed' | 'stopped'
        readonly done: number
        readonly total: number
        readonly isResumed: boolean
        readonly problem?: string
        readonly askedAt: string
        readonly updatedAt: string
      }[]
    }
  }
  /** Compute vectors of new documents, so that you can search by meaning. */
  embed: {
    reads: false
    input: {
      /** collections; default all */
      readonly names?: readonly string[]
      /** recompute all vectors */
      readonly force?: boolean
    }
    answer: {
      readonly model: string
      readonly embedded: number
      readonly chunks: number
      readonly failed: number
      readonly left: readonly {
        readonly collection: string
        readonly path: string
        readonly detail: string
      }[]
    }
  }
  /** Search collections; each result says what its folder is for. */
  search: {
    reads: true
    input: {
      /** words, "phrases", -without, word*, title:word, path:part, contains:"any text"; any text is a valid query */
      readonly query: string
      /** collections to search; default all that are not paused */
      readonly collections?: readonly string[]
      /** maximum number of results */
      readonly limit?: number
      /** number of results to skip */
      readonly offset?: number
      /** the order of the best 1,000 results: by relevance, the last changed first, or by path */
      readonly sort?: 'relevance' | 'changed' | 'path'
      /** count results by collection, type, folder and time of change */
      readonly facets?: boolean
      /** leave out results with a lower score (0 to 1); 0 adds documents that are near only in meaning */
      readonly minScore?: number
      /** search only paths that match, such as "api/**" */
      readonly path?: readonly string[]
      /** search only files with this extension, such as md; "none" for files without an extension */
      readonly types?: readonly string[]
      /** search only documents changed on this day or later */
      readonly after?: string
      /** search only documents whose front matter has this value */
      readonly where?: readonly string[]
      /** by words, by meaning, or by both; default both if an embedding model is set */
      readonly mode?: 'lexical' | 'vector' | 'hybrid'
      /** reorder the best results with the reranking model */
      readonly rerank?: boolean
      /** include the whole text of each document */
      readonly full?: boolean
      /** passages to show of each document */
      readonly sections?: number
      /** show how each result was found */
      readonly explain?: boolean
      /** maximum number of tokens; results that do not fit are dropped, each path context is printed once */
      readonly budget?: number
    }
    answer: {
      readonly query: string
      readonly mode: 'lexical' | 'vector' | 'hybrid'
      readonly degraded: readonly string[]
      readonly results: readonly {
        readonly docid: string
        readonly collection: string
        readonly path: string
        readonly uri: string
        readonly title: string
        /** 0 to 1 */
        readonly score: number
        readonly snippet: string
        readonly lines: {
          readonly start: number
          readonly end: number
        }
        readonly highlights: readonly {
          readonly start: number
          readonly end: number
        }[]
        readonly headings: readonly string[]
        readonly context?: string
        readonly contexts: readonly {
          readonly scope: 'global' | 'collection' | 'path'
          readonly prefix: string
          readonly text?: string
        }[]
        readonly sections?: readonly {
          readonly snippet: string
          readonly lines: {
            readonly start: number
            readonly end: number
          }
          readonly highlights: readonly {
            readonly start: number
            readonly end: number
          }[]
          readonly headings: readonly string[]
        }[]
        readonly text?: string
        readonly explain?: {
          readonly matchedTerms: readonly string[]
          readonly missingTerms: readonly string[]
          readonly titlePairs: number
          readonly exactTitle: boolean
          readonly lexical?: {
            readonly rank: number
            readonly score: number
          }
          readonly vector?: {
            readonly rank: number
            readonly cosine: number
          }
          readonly rerank?: {
            readonly rank: number
            /** as the model gave it */
            readonly score: number
          }
        }
      }[]
      readonly total: number
      readonly dropped?: number
      readonly facets?: {
        readonly collections: readonly {
          readonly value: string
          readonly count: number
        }[]
        readonly types: readonly {
          readonly value: string
          readonly count: number
        }[]
        readonly folders: readonly {
          readonly value: string
          readonly count: number
        }[]
        readonly changed: readonly {
          readonly value: string
          readonly count: number
        }[]
        readonly counted: number
      }
      readonly notices: readonly string[]
    }
  }
  /** Print a document of a collection. */
  get: {
    reads: true
    input: {
      /** COLLECTION/PATH or the end of one, a URI, a path on disk, or #DOCID; append :10, :10-20 or :10:5 for lines */
      readonly path: string
      /** print only these lines: 10-20, 10- or 10; 10:5 is five lines from line 10 */
      readonly lines?: string
      /** maximum number of lines of each document */
      readonly maxLines?: number
    }
    answer: {
      readonly uri: string
      readonly docid: string
      readonly collection: string
      readonly path: string
      readonly title: string
      readonly text: string
      readonly lines: {
        readonly start: number
        readonly end: number
        readonly total: number
      }
      readonly context?: string
      readonly notice?: string
    }
  }
  /** Print several documents. */
  'multi-get': {
    reads: true
    input: {
      /** a path as for "get", a glob such as "docs/api/*.md", or several, separated by commas */
      readonly pattern: string
      /** more paths */
      readonly more?: readonly string[]
      /** maximum size of all documents together, in bytes; default 262144 */
      readonly maxBytes?: number
      /** maximum number of lines of each document */
      readonly maxLines?: number
    }
    answer: {
      readonly documents: readonly {
        readonly uri: string
        readonly docid: string
        readonly collection: string
        readonly path: string
        readonly title: string
        readonly text: string
        readonly lines: {
          readonly start: number
          readonly end: number
          readonly total: number
        }
        readonly context?: string
        readonly notice?: string
      }[]
      readonly left: readonly {
        readonly path: string
        readonly detail: string
      }[]
    }
  }
  /** List the indexed documents of a place. */
  ls: {
    reads: true
    input: {
      /** a collection, or a directory in one; default all collections */
      readonly place?: string
      /** list documents at any depth by letters of their paths in order: usrctl finds user-controller.ts */
      readonly match?: string
      /** maximum number of documents, with --match */
      readonly limit?: number
    }
    answer: {
      readonly collection: string | null
      readonly path: string
      readonly directories: readonly {
        readonly path: string
        readonly documents: number
        readonly context?: string
      }[]
      readonly documents: readonly {
        readonly path: string
        readonly uri: string
        readonly docid: string
        readonly title: string
        readonly bytes: number
        readonly modifiedAt: string
      }[]
      readonly notice?: string
    }
  }
  /** List the files of a place in a collection, also those that are not indexed. */
  browse: {
    reads: true
    input: {
      /** a collection, a bucket as s3://…, a data package, or a directory or file in one; default all collections */
      readonly place?: string
      /** maximum number of entries */
      readonly limit?: number
      /** list a directory on disk instead, to choose a collection or a file from it */
      readonly disk?: string
      /** with --disk: list files at any depth by letters of their paths in order: usrctl finds user-controller.ts */
      readonly match?: string
      /** continue at "next" of the previous page */
      readonly after?: string
    }
    answer: {
      readonly collection: string | null
      readonly path: string
      readonly uri: string | null
      readonly bucket: string | null
      readonly contexts: readonly {
        readonly scope: 'global' | 'collection' | 'path'
        readonly prefix: string
        readonly text: string
      }[]
      readonly entries: readonly {
        readonly name: string
        readonly kind: 'directory' | 'file' | 'other'
        readonly size?: number
        readonly modifiedAt?: string
        readonly documents?: number
        readonly files?: number
        readonly isIndexed?: boolean
        readonly docid?: string
        readonly title?: string
        readonly isStale?: boolean
        readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
        readonly detail?: string
        readonly context?: string
      }[]
      readonly next?: string
      readonly file?: {
        readonly name: string
        readonly size: number
        readonly modifiedAt: string
        readonly etag: string
        readonly version?: string
        readonly isIndexed: boolean
        readonly docid?: string
        readonly title?: string
        readonly isStale?: boolean
        readonly why?: 'missing' | 'empty' | 'binary' | 'unreadable' | 'denied' | 'untrusted' | 'excluded' | 'shadowed' | 'duplicate' | 'irrelevant' | 'failed' | 'over-limit' | 'over-budget'
        readonly detail?: string
      }
      readonly package?: {
        readonly name: string
        readonly hash: string
      }
      readonly choice?: string
      readonly parent?: string | null
      readonly directories?: readonly {
        readonly name: string
        readonly path: string
        readonly collection?: string
      }[]
      readonly files?: readonly string[]
      readonly isPartial?: boolean
    }
  }
  /** Show the database and the state of each collection. */
  status: {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly database: string
      readonly bytes: number
      readonly documents: number
      readonly segments: number
      readonly embedding?: {
        readonly model: string
        readonly documents: number
        readonly missing: number
        readonly chunks: number
      }
      readonly collections: readonly {
        readonly name: string
        readonly root: string
        readonly patterns: readonly string[]
        readonly exclude: readonly string[]
        readonly isPaused: boolean
        readonly hasSubstrings: boolean
        readonly access?: {
          readonly endpoint?: string
          readonly region?: string
          readonly profile?: string
          readonly anonymous?: boolean
          readonly pathStyle?: boolean
          readonly requesterPays?: boolean
          readonly realPath?: string
        }
        readonly createdAt: string
        readonly indexedAt?: string
        readonly documents: number
        readonly bytes: number
        readonly skipped: number
        readonly isIndexing: boolean
        readonly problem?: string
      }[]
    }
  }
  /** Set the path context of a place: say what it is for. */
  'contexts.add': {
    reads: false
    input: {
      /** COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk within a collection, or / for everything; default / */
      readonly path?: string
      /** what the place is for, up to 8192 characters */
      readonly text: string
    }
    answer: {
      /** null where it applies to everything */
      readonly collection: string | null
      readonly pathPrefix: string
      readonly context: string
      /** ISO 8601, UTC */
      readonly createdAt: string
      /** ISO 8601, UTC */
      readonly updatedAt: string
      readonly notice?: string
    }
  }
  /** List path contexts. */
  'contexts.list': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly contexts: readonly {
        /** null where it applies to everything */
        readonly collection: string | null
        readonly pathPrefix: string
        readonly context: string
        /** ISO 8601, UTC */
        readonly createdAt: string
        /** ISO 8601, UTC */
        readonly updatedAt: string
      }[]
    }
  }
  /** Find collections and folders without a path context, and path contexts of places that are gone. */
  'contexts.check': {
    reads: true
    input: {
      /** fail for folders without a path context, too */
      readonly strict?: boolean
    }
    answer: {
      readonly collections: readonly {
        readonly name: string
        readonly documents: number
        readonly suggestion: string
      }[]
      readonly paths: readonly {
        readonly collection: string
        readonly path: string
        readonly documents: number
        readonly suggestion: string
      }[]
      readonly stale: readonly {
        /** null where it applies to everything */
        readonly collection: string | null
        readonly pathPrefix: string
        readonly context: string
      }[]
      readonly strict: boolean
    }
  }
  /** Remove the path context of a place. */
  'contexts.remove': {
    reads: false
    input: {
      /** COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk within a collection, or / for everything */
      readonly path: string
    }
    answer: {
      /** null where it applies to everything */
      readonly collection: string | null
      readonly pathPrefix: string
      readonly removed: boolean
    }
  }
  /** Import collections and path contexts from a YAML file, such as qmd's. */
  'contexts.import': {
    reads: false
    input: {
      /** a YAML file of collections and path contexts, such as qmd's */
      readonly file: string
    }
    answer: {
      readonly added: readonly {
        readonly kind: 'collection' | 'context' | 'setting'
        readonly name: string
        readonly why?: string
      }[]
      readonly updated: readonly {
        readonly kind: 'collection' | 'context' | 'setting'
        readonly name: string
        readonly why?: string
      }[]
      readonly unchanged: readonly {
        readonly kind: 'collection' | 'context' | 'setting'
        readonly name: string
        readonly why?: string
      }[]
      readonly skipped: readonly {
        readonly kind: 'collection' | 'context' | 'setting'
        readonly name: string
        readonly why?: string
      }[]
    }
  }
  /** Print all collections and path contexts as YAML for "context import". */
  'contexts.export': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly yaml: string
    }
  }
  /** List the packages in a collection or bucket. */
  'packages.list': {
    reads: true
    input: {
      /** a collection, COLLECTION/NAMESPACE/, or s3://BUCKET; default all collections */
      readonly registry?: string
      /** maximum number of names of a collection */
      readonly limit?: number
      /** continue after this name */
      readonly after?: string
    }
    answer: {
      readonly packages: readonly {
        readonly bucket: string
        readonly name: string
        readonly place: string
      }[]
      readonly more: readonly {
        readonly registry: string
        readonly after: string
      }[]
      readonly problems: readonly {
        readonly registry: string
        readonly message: string
      }[]
    }
  }
  /** Search packages by name, message, metadata and paths. */
  'packages.search': {
    reads: true
    input: {
      /** words of the name, message, metadata or paths */
      readonly words: readonly string[]
      /** a collection, COLLECTION/NAMESPACE/, or s3://BUCKET; default all collections */
      readonly registry?: string
      /** maximum number of packages */
      readonly limit?: number
    }
    answer: {
      readonly query: string
      readonly packages: readonly {
        readonly bucket: string
        readonly name: string
        readonly place: string
        readonly hash: string
        readonly message: string | null
        readonly score: number
        readonly fields: readonly ('name' | 'message' | 'metadata' | 'entry')[]
        readonly entries: readonly string[]
      }[]
      readonly searched: number
      readonly more: readonly {
        readonly registry: string
        readonly after: string
      }[]
      readonly problems: readonly {
        readonly registry: string
        readonly message: string
      }[]
    }
  }
  /** Show a package: its hash, message, metadata and size. */
  'packages.show': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly computedHash: string | null
      readonly modified: string | null
      readonly message: string | null
      /** metadata from its maker, any JSON; null without metadata */
      readonly userMeta: unknown
      /** the workflow that checked it, any JSON; null without a workflow */
      readonly workflow: unknown
      readonly totalEntries: number
      readonly totalBytes: number
      readonly problem?: string
    }
  }
  /** List the revisions of a package, the newest first. */
  'packages.log': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** maximum number of revisions */
      readonly limit?: number
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly latest: string | null
      readonly total: number
      readonly revisions: readonly {
        readonly hash: string
        readonly modified: string
        readonly pointers: readonly string[]
        readonly isLatest: boolean
        readonly message: string | null
        readonly problem?: string
      }[]
    }
  }
  /** Show the differences between two revisions or two packages. */
  'packages.diff': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly before: string
      /** another revision of the same package, or another package */
      readonly after: string
      /** maximum number of changes to list */
      readonly limit?: number
    }
    answer: {
      readonly before: {
        readonly bucket: string
        readonly name: string
        readonly hash: string
      }
      readonly after: {
        readonly bucket: string
        readonly name: string
        readonly hash: string
      }
      readonly message: {
        readonly before: string | null
        readonly after: string | null
      }
      readonly metadata: readonly {
        readonly change: 'added' | 'removed' | 'changed'
        readonly path: string
        readonly before?: string
        readonly after?: string
      }[]
      readonly header: readonly ('userMeta' | 'workflow')[]
      readonly added: number
      readonly removed: number
      readonly changed: number
      readonly unchanged: number
      readonly changes: readonly {
        readonly change: 'added' | 'removed' | 'changed'
        readonly logicalKey: string
        readonly differences?: readonly ('size' | 'hash' | 'meta')[]
        readonly before?: {
          readonly size: number | null
          readonly hash: {
            readonly type: string
            readonly value: string
          } | null
        }
        readonly after?: {
          readonly size: number | null
          readonly hash: {
            readonly type: string
            readonly value: string
          } | null
        }
      }[]
    }
  }
  /** List the entries of a package. */
  'packages.ls': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** a directory of the package; default its root */
      readonly path?: string
      /** maximum number of names */
      readonly limit?: number
      /** continue after this name */
      readonly after?: string
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly path: string
      /** metadata of the directory from its maker; null without metadata */
      readonly userMeta: unknown
      readonly totalEntries: number
      readonly totalBytes: number
      readonly totalChildren: number
      readonly children: readonly {
        readonly kind: string
        readonly name: string
        readonly totalEntries?: number
        readonly totalBytes?: number
        readonly size?: number | null
        readonly hash?: {
          readonly type: string
          readonly value: string
        } | null
        readonly physicalKey?: string
        /** metadata from its maker; null without metadata */
        readonly userMeta?: unknown
      }[]
      readonly next?: string
    }
  }
  /** Print an entry of a package, after checking its hash. */
  'packages.cat': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** the path of an entry; default the one in the address */
      readonly path?: string
      /** maximum size in bytes of a text on a terminal; a file or a pipe gets everything */
      readonly maxBytes?: number
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly path: string
      readonly size: number
      readonly text: string
      readonly replaced: number
      readonly isVerified: boolean
    }
  }
  /** Verify a package: the hash of its manifest, then the size and hash of every entry. */
  'packages.verify': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** check only the manifest, and read no entry */
      readonly topHashOnly?: boolean
      /** compare the entries with the files of this directory instead of the objects in the bucket */
      readonly dir?: string
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly computedHash: string | null
      readonly isGood: boolean
      readonly isTopHashGood: boolean
      readonly totalEntries: number
      readonly totalBytes: number
      readonly verified: number
      readonly counts: Readonly<Record<string, number>>
      readonly reports: readonly {
        readonly line: number
        readonly logicalKey: string
        readonly problem: string
        readonly detail: string
      }[]
      readonly problem?: string
    }
  }
  /** Download a package into a directory, and check every hash. */
  'packages.get': {
    reads: false
    input: {
      /** COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** the directory to write to; created if missing */
      readonly dir: string
      /** an entry or a directory of the package; default all of it */
      readonly path?: string
      /** replace files that differ; by default they stay, and are listed */
      readonly force?: boolean
      /** write files that start programs by their names, such as .git/ and .claude/settings.json; by default they are left out, and listed */
      readonly allowExecutableConfig?: boolean
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly dir: string
      readonly entries: number
      readonly bytes: number
      readonly written: number
      readonly writtenBytes: number
      readonly current: number
      readonly unchecked: number
      readonly counts: Readonly<Record<string, number>>
      readonly reports: readonly {
        readonly line: number
        readonly logicalKey: string
        readonly problem: string
        readonly detail: string
      }[]
    }
  }
  /** Push the changes in a directory as a new revision of a package, as quilt3 does. */
  'packages.push': {
    reads: false
    input: {
      /** the directory to push */
      readonly dir: string
      /** the name of the package, new or existing */
      readonly name: string
      /** a collection, or s3://BUCKET */
      readonly registry: string
      /** a message that says what changed */
      readonly message?: string
      /** metadata of the package: a file with a JSON object, or the object; default as in the revision before */
      readonly metaFile?: string
      /** metadata of the package, as a JSON object */
      readonly meta?: string
      /** metadata of an entry, as a JSON object, or null to remove it; default as in the revision before */
      readonly entryMeta?: readonly string[]
      /** metadata of several entries: a file with a JSON object by their keys */
      readonly entryMetaFile?: string
      /** remove this entry or directory from the package; nothing else is ever removed */
      readonly remove?: readonly string[]
      /** a workflow of the registry, or "none"; default the default workflow of the registry */
      readonly workflow?: string
      /** push this file although it looks like a secret; a path relative to the directory */
      readonly secret?: readonly string[]
      /** write nothing, and list what would change */
      readonly dryRun?: boolean
      /** write; without it, only show what would be written */
      readonly yes?: boolean
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly place: string
      readonly parent: string | null
      readonly isPushed: boolean
      readonly isCurrent: boolean
      readonly totalEntries: number
      readonly totalBytes: number
      readonly uploaded: number
      readonly uploadedBytes: number
      readonly absent: number
      readonly changed: number
      readonly changes: readonly {
        readonly change: 'added' | 'changed' | 'metadata' | 'removed'
        readonly logicalKey: string
        readonly differences?: readonly ('size' | 'hash' | 'meta')[]
        readonly before?: {
          readonly size: number | null
          readonly hash: {
            readonly type: string
            readonly value: string
          } | null
        }
        readonly after?: {
          readonly size: number | null
          readonly hash: {
            readonly type: string
            readonly value: string
          } | null
        }
      }[]
      readonly message: {
        readonly before: string | null
        readonly after: string | null
      }
      readonly metadata: readonly {
        readonly change: 'added' | 'removed' | 'changed'
        readonly path: string
        readonly before?: string
        readonly after?: string
      }[]
      readonly ignored: number
      readonly secrets: readonly {
        readonly path: string
        readonly what: string
      }[]
      readonly isUncompared: boolean
      readonly rivals: readonly string[]
      readonly isDryRun: boolean
    }
  }
  /** List conversations, the most recent first. */
  'conversations.list': {
    reads: true
    input: {
      /** maximum number of conversations */
      readonly limit?: number
      /** continue at "next" of the previous page */
      readonly after?: string
    }
    answer: {
      readonly conversations: readonly {
        readonly id: string
        readonly title: string
        /** the last place */
        readonly place: string
        /** the model of the last answer */
        readonly model: string
        /** ISO 8601, UTC */
        readonly createdAt: string
        /** ISO 8601, UTC */
        readonly updatedAt: string
        readonly exchanges: number
      }[]
      readonly next?: string
    }
  }
  /** Show a conversation: questions, answers and tool calls. */
  'conversations.show': {
    reads: true
    input: {
      /** the id of a conversation, as "ambit conversation list" shows it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** the last place */
      readonly place: string
      /** the model of the last answer */
      readonly model: string
      /** ISO 8601, UTC */
      readonly createdAt: string
      /** ISO 8601, UTC */
      readonly updatedAt: string
      readonly exchanges: number
      readonly messages: readonly {
        readonly id: string
        readonly role: 'user' | 'assistant'
        readonly parts: readonly Readonly<Record<string, unknown>>[]
        readonly metadata: Readonly<Record<string, unknown>>
      }[]
    }
  }
  /** Rename a conversation. */
  'conversations.rename': {
    reads: false
    input: {
      /** the id of a conversation, as "ambit conversation list" shows it */
      readonly id: string
      /** the new title, up to 200 characters */
      readonly title: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** the last place */
      readonly place: string
      /** the model of the last answer */
      readonly model: string
      /** ISO 8601, UTC */
      readonly createdAt: string
      /** ISO 8601, UTC */
      readonly updatedAt: string
      readonly exchanges: number
    }
  }
  /** Remove a conversation. */
  'conversations.remove': {
    reads: false
    input: {
      /** the id of a conversation, as "ambit conversation list" shows it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** the last place */
      readonly place: string
      /** the model of the last answer */
      readonly model: string
      /** ISO 8601, UTC */
      readonly createdAt: string
      /** ISO 8601, UTC */
      readonly updatedAt: string
      readonly exchanges: number
    }
  }
  /** Print a conversation as Markdown. */
  'conversations.export': {
    reads: true
    input: {
      /** the id of a conversation, as "ambit conversation list" shows it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      readonly markdown: string
    }
  }
  /** Start research on a question in the background. */
  'research.start': {
    reads: false
    input: {
      /** the question */
      readonly question: string
      /** files to answer from */
      readonly files?: readonly string[]
      /** collections to search; default all that are not paused */
      readonly collections?: readonly string[]
      /** search in the collections */
      readonly searchCollections?: boolean
      /** search the web, too, with this provider; "default" is the configured one */
      readonly web?: 'default' | 'searxng' | 'tavily' | 'brave' | 'exa' | 'serper'
      /** use no models */
      readonly extractive?: boolean
      /** the model of all stages: provider/model */
      readonly model?: string
      /** the model of all stages, or STAGE=MODEL for one; stages are digest, queries, synthesis, decompose, router, report */
      readonly models?: readonly string[]
      /** stop after planning, so that you can change the questions */
      readonly plan?: boolean
      /** start with the files and findings of this session */
      readonly follows?: string
      /** levels of questions; default 3 */
      readonly depth?: number
      /** maximum number of model requests; default 400 */
      readonly calls?: number
      /** maximum number of tokens; default 4000000 */
      readonly tokens?: number
      /** maximum cost in US dollars, for models whose price is known */
      readonly cost?: number
      /** maximum time in minutes; default 60 */
      readonly minutes?: number
      /** maximum number of questions; default 60 */
      readonly nodes?: number
      /** maximum number of web searches */
      readonly searches?: number
      /** maximum number of web pages to read */
      readonly pages?: number
      /** the price of models whose price is not known, in US dollars per million tokens */
      readonly price?: string
      /** questions to work on at once; default 4 */
      readonly concurrency?: number
      /** the language of the report */
      readonly language?: string
      /** only web pages of this day or later: 2026-05-31 */
      readonly from?: string
      /** only web pages of this day or earlier */
      readonly to?: string
      /** only web pages of these domains */
      readonly allowedDomains?: readonly string[]
      /** no web pages of these domains */
      readonly blockedDomains?: readonly string[]
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** List research sessions, the newest first. */
  'research.list': {
    reads: true
    input: {
      /** maximum number of sessions */
      readonly limit?: number
      /** list sessions older than this one */
      readonly before?: string
    }
    answer: {
      readonly sessions: readonly {
        readonly session_id: string
        readonly question: string
        readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
        readonly follows: string | null
        readonly created_at: string
        readonly updated_at: string
      }[]
      readonly search_providers: readonly ('searxng' | 'tavily' | 'brave' | 'exa' | 'serper')[]
    }
  }
  /** Show a research session: its files, its questions, and the evidence for each. */
  'research.show': {
    reads: true
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** Resume a research session where it stopped. */
  'research.resume': {
    reads: false
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** Stop a research session for good, and write a report of what it found. */
  'research.stop': {
    reads: false
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** Show the plan of a research session, or change its questions. */
  'research.plan': {
    reads: false
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
      /** add a question, even after the report */
      readonly add?: readonly string[]
      /** drop the question with this number */
      readonly drop?: readonly string[]
      /** answer the question with this number as it is, without dividing it */
      readonly pin?: readonly string[]
      /** change the question with this number */
      readonly edit?: readonly string[]
      /** a part of the question that the report must answer; these parts replace the parts of the brief */
      readonly part?: readonly string[]
      /** form and length of the report */
      readonly form?: string
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** Write the report of a research session again from its findings. */
  'research.redo': {
    reads: false
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
    }
    answer: {
      readonly session_id: string
      readonly question: string
      readonly status: 'created' | 'queued' | 'running' | 'planned' | 'paused' | 'completed' | 'stopped' | 'failed' | 'quarantined'
      readonly follows: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly revision: number
      readonly seq: number
      readonly settings: Readonly<Record<string, unknown>>
      readonly context_processing: {
        readonly status: string
        readonly files_total: number
        readonly files_ready: number
        readonly files_error: number
      }
      readonly files: readonly {
        readonly id: string
        readonly name: string
        readonly alias: string
        readonly size: number
        readonly type: string
        readonly sha256: string
        readonly status: 'uploaded' | 'ready' | 'error'
        readonly reason?: string
        readonly items_count?: number
        readonly rejected_count?: number
      }[]
      readonly nodes: readonly {
        readonly id: string
        readonly parent: string | null
        readonly question: string
        readonly depth: number
        readonly status: string
        readonly answered: 'yes' | 'part' | 'no'
        readonly parts: readonly {
          readonly text: string
          readonly answered: 'yes' | 'part' | 'no'
        }[]
        readonly pinned: boolean
        readonly evidence: readonly string[]
        readonly queries: readonly string[]
        readonly findings: readonly {
          readonly text: string
          readonly ref: string
          readonly kind: string
          readonly is_row?: boolean
          readonly sql?: string
        }[]
        readonly gaps: readonly string[]
        readonly reasoning: string
        readonly slice: {
          readonly node_id: string
          readonly selection_reason: string
          readonly selected_items?: readonly {
            readonly id: string
            readonly kind: string
            readonly text: string
            readonly quote?: string
            readonly sources: readonly string[]
            readonly why_relevant?: string
          }[]
          readonly selected_items_count: number
          readonly coverage_note: string
          readonly dropped_items_count: number
          readonly mode: 'root' | 'routed' | 'fallback' | 'passthrough' | 'none'
        } | null
        readonly orphans: readonly string[]
      }[]
      readonly spent: {
        readonly calls: number
        readonly input: number
        readonly output: number
        readonly cost?: number
        readonly searches?: number
        readonly pages?: number
      }
      readonly brief?: {
        readonly parts: readonly string[]
        readonly reader: string
        readonly form: string
        readonly missing: readonly string[]
      }
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly hint?: string
      } | null
      readonly ui_debug: boolean
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
      } | null
    }
  }
  /** Print the report of a research session. */
  'research.export': {
    reads: true
    input: {
      /** the beginning of the id of a session; "last" is the newest */
      readonly session: string
      /** the format of the report; bib and csl are its sources, as BibTeX and CSL-JSON */
      readonly format?: 'md' | 'html' | 'docx' | 'pdf' | 'bib' | 'csl'
      /** the number of the report, from 1; default the newest */
      readonly version?: number
    }
    answer: {
      readonly session_id: string
      readonly format: 'md' | 'html' | 'docx' | 'pdf' | 'bib' | 'csl'
      readonly text: string
      readonly encoding?: 'base64'
      readonly version: number
      readonly versions: number
      readonly report: {
        readonly session_id: string
        readonly question: string
        readonly grade: 'full' | 'partial' | 'none'
        readonly is_partial: boolean
        readonly markdown: string
        readonly branches: readonly {
          readonly id: string
          readonly question: string
          readonly status: string
          readonly evidence: readonly string[]
          readonly gaps: readonly string[]
        }[]
        readonly conflicts: readonly {
          readonly text: string
          readonly refs: readonly string[]
        }[]
        readonly gaps: readonly string[]
        readonly parts?: readonly {
          readonly text: string
          readonly answered: 'answered' | 'part' | 'absent' | 'open'
          readonly lacks?: string
        }[]
        readonly quotes: {
          readonly proven: number
          readonly unproven: readonly {
            readonly quote: string
            readonly ref?: string
          }[]
        }
        readonly claims: readonly {
          readonly text: string
          readonly start: number
          readonly end: number
          readonly citations: readonly string[]
          readonly verdict: 'supported' | 'partly' | 'unsupported' | 'unchecked' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
          readonly searches?: number
          readonly pages?: number
        }
        readonly sources: readonly {
          readonly ref: string
          readonly kind: string
          readonly title: string
          readonly author?: string
          readonly file?: string
          readonly page?: number
          readonly lines?: {
            readonly start: number
            readonly end: number
          }
          readonly offsets?: {
            readonly start: number
            readonly end: number
          }
          readonly headings?: readonly string[]
          readonly dates?: readonly {
            readonly what: 'published' | 'modified'
            readonly day: string
            readonly where: string
          }[]
          readonly text: string
        }[]
      }
    }
  }
  /** Create an access token for the server; its secret is shown once. */
  'token.create': {
    reads: false
    input: {
      /** the name of the owner; tokens with the same name share their data */
      readonly name: string
      /** what the token allows; no scope implies another (default: read) */
      readonly scope?: readonly ('read' | 'write' | 'research' | 'admin')[]
      /** the collections that it may see (default: all) */
      readonly collection?: readonly string[]
      /** days until it expires (default: never) */
      readonly expires?: number
    }
    answer: {
      readonly id: string
      readonly name: string
      readonly scopes: readonly ('read' | 'write' | 'research' | 'admin')[]
      readonly collections?: readonly string[]
      readonly createdAt: string
      readonly expiresAt?: string
      readonly usedAt?: string
      readonly revokedAt?: string
      readonly state: 'good' | 'expired' | 'revoked'
      readonly token: string
    }
  }
  /** List the access tokens: owner, scopes and last use. */
  'token.list': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly tokens: readonly {
        readonly id: string
        readonly name: string
        readonly scopes: readonly ('read' | 'write' | 'research' | 'admin')[]
        readonly collections?: readonly string[]
        readonly createdAt: string
        readonly expiresAt?: string
        readonly usedAt?: string
        readonly revokedAt?: string
        readonly state: 'good' | 'expired' | 'revoked'
      }[]
    }
  }
  /** Revoke a token, or all tokens of a name, for good; the owner's data stays. */
  'token.revoke': {
    reads: false
    input: {
      /** the id of a token, or a name for all its tokens */
      readonly token: string
    }
    answer: {
      readonly revoked: readonly {
        readonly id: string
        readonly name: string
        readonly scopes: readonly ('read' | 'write' | 'research' | 'admin')[]
        readonly collections?: readonly string[]
        readonly createdAt: string
        readonly expiresAt?: string
        readonly usedAt?: string
        readonly revokedAt?: string
        readonly state: 'good' | 'expired' | 'revoked'
      }[]
    }
  }
  /** Show which models and which web search are set; keys are never shown. */
  'settings.show': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly providers: {
        readonly model: readonly string[]
        readonly search: readonly string[]
      }
      readonly file: string | null
      readonly model: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly search: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly embedding: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly reranking: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
    }
  }
  /** Set models and the web search, in the configuration file; a server uses them at once. */
  'settings.set': {
    reads: false
    input: {
      /** the language model, such as anthropic/NAME; "" for none */
      readonly model?: string
      /** the base URL; default the URL of the provider */
      readonly modelUrl?: string
      /** the key; a change of provider or URL removes the old key */
      readonly modelKey?: string
      /** the web search; "" for none */
      readonly search?: string
      /** the base URL; default the URL of the provider */
      readonly searchUrl?: string
      /** the key; a change of provider or URL removes the old key */
      readonly searchKey?: string
      /** the embedding model, as its service calls it, or openai/NAME; "" to use no service */
      readonly embedding?: string
      /** the base URL of the service */
      readonly embeddingUrl?: string
      /** the key; a change of URL removes the old key */
      readonly embeddingKey?: string
      /** the reranking model, as its service calls it; anthropic/NAME and the like need no URL; "" for none */
      readonly reranking?: string
      /** the base URL of the service */
      readonly rerankingUrl?: string
      /** the key; a change of URL removes the old key */
      readonly rerankingKey?: string
    }
    answer: {
      readonly providers: {
        readonly model: readonly string[]
        readonly search: readonly string[]
      }
      readonly file: string | null
      readonly model: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly search: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly embedding: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
      readonly reranking: {
        readonly name?: string
        readonly url?: string
        readonly hasKey: boolean
        readonly isFixed: boolean
      }
    }
  }
}

/** Operations that change nothing: they are asked by GET, too. */
export const READING: ReadonlySet<string> = new Set<keyof Operations>([
  'load',
  'task',
  'explain',
  'check',
  'diff',
  'doctor',
  'collections.list',
  'collections.show',
  'indexing.list',
  'search',
  'get',
  'multi-get',
  'ls',
  'browse',
  'status',
  'contexts.list',
  'contexts.check',
  'contexts.export',
  'packages.list',
  'packages.search',
  'packages.show',
  'packages.log',
  'packages.diff',
  'packages.ls',
  'packages.cat',
  'packages.verify',
  'conversations.list',
  'conversations.show',
  'conversations.export',
  'research.list',
  'research.show',
  'research.export',
  'token.list',
  'settings.show',
])

/** Agents whose files can be loaded. */
export const PROFILES: readonly string[] = [
  'ambit',
  'codex',
  'claude',
  'gemini',
  'cursor',
  'copilot',
  'kodelet',
  'copilot-cli',
  'vscode',
  'opencode',
  'kilo',
  'cline',
  'qwen',
  'crush',
  'kiro',
  'factory',
  'roo',
  'windsurf',
  'zed',
  'amp',
  'junie',
  'goose',
  'aider',
]

/** RFC 9457, with the code of the error and what to do about it. */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: 'not-found' | 'invalid-input' | 'conflict' | 'denied' | 'untrusted' | 'unavailable' | 'over-limit' | 'cancelled' | 'internal'
  readonly hint?: string
}
