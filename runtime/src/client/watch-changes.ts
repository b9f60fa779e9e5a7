import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { Change, ListKind } from "../connection/change.js";
import { deferred } from "../timing/deferred.js";
import { markHandled } from "../timing/mark-handled.js";
import type { Client } from "./client.js";

/** The changes to watch. */
export interface WatchedChanges {
  readonly lists?: readonly ListKind[];
  /** The URIs of resources. Changes of resources below them count, too. */
  readonly resources?: readonly string[];
}

/** Changes, as they arrive. Leave the loop or call `close` when you need no more. */
export interface ChangeWatch extends AsyncIterable<Change> {
  /** The URIs that the server lets the client watch. Rejects when a subscription fails. */
  readonly granted: Promise<readonly string[]>;
  /** Ends the loop and the subscriptions. */
  close(): Promise<void>;
}

/**
 * Watches lists and resources of a server, of any revision, as a loop. Equal changes that wait for the loop are one, so that a slow
 * reader misses nothing and nothing piles up. The watch goes on when the client connects again, with a change for everything that may
 * have been missed; it ends only with `close` or the loop.
 * @example
 * ```ts
 * for await (const { kind, uri } of watchChanges(client, { lists: ["tools"], resources: ["file:///log"] }))
 *   console.log(uri ?? `the list of ${kind}`, "has changed");
 * ```
 */
export function watchChanges<Sides extends readonly Side[], Extensions extends readonly Extension[]>(
  client: Client<Sides, Extensions>,
  { lists = [], resources = [] }: WatchedChanges,
): ChangeWatch {
  const waiting = new Map<string, Change>();
  let more = deferred();
  let isClosed = false;
  const add = (change: Change): void => {
    waiting.set(`${change.kind} ${change.uri ?? ""}`, change);
    more.resolve();
  };
  const onUpdate = (uri: string): void => add({ kind: "resources", uri });
  const stops = lists.map((kind) => client.onChanged(kind, () => add({ kind })));
  const granted = markHandled(
    Promise.all(resources.map((uri) => client.subscribeResource({ uri }, onUpdate))).then((grants) =>
      resources.filter((_uri, index) => grants[index]),
    ),
  );
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    waiting.clear();
    more.resolve();
    for (const stop of stops) stop();
    await Promise.all(resources.map((uri) => client.unsubscribeResource({ uri }, onUpdate)));
  };
  async function* changes(): AsyncGenerator<Change, void> {
    try {
      for (;;) {
        for (const [key, change] of waiting) {
          waiting.delete(key);
          yield change;
        }
        if (isClosed) return;
        more = deferred();
        await more.promise;
      }
    } finally {
      await close();
    }
  }
  return { granted, close, [Symbol.asyncIterator]: changes };
}
