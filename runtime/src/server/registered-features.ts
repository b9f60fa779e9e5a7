import type { ScopeGate } from "../http-server/scoped-features.js";
import type { Principal } from "../transport/principal.js";
import type { Prompts } from "./prompts.js";
import type { Resources } from "./resources.js";
import type { Tools } from "./tools.js";

/** What an `McpServer` has registered; each member is created with the first item of its kind. */
export interface RegisteredFeatures {
  tools?: Tools;
  resources?: Resources;
  prompts?: Prompts;
  /** Whether an item has, or had, `scopes`. */
  isScoped?: boolean;
  /** The authorization of each principal, if the server decides about scopes when a request runs. */
  gates?: WeakMap<Principal, ScopeGate>;
}
