import type { FetchLike } from "../../shared/transport.js";
import { IssuerMismatchError } from "./errors.js";
import type { OAuthClientProvider, OAuthServerInfo } from "./provider.js";
import { checkResourceAllowed, resourceUrlFromServerUrl } from "../../shared/resource-urls.js";
import type {
  AuthorizationServerMetadata,
  OAuthMetadata,
  OAuthProtectedResourceMetadata,
} from "../../shared/oauth-types.js";

/** The version that requests for metadata name. */
const newestVersion = "2025-11-25";

/** Whether another place may have the document. */
function isElsewhere({ status }: Response): boolean {
  return (status >= 400 && status < 500) || status === 502;
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** Fetches the first document that is there. @throws Error for a response of another status, TypeError without a response */
async function fetchFirst(
  urls: readonly URL[],
  what: string,
  fetchFn: FetchLike,
  protocolVersion = newestVersion,
): Promise<unknown> {
  for (const url of urls) {
    const headers = { "MCP-Protocol-Version": protocolVersion, Accept: "application/json" };
    const response = await fetchFn(url, { headers });
    if (response.ok) return response.json();
    await discard(response);
    if (!isElsewhere(response)) throw new Error(`HTTP ${response.status} trying to load ${what} from ${url.href}`);
  }
  return undefined;
}

/** @throws TypeError for a document without the members, or with others than strings */
function assertStrings(document: unknown, what: string, members: readonly string[]): void {
  for (const member of members) {
    const value: unknown = (Object(document) as Readonly<Record<string, unknown>>)[member];
    if (typeof value !== "string" || !URL.canParse(value))
      throw new Error(`Invalid ${what}: ${member} must be a URL, got ${JSON.stringify(value)}`);
  }
}

/**
 * Fetches the metadata of a server (RFC 9728).
 * @throws Error when there are none
 */
export async function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  opts: { protocolVersion?: string | undefined; resourceMetadataUrl?: string | URL | undefined } = {},
  fetchFn: FetchLike = fetch,
): Promise<OAuthProtectedResourceMetadata> {
  const server = new URL(serverUrl);
  const urls = opts.resourceMetadataUrl
    ? [new URL(opts.resourceMetadataUrl)]
    : wellKnownUrls(server, "oauth-protected-resource");
  const what = "well-known OAuth protected resource metadata";
  const found = await fetchFirst(urls, what, fetchFn, opts.protocolVersion);
  if (found === undefined) throw new Error("Resource server does not implement OAuth 2.0 Protected Resource Metadata.");
  assertStrings(found, what, ["resource"]);
  return found as OAuthProtectedResourceMetadata;
}

/** The places of a document: for the path of the server, then for its origin. */
function wellKnownUrls(server: URL, name: string): URL[] {
  const path = server.pathname.replace(/\/$/, "");
  const root = new URL(`/.well-known/${name}`, server);
  if (path === "") return [root];
  const own = new URL(`/.well-known/${name}${path}`, server);
  own.search = server.search;
  return [own, root];
}

/**
 * Fetches the metadata of an authorization server from the place that RFC 8414 names.
 * @deprecated use `discoverAuthorizationServerMetadata`, which also finds OpenID providers
 */
export async function discoverOAuthMetadata(
  issuer: string | URL,
  opts: { authorizationServerUrl?: string | URL; protocolVersion?: string } = {},
  fetchFn: FetchLike = fetch,
): Promise<OAuthMetadata | undefined> {
  const urls = wellKnownUrls(new URL(opts.authorizationServerUrl ?? issuer), "oauth-authorization-server");
  const found = await fetchFirst(urls, "well-known OAuth metadata", fetchFn, opts.protocolVersion);
  return found === undefined ? undefined : checkedMetadata(found);
}

