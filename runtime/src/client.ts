import { conversions } from "@mcpwright/protocol/conversions";
import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Implementation } from "./authoring.js";
import { Client as CoreClient, type ClientOptions, type CoreClientOptions } from "./client/core.js";

export * from "./client/core.js";

/** `Client` for every published revision, unless the options name others. */
export class Client extends CoreClient {
  constructor(info: Implementation, options: ClientOptions & Partial<CoreClientOptions> = {}) {
    super(info, {
      ...options,
      revisions: options.revisions ?? clientSides,
      conversions: options.conversions ?? conversions,
    });
  }
}
