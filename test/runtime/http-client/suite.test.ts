import { describe, test } from "vitest";
import { SSEClientTransport } from "../../../runtime/src/client/http.js";
import type { MessageExtra } from "../../../runtime/src/transport/message-extra.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { transportBehaviours } from "../../../runtime/src/testing.js";
import { type EventWriter, fakeServer, type Script } from "./fake-server.js";

/** The server's end of HTTP+SSE: delivers posted messages, and sends on the stream. */
class FarEnd implements Transport {
  onmessage?: ((message: unknown, extra?: MessageExtra) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: ((error?: Error) => void) | undefined;
  #events: EventWriter | undefined;
  readonly #early: unknown[] = [];
  #state: "new" | "open" | "closed" = "new";

  readonly script: Script = (seen, reply) => {
    if (seen.method === "GET") {
      this.#events = reply.events().send({ event: "endpoint", data: "/post" });
      reply.response.on("close", () => this.#end());
      return;
    }
    if (this.#state === "new") this.#early.push(seen.message);
    else this.#receive(seen.message);
    reply.status(202);
  };

  start(): Promise<void> {
    this.#state = "open";
    for (const message of this.#early.splice(0)) this.#receive(message);
    return Promise.resolve();
  }

  send(message: unknown): void {
    if (this.#state !== "open") throw new Error("closed");
    this.#events?.send({ event: "message", data: message });
  }

  close(): Promise<void> {
    this.#events?.end();
    this.#end();
    return Promise.resolve();
  }

  break(): void {
    this.#events?.cut();
  }

  #receive(message: unknown): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #end(): void {
    if (this.#state !== "open") return;
    this.#state = "closed";
    this.onclose?.();
  }
}

/** HTTP keeps no order between concurrent POSTs. */
const fitting = transportBehaviours.filter(({ name }) => !name.startsWith("keeps the order"));

describe("the client's end of HTTP+SSE", () => {
  test.each(fitting)("$name", async ({ run }) => {
    const far = new FarEnd();
    const server = await fakeServer(far.script);
    await run({
      name: "HTTP+SSE",
      open: () =>
        Promise.resolve({
          a: new SSEClientTransport(server.url),
          b: far,
          breakB: () => {
            far.break();
            return Promise.resolve();
          },
        }),
    });
  });
});
