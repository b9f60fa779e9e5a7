import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { KnownCredentials } from "./known-credentials.js";
import type { TokenCredentials } from "./token-credentials.js";

/** The access token of a request, or why there is none. */
export type RequestCredentials =
  | TokenCredentials
  /** No credentials, or of a scheme that is not for access tokens. */
  | { readonly kind: "none" }
  /** The request breaks the rules for credentials. */
  | { readonly kind: "malformed"; readonly problem: string };

const none: RequestCredentials = { kind: "none" };

/** The scheme has no case (RFC 9110, section 11.1); the token is `b64token` of RFC 6750, section 2.1. */
const credentials = /^(?:(bearer)|dpop) +([\w\-.~+/]+=*)$/i;
const ownScheme = /^(?:bearer|dpop)(?![\w!#$%&'*+.^`|~-])/i;
const secondOne = /,\s*(?:bearer|dpop)(?:\s|$)/i;

/**
 * Reads the access token of a request from its `Authorization` header, the only place where MCP allows it (MCP, access token
 * usage). Tokens in the query or the body are not accepted.
 * @param known headers that were read before
 */
export function readCredentials(
  request: Pick<HttpRequestInfo, "url" | "header">,
  known?: KnownCredentials,
): RequestCredentials {
  const header = request.header("authorization");
  if (header === undefined || header === "") return none;
  const read = known?.find(header) ?? parseHeader(header);
  return read.kind === "token" && request.url.includes("?") && hasTokenInQuery(request.url)
    ? malformed("the access token must be in the Authorization header only, and not in the query, too")
    : read;
}

function parseHeader(header: string): RequestCredentials {
  const [, bearer, token] = credentials.exec(header) ?? [];
  if (token !== undefined)
    return { kind: "token", scheme: bearer === undefined ? "DPoP" : "Bearer", token, header, isKnown: false };
  // Two headers arrive joined with a comma, which a token cannot contain.
  if (secondOne.test(header) || (ownScheme.test(header) && header.includes(",")))
    return malformed("there must be one Authorization header with one access token");
  if (!ownScheme.test(header)) return none;
  return malformed("the Authorization header must consist of the scheme Bearer or DPoP, a space, and the access token");
}

/** Whether the query has the parameter of RFC 6750, section 2.3. */
function hasTokenInQuery(url: string): boolean {
  return new URLSearchParams(url.slice(url.indexOf("?"))).has("access_token");
}

function malformed(problem: string): RequestCredentials {
  return { kind: "malformed", problem };
}
