import type { Grant } from "../grants/grant.js";
import type { OAuthOptions } from "../oauth-options.js";
import type { IssuerQueue } from "./issuer-queue.js";
import type { StoredRecords } from "./stored-records.js";
import type { TokenCache } from "./token-cache.js";

/** What the parts of a session share. */
export interface SessionParts {
  /** The URL of the MCP server, without a fragment. */
  readonly url: URL;
  readonly grant: Grant;
  readonly options: OAuthOptions;
  readonly records: StoredRecords;
  readonly cache: TokenCache;
  readonly queue: IssuerQueue;
}
