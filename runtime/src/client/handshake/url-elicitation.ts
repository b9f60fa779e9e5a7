import { ELICITATION_CREATE, NOTIFICATIONS_ELICITATION_COMPLETE } from "@mcpwright/protocol/names";
import type { CallOptions } from "../../connection/call-options.js";
import type { MethodHandlers } from "../../connection/dispatch-table.js";
import { ErrorCode, ProtocolError, type RemoteError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { ClientConnection } from "../client-connection.js";
import type { ClientRequestHandlers } from "../client-request-handlers.js";
import { withDeadline } from "../with-deadline.js";

/** Waits until the server reports that the user has completed a URL elicitation. */
export class PendingUrlElicitations {
  readonly #waits = new Set<{ readonly id: string; readonly done: () => void }>();
  /** Handlers of the notifications of servers about it. */
  readonly handlers: MethodHandlers = {
    [NOTIFICATIONS_ELICITATION_COMPLETE]: (it: { elicitationId: string }) => this.complete(it.elicitationId),
  };

  /** Resolves when the server reports it, or the host calls `complete`. Several requests may wait for one elicitation. */
  wait(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((done, reject) => {
      const wait = { id, done };
      this.#waits.add(wait);
      signal.addEventListener(
        "abort",
        () => {
          this.#waits.delete(wait);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
  }

  /** Ignores unknown and repeated ids. */
  complete(elicitationId: unknown): void {
    for (const wait of this.#waits) {
      if (wait.id !== elicitationId) continue;
      this.#waits.delete(wait);
      wait.done();
    }
  }
}

/** How long the user may take, unless the call has a `maxTotalMs`. */
const defaultMaxTotalMs = 600_000;

/**
 * Sends the user to the URLs that an error lists, and waits until all elicitations are complete.
 * @param startedAt when the call began, by `performance.now()`
 * @returns whether the request may be sent again
 * @throws the error itself when the user declines, or when a URL is not safe to open
 */
export async function completeUrlElicitations(
  { side, capabilities, closeSignal }: ClientConnection,
  error: RemoteError,
  pending: PendingUrlElicitations,
  handlers: ClientRequestHandlers,
  method: string,
  options: CallOptions,
  startedAt = performance.now(),
): Promise<boolean> {
  const row = side.receives.requests[ELICITATION_CREATE];
  if (error.code !== ErrorCode.UrlElicitationRequired || !row || !handlers.handlers.has(ELICITATION_CREATE))
    return false;
  const elicitations = isObject(error.data) ? error.data["elicitations"] : undefined;
  const isVisit = (params: unknown): boolean =>
    isObject(params) && params["mode"] === "url" && row.params?.(params) === true;
  if (
    !capabilities.elicitation?.url ||
    !Array.isArray(elicitations) ||
    elicitations.length === 0 ||
    !elicitations.every(isVisit)
  )
    return false;
  const end = startedAt + (options.maxTotalMs ?? defaultMaxTotalMs);
  await withDeadline(method, closeSignal, options, end, (signal) =>
    Promise.all(
      (elicitations as Readonly<Record<string, unknown>>[]).map(async (params) => {
        const done = pending.wait(String(params["elicitationId"]), signal);
        done.catch(() => undefined); // it may reject after another one has failed
        const answer = await handlers
          .handle(side, row, ELICITATION_CREATE, params, { signal })
          .catch((refusal: unknown) => {
            throw refusal instanceof ProtocolError ? error : refusal;
          });
        if ((answer as { action?: unknown }).action !== "accept") throw error;
        await done;
      }),
    ),
  );
  return true;
}
