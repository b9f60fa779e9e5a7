import type { RequestListener } from "node:http";
import type { AuthInfo, OAuthTokenVerifier } from "@mcpwright/runtime/auth/server";
import type { ServerContext } from "@mcpwright/runtime/server";

/** The authorization server of the protected server. */
export interface TokenIssuer {
  readonly verifier: OAuthTokenVerifier<object>;
  /** What happened, in order: `page` when a log-in began, `register`, `granted <grant type>`, `refused <error>`. */
  readonly events: readonly string[];
  /** Serves its paths at the origin of the protected server. Default: it has an origin of its own. */
  readonly listener?: RequestListener;
  /** Ends the lifetime of all access tokens. */
  expire(): Promise<void>;
  /** Returns the name with which the user has logged in, or that of a service. */
  nameOf(context: ServerContext, info: Pick<AuthInfo, "subject">): Promise<string> | string;
}
