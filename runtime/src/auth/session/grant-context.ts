import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { GrantContext } from "../grants/grant.js";
import type { DpopKey } from "../tokens/dpop.js";
import { TokenEndpoint } from "../tokens/token-endpoint.js";
import type { SessionParts } from "./session-parts.js";

export interface SessionGrantContext extends GrantContext {
  readonly tokens: TokenEndpoint;
}

/** @param granted the scopes of tokens when neither the request nor the response names them. Default: `scopes` */
export function createGrantContext(
  { url, options, records }: SessionParts,
  server: DiscoveredServer,
  scopes: readonly string[] | undefined,
  key: DpopKey | undefined,
  signal: AbortSignal,
  granted = scopes,
): SessionGrantContext {
  const tokens = new TokenEndpoint(server, options, key, granted, signal);
  const { store } = records;
  return { server, url: new URL(url), scopes, tokens, store, ...(key && { dpopKey: key.privateJwk }), signal };
}
