import { isObject } from "../../jsonrpc/guards.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import type { Principal } from "../../transport/principal.js";
import { AuthInfo } from "../auth-info.js";

/** What a function of your own knows about an access token. */
export interface AccessTokenInfo {
  readonly token: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The end of its lifetime, in seconds since 1970. `requireOwnTokens` accepts no token without it. */
  readonly expiresAt?: number | undefined;
  /** The resource that the token was issued for. */
  readonly resource?: string | URL | undefined;
  /** The user, to whom sessions and streams belong. Default: `clientId`, so that all users of a client count as one. */
  readonly subject?: string | undefined;
  /** Anything else. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The issuer of principals whose tokens do not name one. */
const ownIssuer = "urn:mcpwright:own-tokens";

/**
 * Makes a principal of a token that your program has verified before the endpoint gets the request: pass it as `principal` to the handler.
 * `tokenInfoOf` finds it in handlers. `requireOwnTokens` does this by itself.
 * @throws TypeError when a member is missing or has the wrong type
 * @example
 * ```ts
 * const handle = toNodeHandler(createMcpHandler(server));
 * app.all("/mcp", (request, response) => {
 *   const info = verify(request.headers.authorization);
 *   if (!info) return response.status(401).end();
 *   handle(request, response, { parsedBody: request.body, principal: principalOf(info) });
 * });
 * ```
 */
export function principalOf(info: AccessTokenInfo): AuthInfo {
  if (!isObject(info)) throw invalid("must be an object");
  const {
    token,
    clientId,
    scopes,
    expiresAt = Infinity,
    resource,
    subject = clientId,
    extra = {},
  } = info as AccessTokenInfo;
  for (const [name, value] of Object.entries({ token, clientId, subject }))
    if (typeof value !== "string" || value === "") throw invalid(`${name} must be a non-empty string`);
  if (!Array.isArray(scopes) || !scopes.every((one) => typeof one === "string"))
    throw invalid("scopes must be an array of strings");
  if (typeof expiresAt !== "number" || Number.isNaN(expiresAt)) throw invalid("expiresAt must be a number");
  const audience = resource === undefined ? [] : [String(resource)];
  const facts = { issuer: ownIssuer, subject, clientId, scopes: Object.freeze([...scopes]), expiresAt, audience };
  const principal = new AuthInfo(token, { ...facts, keyThumbprint: undefined, claims: extra });
  Object.freeze(principal);
  return principal;
}

/**
 * Returns what is known about the access token of a request; undefined when it came without one, for example over stdio.
 * @param context that of a handler, or the client that `serverPerClient` passes
 * @example
 * ```ts
 * server.registerTool("whoami", {}, (context) => ({
 *   content: [{ type: "text", text: tokenInfoOf(context)?.clientId ?? "local user" }],
 * }));
 * ```
 */
export function tokenInfoOf({
  principal,
}: {
  readonly principal?: Principal | undefined;
}): AccessTokenInfo | undefined {
  if (!principal || !("scopes" in principal)) return undefined;
  const { subject, clientId = subject, scopes, expiresAt, audience, claims } = principal as AuthInfo;
  const resource = audience.length === 1 ? parseUrl(audience[0] ?? "") : undefined;
  // From another node, it is an object without the token.
  const { token = "" } = principal as Partial<AuthInfo>;
  return {
    token,
    clientId,
    scopes,
    subject,
    ...(Number.isFinite(expiresAt) && { expiresAt }),
    ...(resource && { resource }),
    extra: claims,
  };
}

function invalid(problem: string): TypeError {
  return new TypeError(`the information about an access token ${problem}`);
}
