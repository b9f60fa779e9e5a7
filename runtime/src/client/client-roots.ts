import { NOTIFICATIONS_ROOTS_LIST_CHANGED } from "@mcpwright/protocol/names";
import type { Root } from "../authoring.js";
import { hasCapability } from "../connection/capability.js";
import { SdkError } from "../jsonrpc/errors.js";
import { isRootUri } from "../rules/roots.js";
import type { ClientConnection } from "./client-connection.js";

/** The roots of a client. */
export class ClientRoots {
  readonly #roots = new Map<string, Root>();

  /** @param capabilities the client's capabilities */
  constructor(readonly capabilities: object | undefined) {}

  list(): { roots: Root[] } {
    return { roots: [...this.#roots.values()] };
  }

  /**
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` without the capability `roots`; `INVALID_CONFIGURATION` for a URI that is not
   *   `file://`, or has `..` segments
   */
  add(root: Root): void {
    if (!hasCapability(this.capabilities, "client.roots"))
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", "addRoot needs the option capabilities: { roots: {} }");
    if (!isRootUri(root.uri))
      throw new SdkError("INVALID_CONFIGURATION", `root.uri must be a file:// URI without ".." segments: ${root.uri}`);
    this.#roots.set(root.uri, root);
  }

  /** Notifies the server, if its revision has this notification. */
  notifyChanged(connection: ClientConnection | undefined): void {
    if (
      connection?.side.profile.serverRequests === "wire" &&
      hasCapability(this.capabilities, "client.roots.listChanged")
    )
      connection.notifyInBackground(NOTIFICATIONS_ROOTS_LIST_CHANGED, undefined);
  }

  /** Returns whether the root existed. */
  remove(uri: string): boolean {
    return this.#roots.delete(uri);
  }
}
