import { fstatSync, writeSync } from 'node:fs'
import { stripControls } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'
import { type Look, wrapLines } from './table.ts'

/** Exit code after Ctrl-C: 128 and the number of the signal. */
export const INTERRUPTED = 130

/** One of the two ways out, and what the other end can show. */
export interface Stream {
  /** Whether a person sees it. */
  readonly isTerminal: boolean
  /** Text from anywhere, without what is not seen; on a terminal, without control sequences, too. */
  write(text: string): void
  /** Bytes as they are, once they are taken. Not for a terminal. */
  bytes(bytes: Uint8Array): Promise<void>
  /** Writes drawn text with colours; foreign text in it has been cleaned. */
  draw(text: string): void
  readonly look: Look
}

/** Output streams of the command line. */
export interface Streams {
  /** The result. */
  readonly out: Stream
  /** Everything else. */
  readonly err: Stream
  /** Whether a person can be asked: there is a terminal at both ends. */
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
 * `process.stdout` takes milliseconds to load what terminals and sockets need. Where there is no terminal, the bytes are
 * written to the descriptor.
 */
function openStream(fd: 1 | 2, plain: boolean): Stream {
  const terminal = mayBeTerminal(fd) ? watchStream(fd) : undefined
  const isTerminal = terminal?.isTTY === true
  return {
    isTerminal,
    write: (text) => {
      const seen = neutralise(text).text
      if (!terminal) return writeAll(fd, seen)
      terminal.write(isTerminal ? shownLines(stripControls(seen), fd, terminal.columns) : seen)
    },
    // Through the stream, which keeps what is written in order, and waits for a reader that is slow.
    bytes: (bytes) => new Promise((resolve) => watchedOnce(fd).write(bytes, () => resolve())),
    draw: (text) => {
      const seen = neutralise(text).text
      return terminal ? terminal.write(seen) : writeAll(fd, seen)
    },
    look: { isTerminal, plain, columns: terminal?.columns },
  }
}

/** Sentences are wrapped at words; a result stays as it is, since it is copied. */
function shownLines(text: string, fd: 1 | 2, columns: number | undefined): string {
  return fd === 2 && columns ? wrapLines(text, columns) : text
}

function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice()
  } catch {
    return false
  }
}

const once = new Map<1 | 2, NodeJS.WriteStream>()

function watchedOnce(fd: 1 | 2): NodeJS.WriteStream {
  const stream = once.get(fd) ?? watchStream(fd)
  once.set(fd, stream)
  return stream
}

function watchStream(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr
  stream.on('error', (error: NodeJS.ErrnoException) => end(error, fd))
  return stream
}

/** A pipe that is full and must not be waited for is left to the stream, which waits. */
function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'EAGAIN') watchStream(fd).write(bytes.subarray(written))
    else end(error, fd)
  }
}

/** A reader that went away (`| head`) is no failure; a full disk is. */
function end(error: NodeJS.ErrnoException, fd: 1 | 2): void {
  if (error.code === 'EPIPE') process.exit()
  if (fd === 1) writeAll(2, `ambit: the output cannot be written: ${error.message}.\n`)
  process.exit(1)
}
