import { pause } from '../core/steps.ts'
import { type Indexed, type NewSegment, SegmentBuilder, unflat } from '../lexical/segment.ts'
import { SideThread, TOGETHER, WORTH_A_THREAD } from './side-thread.ts'

/** How many lists the thread is sent before it has answered. */
const MOST_UNANSWERED = 8

/** Documents counted between two pauses, where there is no thread. */
const SLICE = 64

/**
 * Makes segments of documents: of a few here, of many in a thread beside the one that reads them. To count words is about
 * half of what it takes to index.
 */
export class Segmenter {
  readonly #thread = new SideThread()
  /** What waits to be sent; all of it, as long as there is no thread. */
  #documents: Indexed[] = []
  #characters = 0

  /** Waits for the thread when that has not kept up. */
  async add(document: Indexed): Promise<void> {
    this.#documents.push(document)
    this.#characters += document.body.length
    if (this.#characters < (this.#thread.isStarted ? TOGETHER : WORTH_A_THREAD)) return
    this.#send(this.#taken())
    await this.#thread.atMost(MOST_UNANSWERED)
  }

  /** The segment of what was added since the last one. */
  async finish(): Promise<NewSegment> {
    const documents = this.#taken()
    if (!this.#thread.isStarted) return built(documents)
    this.#send(documents)
    return unflat(await this.#thread.ask('finish'))
  }

  #taken(): Indexed[] {
    const documents = this.#documents
    this.#documents = []
    this.#characters = 0
    return documents
  }

  /** Whoever asks for the segment hears of a failure. */
  #send(documents: readonly Indexed[]): void {
    this.#thread.ask('count', documents).catch(() => {})
  }

  /** Ends the thread; what was not waited for is given up. */
  end(): Promise<void> {
    return this.#thread.end()
  }
}

async function built(documents: readonly Indexed[]): Promise<NewSegment> {
  const builder = new SegmentBuilder()
  for (const [index, document] of documents.entries()) {
    if (index % SLICE === SLICE - 1) await pause()
    builder.add(document)
  }
  return builder.finish()
}
