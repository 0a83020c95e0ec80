import { type Indexed, type NewSegment, SegmentBuilder, unflat } from '../../retrieval/segment.ts'
import { SideThread, TOGETHER } from './side-thread.ts'

/** Characters that are counted here, while the next files are read: so much is done again where there turn out to be more. */
const FEW = 512 * 1024

/** How many lists the thread is sent before it has answered. */
const MOST_UNANSWERED = 8

/**
 * Makes segments of documents: of a few here, of many in a thread beside the one that reads them. To count words is about
 * half of what it takes to index.
 */
export class Segmenter {
  readonly #thread = new SideThread()
  /** Of `#documents`, as long as there is no thread. */
  #builder = new SegmentBuilder()
  /** What waits to be sent; all of it, as long as there is no thread. */
  #documents: Indexed[] = []
  #characters = 0

  /** Waits for the thread when that has not kept up. */
  async add(document: Indexed): Promise<void> {
    this.#documents.push(document)
    this.#characters += document.body.length
    if (this.#characters < (this.#thread.isStarted ? TOGETHER : FEW)) {
      if (!this.#thread.isStarted) this.#builder.add(document)
      return
    }
    if (!this.#thread.isStarted) this.#builder = new SegmentBuilder()
    this.#send(this.#taken())
    await this.#thread.atMost(MOST_UNANSWERED)
  }

  /** The segment of what was added since the last one. */
  async finish(): Promise<NewSegment> {
    const documents = this.#taken()
    if (!this.#thread.isStarted) return this.#builder.finish()
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
