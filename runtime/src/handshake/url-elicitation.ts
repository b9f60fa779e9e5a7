import { ELICITATION_CREATE } from "@mcpwright/protocol/names";
import type { ClientConnection } from "../client/connection.js";
import { answerQuestion } from "../client/questions.js";
import { ErrorCode, RemoteError } from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import type { Handler } from "../engine/routes.js";

/** Waits for the server to say that the user is done at a URL. */
export class UrlVisits {
  readonly #waits = new Set<{ readonly id: string; readonly done: () => void }>();

  /** Resolves when the server says so, or the host calls `complete`. Several requests may wait for one visit. */
  async wait(id: string, signal: AbortSignal): Promise<void> {
    await new Promise<void>((done, reject) => {
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

  /** Unknown and repeated ids mean nothing. */
  complete(elicitationId: unknown): void {
    for (const wait of this.#waits) {
      if (wait.id !== elicitationId) continue;
      this.#waits.delete(wait);
      wait.done();
    }
  }
}

/**
 * Sends the user to the URLs that an error asks for and waits until he is done there.
 * @returns whether the request may be sent again
 */
export async function visitUrls(
  { side, capabilities }: ClientConnection,
  error: unknown,
  visits: UrlVisits,
  handler: Handler | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const row = side.receives.requests[ELICITATION_CREATE];
  if (!(error instanceof RemoteError) || error.code !== ErrorCode.UrlElicitationRequired || !row || !handler)
    return false;
  const wanted = isObject(error.data) ? error.data["elicitations"] : undefined;
  if (!Array.isArray(wanted) || wanted.length === 0 || !capabilities.elicitation?.url) return false;
  const visited = wanted.map(async (params: unknown) => {
    if (!isObject(params) || params["mode"] !== "url" || !row.params?.(params)) return false;
    const done = visits.wait(String(params["elicitationId"]), signal);
    done.catch(() => undefined); // after a refusal nobody waits
    const answer = await answerQuestion(side, row, ELICITATION_CREATE, params, capabilities, handler, { signal });
    if ((answer as { action?: unknown }).action !== "accept") return false;
    await done;
    return true;
  });
  return (await Promise.all(visited)).every(Boolean);
}
