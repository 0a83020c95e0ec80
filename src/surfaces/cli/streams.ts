import { fstatSync, writeSync } from 'node:fs'
import { tryToRead } from '../../core/errors.ts'
import { stripControls } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'
import { type DisplayTraits, wrapLines } from './table.ts'

/** Exit code after Ctrl-C: 128 plus the number of the signal. */
export const INTERRUPTED = 130

/** Stdout or stderr, and what its reader can show. */
export interface Stream {
  /** Whether the stream is a terminal, which a person reads. */
  readonly isTerminal: boolean
  /** Writes any text, without invisible characters; on a terminal, also without control sequences. */
  write(text: string): void
  /** Writes bytes unchanged, and waits until the reader takes them. Not for a terminal. */
  bytes(bytes: Uint8Array): Promise<void>
  /** Writes text with control sequences of this program. The caller must remove control sequences from any other text. */
  draw(text: string): void
  readonly display: DisplayTraits
}

/** Output streams of the command line. */
export interface Streams {
  /** The result. */
  readonly out: Stream
  /** Everything else. */
  readonly err: Stream
  /** Whether the program can ask a person: stdin and stderr are terminals. */
  readonly canAsk: boolean
}

/** The streams of the process. `plain` refuses colour. */
export function streamsOf(plain: boolean): Streams {
  const err = openStream(2, plain)
  return {
    out: openStream(1, plain),
    err,
    get canAsk() {
      return err.isTerminal && process.stdin.isTTY === true
    },
  }
}

/**
 * Opens stdout or stderr. Without a terminal, text is written to the file descriptor, because `process.stdout` takes milliseconds
 * to load code for terminals and sockets.
 */
function openStream(fd: 1 | 2, plain: boolean): Stream {
  const terminal = tryToRead(() => fstatSync(fd).isCharacterDevice()) ? watchStream(fd) : undefined
  const isTerminal = terminal?.isTTY === true
  return {
    isTerminal,
    write: (text) => {
      const visible = neutralise(text).text
      if (!terminal) return writeAll(fd, visible)
      const shown = isTerminal ? stripControls(visible) : visible
      // Wraps messages on stderr at words. Results on stdout stay unchanged, so that they can be copied.
      terminal.write(isTerminal && fd === 2 && terminal.columns ? wrapLines(shown, terminal.columns) : shown)
    },
    // Uses Node's stream, which keeps the order and waits for a slow reader.
    bytes: (bytes) => new Promise((resolve) => watchStream(fd).write(bytes, () => resolve())),
    draw: (text) => {
      const visible = neutralise(text).text
      return terminal ? terminal.write(visible) : writeAll(fd, visible)
    },
    display: { isTerminal, plain, columns: terminal?.columns },
  }
}

const watchedStreams = new Set<1 | 2>()

/** Node's stream of a file descriptor. Its errors end the process. */
function watchStream(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr
  if (watchedStreams.has(fd)) return stream
  watchedStreams.add(fd)
  return stream.on('error', (error: NodeJS.ErrnoException) => endProcess(error, fd))
}

/** Writes synchronously. If a non-blocking pipe is full, Node's stream writes the rest when the pipe is free. */
function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'EAGAIN') watchStream(fd).write(bytes.subarray(written))
    else endProcess(error, fd)
  }
}

/** Ends the process after a write error: with success if the reader has closed the pipe (`| head`), else with a failure. */
function endProcess(error: NodeJS.ErrnoException, fd: 1 | 2): void {
  if (error.code === 'EPIPE') process.exit()
  if (fd === 1) writeAll(2, `ambit: the output cannot be written: ${error.message}.\n`)
  process.exit(1)
}