/** Where an authorization server may have its metadata, in order (RFC 8414, OpenID Connect Discovery 1.0). */
export function buildDiscoveryUrls(authorizationServerUrl: string | URL): { url: URL; type: "oauth" | "oidc" }[] {
  const { origin, pathname } = new URL(authorizationServerUrl);
  const path = pathname.replace(/\/$/, "");
  const oauth = { url: new URL(`${origin}/.well-known/oauth-authorization-server${path}`), type: "oauth" } as const;
  const oidc = { url: new URL(`${origin}/.well-known/openid-configuration${path}`), type: "oidc" } as const;
  if (path === "") return [oauth, oidc];
  return [oauth, oidc, { url: new URL(`${origin}${path}/.well-known/openid-configuration`), type: "oidc" }];
}

/**
 * Fetches the metadata of an authorization server; undefined when it has none.
 * @throws IssuerMismatchError when they are those of another issuer
 */
export async function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  opts: {
    fetchFn?: FetchLike | undefined;
    protocolVersion?: string | undefined;
    skipIssuerValidation?: boolean | undefined;
  } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const { fetchFn = fetch, protocolVersion, skipIssuerValidation = false } = opts;
  const urls = buildDiscoveryUrls(authorizationServerUrl).map(({ url }) => url);
  const found = await fetchFirst(urls, "authorization server metadata", fetchFn, protocolVersion);
  if (found === undefined) return undefined;
  const metadata = checkedMetadata(found);
  const expected = String(authorizationServerUrl);
  // The URL class adds a slash to an origin.
  if (!skipIssuerValidation && metadata.issuer !== expected && `${metadata.issuer}/` !== expected)
    throw new IssuerMismatchError("metadata", expected, metadata.issuer);
  return metadata;
}

function checkedMetadata(found: unknown): OAuthMetadata {
  const metadata = found as OAuthMetadata;
  assertStrings(metadata, "authorization server metadata", ["authorization_endpoint", "token_endpoint"]);
  if (typeof metadata.issuer !== "string" || !Array.isArray(metadata.response_types_supported))
    throw new Error("Invalid authorization server metadata: issuer and response_types_supported are required");
  return metadata;
}

/** Finds the authorization server of a server, which is the server itself if it names none. */
export async function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts: {
    resourceMetadataUrl?: URL | undefined;
    fetchFn?: FetchLike | undefined;
    skipIssuerMetadataValidation?: boolean | undefined;
  } = {},
): Promise<OAuthServerInfo> {
  const { fetchFn, resourceMetadataUrl, skipIssuerMetadataValidation: skipIssuerValidation } = opts;
  const resourceMetadata = await optionalResourceMetadata(serverUrl, resourceMetadataUrl, fetchFn);
  const authorizationServerUrl = resourceMetadata?.authorization_servers?.[0] ?? String(new URL("/", serverUrl));
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, {
    fetchFn,
    skipIssuerValidation,
  });
  return { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
}

/** The metadata of a server, which servers before 2025-06-18 do not have. @throws TypeError when the server is not there */
export async function optionalResourceMetadata(
  serverUrl: string | URL,
  resourceMetadataUrl: URL | undefined,
  fetchFn: FetchLike | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(serverUrl, { resourceMetadataUrl }, fetchFn);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return undefined;
  }
}

/**
 * The resource that tokens are requested for; undefined when the server has no metadata.
 * @throws Error when the metadata are those of another server
 */
export async function selectResourceURL(
  serverUrl: string | URL,
  provider: OAuthClientProvider,
  resourceMetadata?: OAuthProtectedResourceMetadata,
): Promise<URL | undefined> {
  const requested = resourceUrlFromServerUrl(serverUrl);
  if (provider.validateResourceURL) return provider.validateResourceURL(requested, resourceMetadata?.resource);
  if (!resourceMetadata) return undefined;
  const { resource } = resourceMetadata;
  if (!checkResourceAllowed({ requestedResource: requested, configuredResource: resource }))
    throw new Error(`Protected resource ${resource} does not match expected ${requested.href} (or origin)`);
  return new URL(resource);
}
