import { kills } from './kills.ts'
import type { Part } from './proving.ts'
import { cold, diskFull, indexers } from './stores.ts'
import { wal } from './wal.ts'

/** In the order in which they are tried. */
export const PARTS: readonly Part[] = [kills, wal, cold, indexers, diskFull]
