import type { McpServer } from "../../mcp-server.js";
import { messageOf } from "./content.js";
import type { OnWarning } from "./options.js";

/** The servers whose clients are notified. They are not kept alive: programs can make one for each request. */
export class LiveServers {
  readonly #servers = new Set<WeakRef<McpServer>>();
  /** Some hosts do not have weak references; there, clients are not notified. */
  readonly #registry =
    typeof WeakRef === "function" && typeof FinalizationRegistry === "function"
      ? new FinalizationRegistry<WeakRef<McpServer>>((gone) => void this.#servers.delete(gone))
      : undefined;

  add(server: McpServer): void {
    if (!this.#registry) return;
    const reference = new WeakRef(server);
    this.#servers.add(reference);
    this.#registry.register(server, reference);
  }

  /** Notifies the clients of connected servers that the list of resources has changed. */
  notify(onWarning: OnWarning): void {
    for (const reference of this.#servers) {
      const mcp = reference.deref();
      if (!mcp?.isConnected()) continue;
      const failed = (error: unknown): void =>
        onWarning({ path: "resources/list_changed", message: `cannot be sent: ${messageOf(error)}` });
      // A function of the program that throws must not break the reload.
      mcp.server
        .sendResourceListChanged()
        .catch(failed)
        .catch(() => undefined);
    }
  }
}
