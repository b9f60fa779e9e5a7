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
}
