/** What is measured: something that indexes a folder of Markdown and answers queries about it. */
export interface Subject {
  readonly name: string
  /** Indexes every Markdown file under the folder; gives how many. */
  build(dir: string): Promise<number>
  /** Brings a built index up to date with the folder; gives how many files were indexed anew. Absent: it cannot. */
  update?(dir: string): Promise<number>
  /** Paths from the folder, best first. */
  query(text: string, k: number): Promise<readonly string[]>
  /** Bytes on disk; 0 for what lives in memory only. */
  size(): number | Promise<number>
  close(): Promise<void>
}

/** Where a subject may write, and what else it may need. */
export interface Place {
  /** An empty folder, or the one that was built in by another process. */
  readonly store: string
  /** Where qmd is installed. */
  readonly qmd?: string
  /** URL of an empty PostgreSQL database, or of the one that was built in. */
  readonly database?: string
}

export interface SubjectMaker {
  readonly name: string
  /** Whether the index is on disk, so that another process can open it. */
  readonly kept: boolean
  /** What of its place it cannot do without. */
  readonly needs?: 'qmd' | 'database'
  /** Whether it is ours, and held to the limits. */
  readonly ours?: boolean
  open(place: Place): Promise<Subject>
}
