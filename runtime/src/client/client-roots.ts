import type { Root } from "../authoring.js";
import { hasCapability } from "../connection/capability.js";
import { SdkError } from "../jsonrpc/errors.js";
import { isRootUri } from "../rules/roots.js";

/** The folders that a client shows to servers. */
export class ClientRoots {
  readonly #roots = new Map<string, Root>();

  /** @param capabilities those of the client */
  constructor(readonly capabilities: object | undefined) {}

  list(): { roots: Root[] } {
    return { roots: [...this.#roots.values()] };
  }

  /**
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` without the capability `roots`; `INVALID_CONFIGURATION` for a URI that is not
   *   `file://`, or has steps up (`..`)
   */
  add(root: Root): void {
    if (!hasCapability(this.capabilities, "client.roots"))
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", "roots need capabilities: { roots: {} }");
    if (!isRootUri(root.uri))
      throw new SdkError("INVALID_CONFIGURATION", `root ${root.uri} is no file:// URI without steps up`);
    this.#roots.set(root.uri, root);
  }

  /** Returns whether there was such a root. */
  remove(uri: string): boolean {
    return this.#roots.delete(uri);
  }
}
