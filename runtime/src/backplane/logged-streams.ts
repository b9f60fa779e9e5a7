import type { ResumptionOptions } from "../http-server/resumption-options.js";
import type { StreamEvents } from "../http-server/server-backplane.js";
import { SdkError } from "../jsonrpc/errors.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { LogStore, MaybePromise } from "./backplane-store.js";

const pageSize = 100;

/** Keeps the messages of each stream in a log. The id of an event consists of that of its stream and that of its entry. */
export class LoggedStreams implements StreamEvents {
  readonly #bounds: { readonly ttlMs: number; readonly maxEntries: number };

  constructor(
    readonly logs: LogStore,
    { ttlMs = 300_000, maxEvents = 10_000 }: ResumptionOptions,
  ) {
    this.#bounds = { ttlMs, maxEntries: maxEvents };
  }

  store(streamId: string, text: string): MaybePromise<string> {
    const id = this.logs.append(logOf(streamId), text, this.#bounds);
    return isPromiseLike(id) ? id.then((known) => `${streamId}_${known}`) : `${streamId}_${id}`;
  }

  async findStream(eventId: string): Promise<string | undefined> {
    const [streamId, after] = parse(eventId);
    if (streamId === "") return undefined;
    const { hasGap } = await this.logs.read(logOf(streamId), { after, limit: 1 });
    return hasGap ? undefined : streamId;
  }

  async replay(eventId: string, send: (id: string, text: string) => void | Promise<void>): Promise<void> {
    const parsed = parse(eventId);
    const [streamId] = parsed;
    let [, after] = parsed;
    for (;;) {
      const { entries, hasGap } = await this.logs.read(logOf(streamId), { after, limit: pageSize });
      if (hasGap) throw new SdkError("LIMIT_EXCEEDED", "events were dropped before they were sent to a slow client");
      for (const { id, text } of entries) {
        const waiting = send(`${streamId}_${id}`, text);
        if (waiting) await waiting;
        after = id;
      }
      if (entries.length < pageSize) return;
    }
  }
}

function logOf(streamId: string): string {
  return `events:${streamId}`;
}

function parse(eventId: string): [streamId: string, entryId: string] {
  const at = eventId.lastIndexOf("_");
  return at < 0 ? ["", ""] : [eventId.slice(0, at), eventId.slice(at + 1)];
}
