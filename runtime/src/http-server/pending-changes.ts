/** More than the bytes of a character, and of what HTTP adds to an event. */
const [maxCharBytes, maxFrameBytes] = [3, 32];
/** The most changes to remember for one stream. A change that is forgotten is sent once more. */
const maxRemembered = 1_000;

/** The changes that wait on the stream of a client that reads slowly: an equal one need not be sent again. */
export class PendingChanges {
  /** At least the number of bytes that have been written since the queue was last empty. */
  #written = 0;
  /** The value of `#written` after each change, by its event. */
  readonly #ends = new Map<string, number>();

  /** Whether an equal change certainly waits: more bytes are queued than have been written after it. */
  has(event: string, queuedBytes: number): boolean {
    const end = this.#ends.get(event);
    return end !== undefined && queuedBytes > this.#written - end;
  }

  /** Called when an event is written while others wait. */
  add(event: string, isChange: boolean): void {
    this.#written += maxCharBytes * event.length + maxFrameBytes;
    if (!isChange) return;
    if (this.#ends.size >= maxRemembered) this.#ends.clear();
    this.#ends.set(event, this.#written);
  }

  /**
   * Writes an event of a stream, unless it is a change that waits already.
   * @param pending the changes of the stream; undefined while nothing waits
   * @returns the changes that wait now
   */
  static write(
    writer: { readonly queuedBytes: number; write(text: string): void },
    event: string,
    isChange: boolean,
    pending: PendingChanges | undefined,
  ): PendingChanges | undefined {
    const { queuedBytes } = writer;
    // A fast client needs no record.
    const changes = queuedBytes > 0 ? (pending ?? new PendingChanges()) : undefined;
    if (isChange && changes?.has(event, queuedBytes)) return changes;
    writer.write(event);
    changes?.add(event, isChange);
    return changes;
  }
}
