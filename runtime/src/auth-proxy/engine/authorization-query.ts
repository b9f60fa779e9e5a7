import { parseUrl } from "../../jsonrpc/parse-url.js";
import { isOwnPage } from "../clients/redirect-uris.js";
import { OAuthFailure } from "../oauth-failure.js";
import type { ProxySettings } from "../proxy-settings.js";

/** The parameters of authorization requests that reach the engine; unknown ones are ignored (RFC 6749, section 3.1). */
const passed = new Set([
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "prompt",
  "dpop_jkt",
  // Refused by the engine.
  "request",
  "request_uri",
]);

/** Longer queries would fill the store with requests that wait for their users. */
const maxQueryLength = 8_192;

/** The prompts that the engine knows; the user always logs in at the provider. */
const prompts = ["none", "consent"];

/**
 * Rewrites the query of an authorization request for the engine.
 * @throws OAuthFailure for a query that is too long, and for a redirect URI that leads back to this server
 */
export function authorizationQuery(query: string, settings: ProxySettings): string {
  if (query.length > maxQueryLength)
    throw new OAuthFailure(414, "invalid_request", `the query must not be longer than ${maxQueryLength} characters`);
  const pairs: [string, string][] = [];
  for (const [name, value] of new URLSearchParams(query)) {
    if (!passed.has(name)) continue;
    // Clients on loopback hosts may name any port, also that of this server.
    if (name === "redirect_uri" && isOwnPage(value, settings.redirects))
      throw new OAuthFailure(400, "invalid_redirect_uri", "the redirect URI is a page of this authorization server");
    if (name === "prompt") {
      const known = value.split(" ").filter((prompt) => prompts.includes(prompt));
      if (known.length > 0) pairs.push([name, known.join(" ")]);
    } else if (name === "response_mode") {
      // The engine answers a mode that it does not know with a redirect that reports the error.
      pairs.push([name, value === "query" ? value : "unsupported"]);
    } else pairs.push([name, name === "resource" ? canonicalResource(value, settings.resource) : value]);
  }
  return new URLSearchParams(pairs).toString();
}

/** Rewrites the body of a token request for the engine. */
export function tokenBody(body: string, { resource }: ProxySettings): string {
  const pairs = [...new URLSearchParams(body)].map(([name, value]): [string, string] => [
    name,
    name === "resource" ? canonicalResource(value, resource) : value,
  ]);
  return new URLSearchParams(pairs).toString();
}

/** Spellings of the resource that are the same URL, apart from a slash at the end, become the one that tokens are bound to. */
function canonicalResource(given: string, resource: string): string {
  const normal = (text: string): string | undefined => parseUrl(text)?.href.replace(/\/$/, "");
  return normal(given) === normal(resource) ? resource : given;
}
