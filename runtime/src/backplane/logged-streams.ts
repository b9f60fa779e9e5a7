import type { RequestId } from "@mcpwright/protocol/contract";
import type { ResumptionOptions } from "../http-server/resumption-options.js";
import type { StreamEvents } from "../http-server/server-backplane.js";
import { ErrorCode } from "../jsonrpc/errors.js";
import { unref } from "../timing/timer-delay.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { LogStore, MaybePromise } from "./backplane-store.js";

/** An entry of the log of a stream. */
export interface StreamEntry {
  /** The ids of the requests to which the stream responds. */
  readonly requests: readonly RequestId[];
  /** The message as JSON text; empty at the end of the stream. */
  readonly text: string;
}

/** How often the end of a broken stream is written while the backplane fails, and the pause in between, in milliseconds. */
const [maxTries, pauseMs] = [10, 1_000];

const lostMessage = {
  code: ErrorCode.InternalError,
  message: "A message of this request could not be stored; the request may have been carried out",
};

/** Keeps the messages of each stream in a log. The id of a stream begins with that of its session and a dot. */
export class LoggedStreams implements StreamEvents {
  readonly #bounds: { readonly ttlMs: number; readonly maxEntries: number };

  constructor(
    readonly logs: LogStore,
    { ttlMs = 300_000, maxEvents = 10_000 }: ResumptionOptions,
  ) {
    this.#bounds = { ttlMs, maxEntries: maxEvents };
  }

  store(streamId: string, text: string, requests: readonly RequestId[]): MaybePromise<string> {
    const id = this.logs.append(logOfStream(streamId), `${JSON.stringify(requests)}\n${text}`, this.#bounds);
    return isPromiseLike(id) ? id.then((known) => eventId(streamId, known)) : eventId(streamId, id);
  }

  end(streamId: string, failed: readonly RequestId[] = []): MaybePromise<unknown> {
    if (failed.length > 0) return this.#fail(streamId, failed);
    return this.logs.append(logOfStream(streamId), "[]\n", this.#bounds);
  }

  /** Ends a stream with errors, as soon as the backplane is there again. */
  #fail(streamId: string, requests: readonly RequestId[]): Promise<void> {
    return untilWritten(async () => {
      // A call that failed may have stored its message.
      const { answered, isComplete } = await readProgress(this.logs, streamId);
      if (isComplete) return;
      for (const id of requests)
        if (!answered.has(id))
          await this.store(streamId, JSON.stringify({ jsonrpc: "2.0", id, error: lostMessage }), requests);
      await this.end(streamId);
    });
  }
}

/** How far a stream is. */
interface StreamProgress {
  /** The ids of the requests to which it responds. */
  readonly requests: readonly RequestId[];
  readonly answered: ReadonlySet<unknown>;
  readonly isComplete: boolean;
}

/** Reads all entries of a stream. @throws BackplaneError */
export async function readProgress(logs: LogStore, streamId: string): Promise<StreamProgress> {
  const limit = 1_000;
  const answered = new Set<unknown>();
  let last: StreamEntry | undefined;
  for (let after: string | undefined; ;) {
    const { entries } = await logs.read(logOfStream(streamId), { after, limit });
    for (const entry of entries) {
      last = toStreamEntry(entry.text);
      if (last.text) for (const id of responseIds(last.text)) answered.add(id);
    }
    after = entries.at(-1)?.id;
    if (entries.length < limit) return { requests: last?.requests ?? [], answered, isComplete: last?.text === "" };
  }
}

/** The ids of the requests to which a message or batch responds. */
function responseIds(text: string): readonly unknown[] {
  const messages = [JSON.parse(text) as object | readonly object[]].flat();
  return messages.flatMap((one) => ("id" in one && !("method" in one) ? [one.id] : []));
}

async function untilWritten(write: () => MaybePromise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await write();
      return;
    } catch (error) {
      if (tries === maxTries) throw error;
      await new Promise((resolve) => unref(setTimeout(resolve, pauseMs)));
    }
}

export function logOfStream(streamId: string): string {
  return `events:${streamId}`;
}

/** Reads an entry of the log of a stream. */
export function toStreamEntry(entry: string): StreamEntry {
  const at = entry.indexOf("\n");
  return { requests: JSON.parse(entry.slice(0, at)) as readonly RequestId[], text: entry.slice(at + 1) };
}

/** Returns the id of an event: unique in the session, whose id it does not repeat. */
export function eventId(streamId: string, entryId: string): string {
  return `${streamId.slice(streamId.indexOf(".") + 1)}_${entryId}`;
}

/** Returns the ids of the stream and of the entry that an event id consists of. Both are empty for another text. */
export function parseEventId(sessionId: string, id: string): [streamId: string, entryId: string] {
  const at = id.lastIndexOf("_");
  return at < 0 ? ["", ""] : [`${sessionId}.${id.slice(0, at)}`, id.slice(at + 1)];
}
