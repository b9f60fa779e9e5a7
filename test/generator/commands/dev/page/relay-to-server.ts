import { InMemoryTransport } from "@mcpwright/runtime";
import type { McpServer } from "@mcpwright/runtime/server";
import type { PageRelay } from "../../../../../generator/commands/dev/page/relay-transport.js";
import type { RelayEvent, RelayListener } from "../../../../../generator/commands/dev/relay-events.js";
import { passed, relayEvent } from "./relay-event.js";

/** A relay to servers of this process. */
export class RelayToServer implements PageRelay {
  readonly #listeners = new Set<RelayListener>();
  /** How many connections were opened. */
  connections = 0;
  /** Why there is no server; requests get it as an error. */
  failure: string | undefined;

  constructor(private readonly server: () => McpServer) {}

  listen(listener: RelayListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  report(event: RelayEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  connect({ name, send }: Parameters<PageRelay["connect"]>[0]): ReturnType<PageRelay["connect"]> {
    const id = String(++this.connections);
    this.report(relayEvent({ kind: "host-connected", connection: id, name }));
    const [end, serverEnd] = InMemoryTransport.createLinkedPair();
    end.onmessage = (message) => {
      this.report(passed("<", message, { connection: id }));
      send(message);
    };
    const started = this.server()
      .connect(serverEnd)
      .then(() => end.start());
    return {
      id,
      receive: (message) => {
        this.report(passed(">", message, { connection: id }));
        const { failure } = this;
        if (failure === undefined) void started.then(() => end.send(message as never));
        else send({ jsonrpc: "2.0", id: (message as { id: number }).id, error: { code: -32603, message: failure } });
      },
      close: async () => {
        await end.close();
        this.report(relayEvent({ kind: "host-disconnected", connection: id }));
      },
    };
  }
}
