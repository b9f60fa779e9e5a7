import type { RequestId } from "@mcpwright/protocol/contract";
import type { ResumptionOptions } from "../http-server/resumption-options.js";
import type { StreamEvents } from "../http-server/server-backplane.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { LogStore, MaybePromise } from "./backplane-store.js";

/** An entry of the log of a stream. */
export interface StreamEntry {
  /** The ids of the requests to which the stream responds. */
  readonly requests: readonly RequestId[];
  /** The message as JSON text; empty at the end of the stream. */
  readonly text: string;
}

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

  end(streamId: string): MaybePromise<unknown> {
    return this.logs.append(logOfStream(streamId), "[]\n", this.#bounds);
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
