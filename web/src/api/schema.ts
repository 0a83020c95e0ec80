/** Made from the OpenAPI document by `npm run reference`; a test compares. */

/** What the server can do, by name. */
export interface Operations {
  /** Print the context that applies at a place, under a token budget. */
  load: {
    reads: true
    input: {
      /** a directory or a file on disk, collection/path, or quilt+s3://bucket#package=namespace/name */
      readonly place?: string
      /** most tokens of the text; default 8000, of what is not on disk none */
      readonly budget?: number
      /** how the text is written; default markdown, of what is not on disk xml */
      readonly format?: 'markdown' | 'xml'
      /** a path that the agent read or wrote */
      readonly touched?: readonly string[]
      /** what the agent is about to do; text about it is kept first */
      readonly task?: string
      /** the lines of code that bear on the task, under the same budget */
      readonly code?: boolean
      /** load as this tool would (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or by the profile in a YAML file; default ambit */
      readonly profile?: string
      /** which instruction files are printed first */
      readonly order?: 'specific-first' | 'general-first'
      /** how tokens are counted; default bytes4 */
      readonly tokens?: 'bytes4' | 'o200k'
      /** the user's own instruction files */
      readonly home?: boolean
      /** the instruction files, which many agents read by themselves */
      readonly instructions?: boolean
      /** the context directory at the root, too, of places not on disk (those on disk have theirs anyway) */
      readonly withContextDir?: boolean
      /** marks on what cites things that are gone */
      readonly drift?: boolean
      /** what the reader has, by the digests in "sent" of earlier answers: it is not printed again */
      readonly known?: readonly string[]
      /** content and structure of the files in JSON, and what is shown of each */
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
      readonly sent: readonly {
        readonly uri: string
        readonly digest: string
      }[]
    }
  }
  /** Print what to read for a task: lines of code and passages of instructions, under a token budget. */
  task: {
    reads: true
    input: {
      /** what is to be done: a sentence, an issue, a log, a stack trace or a diff; - reads it from stdin */
      readonly task: string
      /** a directory or a file of the project; what is there comes first */
      readonly place?: string
      /** most tokens of the text */
      readonly budget?: number
      /** most files that lines are shown of; default 6 */
      readonly files?: number
      /** how the text is written */
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
  /** Show what became of every file that was considered, and why. */
  explain: {
    reads: true
    input: {
      /** a directory or a file on disk, collection/path, or quilt+s3://bucket#package=namespace/name */
      readonly place?: string
      /** a file: why it is, or is not, in the context */
      readonly whyNot?: string
      /** most tokens of the text; default 8000, of what is not on disk none */
      readonly budget?: number
      /** a path that the agent read or wrote */
      readonly touched?: readonly string[]
      /** what the agent is about to do; text about it is kept first */
      readonly task?: string
      /** load as this tool would (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or by the profile in a YAML file; default ambit */
      readonly profile?: string
      /** how tokens are counted; default bytes4 */
      readonly tokens?: 'bytes4' | 'o200k'
      /** the user's own instruction files */
      readonly home?: boolean
      /** the context directory at the root, too, of places not on disk */
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
  /** Find what has gone stale in context files: paths, commands, anchors, sizes, what is hidden. */
  check: {
    reads: true
    input: {
      /** a directory, or a file in it */
      readonly place?: string
      /** most tokens that one file should take; default 8000 */
      readonly budget?: number
      /** load as this tool would (ambit, codex, claude, gemini, cursor, copilot, kodelet, copilot-cli, vscode, opencode, cline, qwen, crush, kiro, factory, roo, windsurf, zed, amp, junie, goose, aider), or by the profile in a YAML file; default ambit */
      readonly profile?: string
      /** the user's own instruction files */
      readonly home?: boolean
      /** print a SARIF log, for code scanning */
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
  /** Compare which instruction files several tools see at a place. */
  diff: {
    reads: true
    input: {
      /** a directory, or a file in it */
      readonly place?: string
      /** which tools, or files with a profile, with commas between */
      readonly profile?: string
      /** what Ambit loads for a tool: nothing that a .gitignore keeps out */
      readonly strict?: boolean
      /** a path that the agent read or wrote */
      readonly touched?: readonly string[]
      /** the user's own instruction files */
      readonly home?: boolean
    }
    answer: {
      readonly place: string
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
    }
  }
  /** Write the skeletons of a context directory, or set up an agent, so that what applies reaches it. */
  init: {
    reads: false
    input: {
      /** a directory, or a file in it */
      readonly place?: string
      /** set up this agent, so that what applies reaches it */
      readonly agent?: 'claude' | 'codex' | 'cursor' | 'gemini' | 'opencode' | 'copilot' | 'vscode' | 'cline' | 'crush' | 'qwen' | 'kiro' | 'factory'
      /** for all who work on the project; the default */
      readonly project?: boolean
      /** for you, in all projects */
      readonly user?: boolean
      /** for you, in this project */
      readonly local?: boolean
      /** the hook brings code that bears on the first prompt of a session, too */
      readonly task?: boolean
      /** take out of the agent's settings what was put in */
      readonly remove?: boolean
      /** write the skeletons, too; without an agent they are written anyway */
      readonly skeletons?: boolean
      /** write without asking; skeletons are written anyway, unless --no-write */
      readonly write?: boolean
    }
    answer: {
      readonly place: string
      readonly root: string
      readonly files: readonly {
        readonly path: string
        readonly content: string
        readonly state: 'written' | 'would-write' | 'exists' | 'merged' | 'would-merge' | 'removed' | 'would-remove' | 'absent'
        readonly note?: string
      }[]
    }
  }
  /** Check the machine and the set-up, and say what to do about what is wrong. */
  doctor: {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly checks: readonly {
        readonly name: string
        readonly status: 'ok' | 'warning' | 'failed'
        readonly message: string
        readonly hint?: string
      }[]
    }
  }
  /** Name a tree of files that is to be searched. */
  'collections.add': {
    reads: false
    input: {
      /** what the collection is called from now on */
      readonly name: string
      /** the directory that holds its files, or a bucket: s3://BUCKET or s3://BUCKET/PREFIX */
      readonly root: string
      /** only files that match, such as "**\/*.md"; default all */
      readonly pattern?: readonly string[]
      /** no files that match */
      readonly exclude?: readonly string[]
      /** also files and directories with a dot before their name; those of agents and of GitHub always belong to it */
      readonly hidden?: boolean
      /** the rules of .gitignore: what they leave out belongs to it, too */
      readonly ignore?: boolean
      /** also a directory that is known to hold secrets, such as ~/.ssh */
      readonly yes?: boolean
      /** also index any piece of the texts, for contains:"…" in code; takes more room and time */
      readonly substrings?: boolean
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
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
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Rename a collection, with what was said of its paths. */
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
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Forget a collection, with what was said of its paths; its files stay. */
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
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Leave a collection out of searches that name none. */
  'collections.pause': {
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
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Take a collection into all searches again. */
  'collections.resume': {
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
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Index any piece of the texts of a collection, so that contains:"…" is quick, or only their words. */
  'collections.substrings': {
    reads: false
    input: {
      /** the name of a collection */
      readonly name: string
      /** whether any piece of its texts is indexed */
      readonly state?: 'on' | 'off'
    }
    answer: {
      readonly name: string
      readonly root: string
      readonly patterns: readonly string[]
      readonly exclude: readonly string[]
      readonly isPaused: boolean
      readonly hasSubstrings: boolean
      readonly createdAt: string
      readonly indexedAt?: string
      readonly documents: number
      readonly bytes: number
    }
  }
  /** Read what has changed in the collections, so that it is found. */
  index: {
    reads: false
    input: {
      /** collections; default all */
      readonly names?: readonly string[]
      /** read every file, whatever its size and times say */
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
  /** Send what is new to the embedding model, so that it is found by what it means. */
  embed: {
    reads: false
    input: {
      /** collections; default all */
      readonly names?: readonly string[]
      /** make all vectors anew */
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
  /** Find documents in the collections, and what their places are for. */
  search: {
    reads: true
    input: {
      /** words, "phrases", -without, word*, title:word, path:part, contains:"any text"; anything at all is a query */
      readonly query: string
      /** collections to look in; default all that are not paused */
      readonly collections?: readonly string[]
      /** most results */
      readonly limit?: number
      /** leave out what scores less: 0 to 1 */
      readonly minScore?: number
      /** only paths that match, such as "api/**" */
      readonly path?: readonly string[]
      /** only what was changed on this day or later */
      readonly after?: string
      /** only documents whose front matter says so */
      readonly where?: readonly string[]
      /** by words, by meaning, or by both; default both where an embedding model is set */
      readonly mode?: 'lexical' | 'vector' | 'hybrid'
      /** put the best in the order of the reranking model, where one is set */
      readonly rerank?: boolean
      /** the whole text of each document */
      readonly full?: boolean
      /** places that are shown of each document */
      readonly sections?: number
      /** what each result was found by */
      readonly explain?: boolean
      /** most tokens of what is printed; hits that have no room are dropped, each path context is said once */
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
      readonly notices: readonly string[]
    }
  }
  /** Print a document of a collection. */
  get: {
    reads: true
    input: {
      /** collection/path or the end of one, a uri, a path on disk, or #docid; with :10, :10-20 or :10:5 these lines */
      readonly path: string
      /** only these lines: 10-20, 10- or 10; 10:5 is five lines from line 10 on */
      readonly lines?: string
      /** most lines of each document */
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
    }
  }
  /** Print several documents. */
  'multi-get': {
    reads: true
    input: {
      /** a path as get takes it, a glob such as "docs/api/*.md", or several with commas between them */
      readonly pattern: string
      /** more of them */
      readonly more?: readonly string[]
      /** most bytes of all documents together; default 262144 */
      readonly maxBytes?: number
      /** most lines of each document */
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
      }[]
      readonly left: readonly {
        readonly path: string
        readonly detail: string
      }[]
    }
  }
  /** List what a place in a collection holds. */
  ls: {
    reads: true
    input: {
      /** a collection, or a directory in one; default all */
      readonly place?: string
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
    }
  }
  /** List what a place in a collection holds right now, whether it is indexed or not. */
  browse: {
    reads: true
    input: {
      /** a collection, or a directory or file in one; default all collections */
      readonly place?: string
      /** most entries */
      readonly limit?: number
      /** go on there: what the page before gave as next */
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
    }
  }
  /** Measure search by your own queries and the documents that are right for them. */
  bench: {
    reads: true
    input: {
      /** JSONL or YAML: of each query its text and the paths that are right, perhaps with grades */
      readonly file: string
      /** where queries are looked for that do not say it; default all that are not paused */
      readonly collections?: readonly string[]
    }
    answer: {
      readonly queries: number
      readonly modes: readonly {
        readonly mode: 'lexical' | 'vector' | 'hybrid' | 'rerank'
        /** 0 to 1 */
        readonly ndcg10: number
        /** 0 to 1 */
        readonly mrr10: number
        /** 0 to 1 */
        readonly recall10: number
        readonly degraded: number
        readonly misses: readonly {
          readonly line: number
          readonly query: string
          readonly found: number
          readonly relevant: number
          readonly missing: readonly string[]
        }[]
      }[]
      readonly unknown: readonly {
        readonly line: number
        readonly path: string
        readonly detail: string
      }[]
    }
  }
  /** Show the database, and the state of each collection. */
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
        readonly createdAt: string
        readonly indexedAt?: string
        readonly documents: number
        readonly bytes: number
        readonly skipped?: number
        readonly isIndexing?: boolean
        readonly problem?: string
      }[]
    }
  }
  /** Say what a place in a collection is for, instead of what was said of it before. */
  'contexts.add': {
    reads: false
    input: {
      /** COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk in one, or / for everything; default / */
      readonly path?: string
      /** what the place is for, in up to 8192 characters */
      readonly text: string
    }
    answer: {
      /** null for what holds everywhere */
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
  /** List what was said of collections and their paths. */
  'contexts.list': {
    reads: true
    input: Readonly<Record<string, never>>
    answer: {
      readonly contexts: readonly {
        /** null for what holds everywhere */
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
  /** Find collections and folders that nothing was said of, and what was said of places that are gone. */
  'contexts.check': {
    reads: true
    input: {
      /** fail for folders that nothing was said of, too */
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
        /** null for what holds everywhere */
        readonly collection: string | null
        readonly pathPrefix: string
        readonly context: string
      }[]
      readonly strict: boolean
    }
  }
  /** Take away what was said of a place. */
  'contexts.remove': {
    reads: false
    input: {
      /** COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk in one, or / for everything */
      readonly path: string
    }
    answer: {
      /** null for what holds everywhere */
      readonly collection: string | null
      readonly pathPrefix: string
      readonly removed: boolean
    }
  }
  /** Take over the collections and contexts of a YAML file, such as that of qmd. */
  'contexts.import': {
    reads: false
    input: {
      /** a YAML file of collections and contexts, such as that of qmd */
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
  /** Print all collections and contexts as YAML that "context import" takes. */
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
      /** a collection, COLLECTION/NAMESPACE/ for some of its packages, or s3://BUCKET; default all collections */
      readonly registry?: string
      /** most names of a collection */
      readonly limit?: number
      /** go on behind this name */
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
      /** what it is about: words of its name, message, metadata or paths */
      readonly words: readonly string[]
      /** a collection, COLLECTION/NAMESPACE/ for some of its packages, or s3://BUCKET; default all collections */
      readonly registry?: string
      /** most packages */
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
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly computedHash: string | null
      readonly modified: string | null
      readonly message: string | null
      /** what its maker says of it, any JSON; null when nothing */
      readonly userMeta: unknown
      /** what it was checked by, any JSON; null when nothing */
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
      /** most revisions */
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
  /** Show what differs between two revisions, or two packages. */
  'packages.diff': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly before: string
      /** as the first; of the same package, or of another */
      readonly after: string
      /** most changes told one by one */
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
  /** List what a package holds. */
  'packages.ls': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** a directory in the package; default all of it */
      readonly path?: string
      /** most names */
      readonly limit?: number
      /** go on behind this name */
      readonly after?: string
    }
    answer: {
      readonly bucket: string
      readonly name: string
      readonly hash: string
      readonly path: string
      /** what its maker says of the directory; null when nothing */
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
        /** what its maker says of it; null when nothing */
        readonly userMeta?: unknown
      }[]
      readonly next?: string
    }
  }
  /** Print an entry of a package, held against its hash. */
  'packages.cat': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** an entry; default the one in the address */
      readonly path?: string
      /** bytes of the largest text that is given at once; a file or a pipe takes all */
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
  /** Check a package: the hash of its manifest, then the size and hash of every entry. */
  'packages.verify': {
    reads: true
    input: {
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** only the manifest: no entry is read */
      readonly topHashOnly?: boolean
      /** compare its entries with the files of this directory; default with the objects in the bucket */
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
  /** Write a package into a directory, each file checked against its hash. */
  'packages.get': {
    reads: false
    input: {
      /** COLLECTION/NAMESPACE/NAME, with @HASH or :TAG behind it for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME */
      readonly package: string
      /** the directory that it is written into; made where there is none */
      readonly dir: string
      /** an entry, or a directory of the package; default all of it */
      readonly path?: string
      /** replace files that differ; default they are left, and listed */
      readonly force?: boolean
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
  /** Make a directory a revision of a package, as quilt3 does. */
  'packages.push': {
    reads: false
    input: {
      /** the directory whose files are pushed */
      readonly dir: string
      /** the package: a new one, or one that is there */
      readonly name: string
      /** a collection, or s3://BUCKET */
      readonly registry: string
      /** what changed */
      readonly message?: string
      /** a JSON object: what is said of the package; default nothing */
      readonly meta?: string
      /** a workflow of the registry, or none; default the one that it names */
      readonly workflow?: string
      /** write; default only say what would be written */
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
      readonly ignored: number
    }
  }
  /** List the conversations with the assistant, those that were last changed first. */
  'conversations.list': {
    reads: true
    input: {
      /** most conversations */
      readonly limit?: number
      /** go on where the page before ended */
      readonly after?: string
    }
    answer: {
      readonly conversations: readonly {
        readonly id: string
        readonly title: string
        /** where the person stood last */
        readonly place: string
        /** which model answered last */
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
  /** Show a conversation: what was asked, answered and done. */
  'conversations.show': {
    reads: true
    input: {
      /** the id of a conversation, as the list has it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** where the person stood last */
      readonly place: string
      /** which model answered last */
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
  /** Call a conversation otherwise. */
  'conversations.rename': {
    reads: false
    input: {
      /** the id of a conversation, as the list has it */
      readonly id: string
      /** what it is called, in up to 200 characters */
      readonly title: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** where the person stood last */
      readonly place: string
      /** which model answered last */
      readonly model: string
      /** ISO 8601, UTC */
      readonly createdAt: string
      /** ISO 8601, UTC */
      readonly updatedAt: string
      readonly exchanges: number
    }
  }
  /** Forget a conversation. */
  'conversations.remove': {
    reads: false
    input: {
      /** the id of a conversation, as the list has it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      /** where the person stood last */
      readonly place: string
      /** which model answered last */
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
      /** the id of a conversation, as the list has it */
      readonly id: string
    }
    answer: {
      readonly id: string
      readonly title: string
      readonly markdown: string
    }
  }
  /** Begin research on a question, and go on while others are asked. */
  'research.start': {
    reads: false
    input: {
      /** what is to be found out */
      readonly question: string
      /** files that it is grounded in */
      readonly files?: readonly string[]
      /** collections that are searched; default all that are not paused */
      readonly collections?: readonly string[]
      /** search of the collections */
      readonly searchCollections?: boolean
      /** search the web, too, by this provider; "default" is the one that is set */
      readonly web?: 'default' | 'searxng' | 'tavily' | 'brave' | 'exa' | 'serper'
      /** do without models */
      readonly extractive?: boolean
      /** the model of all stages: provider/model */
      readonly model?: string
      /** the model of all stages, or STAGE=MODEL for one; stages are digest, queries, synthesis, sufficiency, decompose, router, report */
      readonly models?: readonly string[]
      /** wait for a person when the first questions are there */
      readonly plan?: boolean
      /** a session whose findings and files it begins with */
      readonly follows?: string
      /** levels of questions; default 3 */
      readonly depth?: number
      /** requests to models at most; default 400 */
      readonly calls?: number
      /** tokens at most; default 4000000 */
      readonly tokens?: number
      /** US dollars at most, of models whose price is known */
      readonly cost?: number
      /** minutes at most; default 60 */
      readonly minutes?: number
      /** questions at most; default 60 */
      readonly nodes?: number
      /** searches of the web at most */
      readonly searches?: number
      /** web pages that are read at most */
      readonly pages?: number
      /** what the models cost that have no known price: US dollars for a million tokens */
      readonly price?: string
      /** questions that are worked on at once; default 4 */
      readonly concurrency?: number
      /** language of the report */
      readonly language?: string
      /** web pages of this day or later: 2026-05-31 */
      readonly from?: string
      /** web pages of this day or earlier */
      readonly to?: string
      /** web pages of these domains only */
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** List the sessions of research, the newest first. */
  'research.list': {
    reads: true
    input: {
      /** most sessions */
      readonly limit?: number
      /** those that were made before this one */
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
    }
  }
  /** Show a session of research: its files, its questions, and what each of them was given. */
  'research.show': {
    reads: true
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** Go on with a session of research, where it was left. */
  'research.resume': {
    reads: false
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** Stop a session of research for good, with a report of what there is. */
  'research.stop': {
    reads: false
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** Show the first questions of a session of research, or change them before it goes on. */
  'research.plan': {
    reads: false
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
      readonly session: string
      /** a question that is asked, too */
      readonly add?: readonly string[]
      /** a question that is not asked, by its number */
      readonly drop?: readonly string[]
      /** a question that is answered as it is, and not divided */
      readonly pin?: readonly string[]
      /** other words for a question */
      readonly edit?: readonly string[]
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** Make the report of a session of research again, from what it found out. */
  'research.redo': {
    reads: false
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
      } | null
    }
  }
  /** Print the report of a session of research. */
  'research.export': {
    reads: true
    input: {
      /** a session, by the beginning of its id; "last" is the newest */
      readonly session: string
      /** how the report is written; as JSON it has all that it rests on */
      readonly format?: 'md' | 'html'
    }
    answer: {
      readonly session_id: string
      readonly format: 'md' | 'html'
      readonly text: string
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
          readonly verdict: 'supported' | 'unsupported' | 'uncited'
          readonly why?: string
        }[]
        readonly unknown_refs: readonly string[]
        readonly stages: Readonly<Record<string, readonly string[]>>
        readonly spent: {
          readonly calls: number
          readonly input: number
          readonly output: number
          readonly cost?: number
        }
        readonly sources: readonly {
          readonly ref: string
          readonly kind: string
          readonly title: string
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
          readonly text: string
        }[]
      }
    }
  }
  /** Make a token for somebody who asks a server; its secret is shown once. */
  'token.create': {
    reads: false
    input: {
      /** whose it is: what they keep is kept under it, and a second token of the name sees it too */
      readonly name: string
      /** what it lets do; none implies another (default: read) */
      readonly scope?: readonly ('read' | 'write' | 'research' | 'admin')[]
      /** the only collections that there are for it (default: all) */
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
  /** List the tokens of a server: whose, what for, and when they were used. */
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
  /** Revoke a token, or all of a name, for good; what was kept under the name stays. */
  'token.revoke': {
    reads: false
    input: {
      /** its id, or a name for all that the name has */
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
  'search',
  'get',
  'multi-get',
  'ls',
  'browse',
  'bench',
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
])

/** RFC 9457, with the code of the error and what to do about it. */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: 'not-found' | 'invalid-input' | 'conflict' | 'denied' | 'untrusted' | 'unavailable' | 'over-limit' | 'cancelled' | 'internal'
  readonly hint?: string
}
