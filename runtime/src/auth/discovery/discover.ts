import type { AuthorizationRules } from "@mcpwright/protocol/authorization";
import type { AuthorizationServer } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import type { OAuthOptions } from "../oauth-options.js";
import { bearerParameters, parseChallenges } from "./challenge.js";
import type { DiscoveredServer } from "./discovered-server.js";
import type { DocumentRequest } from "./fetch-document.js";
import { newestRules } from "./newest-rules.js";
import { findResourceMetadata, type ResourceMetadata } from "./resource-metadata.js";
import { assertSecureUrl, describeUrl, parseSecureUrl, shorten } from "./secure-url.js";
import { findServerMetadata, requireServerMetadata } from "./server-metadata.js";

/** Asks for the authorization server of one MCP server. */
export interface DiscoveryRequest {
  /** The URL of the MCP server. */
  readonly url: URL;
  /** The challenge of the MCP server; undefined before the first request. */
  readonly wwwAuthenticate: string | undefined;
  readonly options: OAuthOptions;
  readonly signal: AbortSignal;
  /** The issuer of the stored tokens. It is preferred when the MCP server lists it among others. */
  readonly storedIssuer?: string | undefined;
}

/**
 * Finds the authorization server of an MCP server: with the rules of the newest revision, or, when the MCP server has no
 * resource metadata at all, with those of the newest revision that does not know it.
 * @throws AuthorizationError `insecure-url`, `metadata-not-found`, `metadata-invalid`, `resource-mismatch`, `issuer-mismatch`,
 * `server-not-accepted`, `unreachable`
 * @throws the abort reason of `signal`
 */
export async function discover(request: DiscoveryRequest): Promise<DiscoveredServer> {
  const { url, wwwAuthenticate, options, signal } = request;
  assertSecureUrl(url, "the URL of the MCP server,");
  const {
    fetch: send = (target, init) => fetch(target, init),
    timeoutMs = 10_000,
    maxDocumentBytes = 2 ** 18,
  } = options;
  const documents = { fetch: send, timeoutMs, maxBytes: maxDocumentBytes, signal };
  const resource = await findResourceMetadata(url, bearerParameters(wwwAuthenticate)["resource_metadata"], documents);
  const found = resource
    ? await discoverListed(resource, request, documents)
    : await discoverAtOrigin(request, documents);
  const isDpop = parseChallenges(wwwAuthenticate).some(({ scheme }) => scheme.toLowerCase() === "dpop");
  return isDpop ? { ...found, acceptsDpop: true } : found;
}

async function discoverListed(
  resource: ResourceMetadata,
  { url, options, storedIssuer }: DiscoveryRequest,
  documents: DocumentRequest,
): Promise<DiscoveredServer> {
  const rules = newestRules(true);
  const issuer = await selectIssuer(resource.issuers, url, options, storedIssuer);
  const base = parseSecureUrl(issuer, `the issuer in the metadata ${describeUrl(resource.url)}`, resource.url);
  if (/[?#]/.test(issuer))
    throw new AuthorizationError(
      "metadata-invalid",
      `the issuer ${describeUrl(base)} must have neither query nor fragment (RFC 8414, section 2)`,
      { issuer },
    );
  return {
    issuer,
    metadata: await requireServerMetadata(issuer, base, rules, documents),
    resource: resource.resource,
    scopesSupported: resource.scopesSupported,
    acceptsDpop: resource.acceptsDpop,
    rules,
  };
}

async function selectIssuer(
  issuers: readonly string[],
  url: URL,
  { selectIssuer: select }: OAuthOptions,
  storedIssuer: string | undefined,
): Promise<string> {
  const chosen = select
    ? await select(issuers, new URL(url))
    : (issuers.find((issuer) => issuer === storedIssuer) ?? issuers[0]);
  if (chosen !== undefined && issuers.includes(chosen)) return chosen;
  throw new AuthorizationError(
    "server-not-accepted",
    chosen === undefined
      ? `the option selectIssuer accepts none of the authorization servers of ${describeUrl(url)}`
      : `the option selectIssuer must return one of the issuers that ${describeUrl(url)} lists, exactly as it is spelled`,
  );
}

/** The MCP server, or the server at its origin, is the authorization server. */
async function discoverAtOrigin(
  { url, options, storedIssuer }: DiscoveryRequest,
  documents: DocumentRequest,
): Promise<DiscoveredServer> {
  const rules = newestRules(false);
  const { origin } = url;
  const headers = rules.versionHeader ? { "mcp-protocol-version": rules.revision } : {};
  // A server that had metadata is misconfigured, or a browser hides its responses: its tokens must not be forgotten.
  const hadMetadata = storedIssuer !== undefined && storedIssuer !== origin;
  // Servers of that revision print the URL object of their origin, which ends with a slash.
  const metadata =
    (await findServerMetadata([origin, `${origin}/`], new URL(origin), rules, { ...documents, headers })) ??
    (options.defaultEndpoints === false || hadMetadata ? undefined : defaultMetadata(origin, rules));
  if (!metadata)
    throw new AuthorizationError(
      "metadata-not-found",
      `${describeUrl(url)} requires authorization, but has neither resource metadata nor metadata of an authorization server${
        hadMetadata ? `, although it named ${shorten(storedIssuer)} before; try again later, or log out` : ""
      }`,
    );
  await selectIssuer([metadata.issuer], url, options, storedIssuer);
  return {
    issuer: metadata.issuer,
    metadata,
    resource: undefined,
    scopesSupported: undefined,
    acceptsDpop: false,
    rules,
  };
}

function defaultMetadata(origin: string, { defaultEndpoints }: AuthorizationRules): AuthorizationServer | undefined {
  return (
    (defaultEndpoints && {
      issuer: origin,
      authorization_endpoint: origin + defaultEndpoints.authorize,
      token_endpoint: origin + defaultEndpoints.token,
      registration_endpoint: origin + defaultEndpoints.register,
    }) ??
    undefined
  );
}
