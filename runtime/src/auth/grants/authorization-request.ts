import { calculateJwkThumbprint } from "jose";
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import { assertSecureUrl } from "../discovery/secure-url.js";
import type { AuthorizationFlow } from "./authorization-flow.js";

/** Additional parameters of authorization requests, such as `prompt` and `login_hint`. */
export type AuthorizationParameters = Readonly<Record<string, string>>;

/** The parameters that this client sets itself, or whose other values it cannot process. */
const ownParameters: ReadonlySet<string> = new Set([
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "dpop_jkt",
  "redirect_uri",
  "request",
  "request_uri",
  "resource",
  "response_mode",
  "response_type",
  "scope",
  "state",
]);

/** @throws SdkError `INVALID_CONFIGURATION` for parameters that other options determine */
export function assertAuthorizationParameters(parameters: AuthorizationParameters = {}): void {
  for (const [name, value] of Object.entries(parameters))
    if (ownParameters.has(name) || typeof value !== "string")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        ownParameters.has(name)
          ? `authorizationParameters must not contain ${name}, which the log-in sets itself`
          : `authorizationParameters.${name} must be a string`,
      );
}

/**
 * Checks that the authorization-code flow with PKCE is possible, before anything is registered or shown.
 * @throws AuthorizationError `pkce-unsupported`, `metadata-invalid`, `insecure-url`
 */
export function assertCodeFlow({ issuer, metadata, rules }: DiscoveredServer): void {
  authorizationEndpoint(issuer, metadata.authorization_endpoint);
  const methods = metadata.code_challenge_methods_supported;
  // Without a list, revisions that do not demand one leave the check to the authorization server.
  const isRefused = methods ? !methods.includes("S256") : rules.pkceAnnouncement;
  if (isRefused)
    throw new AuthorizationError(
      "pkce-unsupported",
      `${issuer} ${methods ? `offers PKCE only with ${methods.join(", ") || "no method"}` : "does not announce PKCE"}: its metadata must list S256 in code_challenge_methods_supported`,
      { issuer },
    );
  const types = metadata.response_types_supported;
  if (types?.includes("code") === false)
    throw new AuthorizationError(
      "metadata-invalid",
      `${issuer} does not offer the authorization-code flow: its metadata lists response_types_supported without code`,
      { issuer },
    );
}

/**
 * Makes the URL of the page where the user logs in (RFC 6749, section 4.1.1; RFC 7636, section 4.3; RFC 8707, section 2).
 * Keeps the query of the endpoint as it is.
 * @throws AuthorizationError `metadata-invalid` when the endpoint sets one of the parameters itself, `insecure-url`
 */
export async function authorizationUrl(flow: AuthorizationFlow, extra: AuthorizationParameters = {}): Promise<URL> {
  const { server, scopes } = flow;
  const url = authorizationEndpoint(server.issuer, server.metadata.authorization_endpoint);
  const parameters = new Map(Object.entries(extra));
  // OpenID Connect servers ignore `offline_access` without consent (OpenID Connect Core 1.0, section 11).
  if (scopes?.includes("offline_access") && !parameters.has("prompt")) parameters.set("prompt", "consent");
  parameters.set("response_type", "code");
  parameters.set("client_id", flow.clientId);
  parameters.set("redirect_uri", flow.redirectUri);
  parameters.set("state", flow.state);
  parameters.set("code_challenge", await calculatePKCECodeChallenge(flow.verifier));
  parameters.set("code_challenge_method", "S256");
  if (scopes && scopes.length > 0) parameters.set("scope", scopes.join(" "));
  if (server.resource !== undefined) parameters.set("resource", server.resource);
  if (flow.dpopKey) parameters.set("dpop_jkt", await calculateJwkThumbprint(flow.dpopKey));
  for (const [name, value] of url.searchParams) {
    if (!parameters.has(name)) continue;
    if (parameters.get(name) !== value)
      throw new AuthorizationError(
        "metadata-invalid",
        `authorization_endpoint of ${server.issuer} sets the parameter ${name} itself, to another value than this request`,
        { issuer: server.issuer },
      );
    parameters.delete(name);
  }
  const query = new URLSearchParams([...parameters]).toString();
  // Parameters that are appended to `searchParams` would encode the existing ones anew.
  url.search = url.search === "" ? query : `${url.search}&${query}`;
  return url;
}

function authorizationEndpoint(issuer: string, endpoint: unknown): URL {
  const url = typeof endpoint === "string" ? parseUrl(endpoint) : undefined;
  if (url?.hash !== "")
    throw new AuthorizationError(
      "metadata-invalid",
      `authorization_endpoint in the metadata of ${issuer} must be an absolute URL without a fragment`,
      { issuer },
    );
  assertSecureUrl(url, `the authorization_endpoint of ${issuer},`, parseUrl(issuer));
  return url;
}
