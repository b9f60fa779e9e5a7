import { raceAbort } from "../../timing/race-abort.js";
import { AuthorizationError } from "../auth-errors.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { TokenSet } from "../tokens/token-set.js";
import { chooseDpopKey } from "./dpop-choice.js";
import type { Flow } from "./flow.js";
import { createGrantContext, type SessionGrantContext } from "./grant-context.js";
import type { ServerRecord } from "./record-kinds.js";
import type { SessionParts } from "./session-parts.js";
import { refusalOf } from "./token-refresh.js";

/** A request for new tokens. */
export interface TokenDemand {
  readonly server: DiscoveredServer;
  readonly scopes: readonly string[] | undefined;
  /** The token that does not suffice any more: when another one has arrived while this waits, there is nothing to do. */
  readonly insufficient: string | undefined;
  readonly resourceMetadata: string | undefined;
  readonly flow: Flow;
}

/** Gets new tokens by the grant, after the other authorizations at the same issuer. @throws AuthorizationError, UnauthorizedError */
export function obtainTokens(parts: SessionParts, demand: TokenDemand): Promise<void> {
  const { cache, options, queue } = parts;
  const { server, scopes, insufficient, resourceMetadata, flow } = demand;
  return queue.run(server.issuer, flow.signal, () =>
    flow.limited(async () => {
      await cache.reload();
      if (cache.hasOther(insufficient)) return;
      const key = await chooseDpopKey(options, server, cache.tokens);
      const context = createGrantContext(parts, server, scopes, key, flow.signal);
      const tokens = await raceAbort(flow.signal, obtain(parts, context));
      await cache.save(tokens, recordOf(server, scopes, tokens.clientId, resourceMetadata), "authorization");
    }, options.loginTimeoutMs),
  );
}

export function recordOf(
  { issuer, resource }: { readonly issuer: string; readonly resource?: string | undefined },
  scopes: readonly string[] | undefined,
  clientId: string,
  resourceMetadata: string | undefined,
): ServerRecord {
  return {
    issuer,
    clientId,
    ...(resource !== undefined && { resource }),
    ...(scopes && { scopes }),
    ...(resourceMetadata !== undefined && { resourceMetadata }),
  };
}

async function obtain(parts: SessionParts, context: SessionGrantContext): Promise<TokenSet> {
  const { grant, cache } = parts;
  const { issuer } = context.server;
  const client = await grant.resolveClient(context);
  assertOwnIssuer(client, issuer, cache.server);
  try {
    return await grant.obtain(context, client);
  } catch (error) {
    const code = refusalOf(error);
    // The next request does without the scopes of earlier ones.
    if (code === "invalid_scope" && cache.server?.scopes) await cache.saveServer(withoutScopes(cache.server));
    // A client that `resolveClient` did not know has been registered since.
    if (code !== "invalid_client" || (client && client.source !== "dynamic")) throw error;
    // The authorization server has forgotten the registration.
    if (client) await grant.forgetClient?.(context, client);
    return grant.obtain(context, await grant.resolveClient(context));
  }
}

function withoutScopes({ scopes: _scopes, ...record }: ServerRecord): ServerRecord {
  return record;
}

/** A client identity that was given for one authorization server is not presented to another one. */
function assertOwnIssuer(client: OAuthClient | undefined, issuer: string, before: ServerRecord | undefined): void {
  if (client?.source !== "pre-registered" || client.issuer === issuer) return;
  if (before?.clientId !== client.clientId || before.issuer === issuer) return;
  throw new AuthorizationError(
    "no-client",
    `The client "${client.clientId}" was registered at ${before.issuer}, but the MCP server now names ${issuer}: register the application there and pass the new client, or name the issuer of this one`,
    { issuer },
  );
}
