import { AuthorizationError } from "../auth-errors.js";
import { fetchDocument, type DocumentRequest, type FetchedDocument } from "./fetch-document.js";
import { describeUrl, parseNamedUrl, parseSecureUrl } from "./secure-url.js";
import { resourceCovers, resourceMetadataUrls } from "./well-known.js";

/** What the metadata of an MCP server says (RFC 9728, section 2). */
export interface ResourceMetadata {
  /** Where it was found. */
  readonly url: URL;
  /** The identifier, exactly as the document spells it. */
  readonly resource: string;
  /** The issuers of its authorization servers, exactly as the document spells them; at least one. */
  readonly issuers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
  /** Whether the MCP server accepts tokens that are bound to a key (RFC 9449). */
  readonly acceptsDpop: boolean;
}

/**
 * Finds the metadata of an MCP server: at the URL that its challenge names and nowhere else, or at its well-known URLs.
 * @param named the `resource_metadata` parameter of the challenge. It may have another origin than the server (RFC 9728,
 * section 5.1): the check of `resource` makes sure that the document is about this server
 * @returns undefined when there is none: the server has only responded with 4xx or web pages, and has named no URL
 * @throws AuthorizationError `insecure-url`, `metadata-not-found`, `metadata-invalid`, `resource-mismatch`, `unreachable`
 */
export async function findResourceMetadata(
  server: URL,
  named: string | undefined,
  request: DocumentRequest,
): Promise<ResourceMetadata | undefined> {
  if (named) {
    const url = parseSecureUrl(named, "resource_metadata in the WWW-Authenticate header", server);
    const found = await fetchExisting(url, request);
    if (found) return readMetadata(found.url, found.body, server);
    throw new AuthorizationError(
      "metadata-not-found",
      `${describeUrl(server)} names ${describeUrl(url)} for its metadata, but there is none; the server must serve it there`,
    );
  }
  for (const url of resourceMetadataUrls(server)) {
    const found = await fetchExisting(url, request);
    if (found) return readMetadata(found.url, found.body, server);
  }
  return undefined;
}

/** Request Timeout, Too Early, Too Many Requests: unlike other 4xx, they say nothing about the document. */
const retryLater: readonly number[] = [408, 425, 429];

/**
 * Fetches a document that need not exist.
 * @throws AuthorizationError `unreachable` also for 5xx and for statuses that ask to repeat the request: the document may exist
 */
export async function fetchExisting(
  url: URL,
  request: DocumentRequest,
): Promise<(FetchedDocument & { readonly body: object }) | undefined> {
  const found = await fetchDocument(url, request).catch((error: unknown) => {
    // A browser may have hidden a 404.
    if (error instanceof AuthorizationError && error.data.status === 0) return undefined;
    throw error;
  });
  if (!found) return undefined;
  const { status, body } = found;
  if (status >= 500 || retryLater.includes(status))
    throw new AuthorizationError("unreachable", `GET ${describeUrl(url)}: status ${status}`, { status });
  return body && { ...found, body };
}

function readMetadata(url: URL, body: Readonly<Record<string, unknown>>, server: URL): ResourceMetadata {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = body;
  const where = `the metadata ${describeUrl(url)}`;
  if (!isText(resource)) throw invalid(`${where} must have a resource`);
  const covered = parseNamedUrl(resource, `resource in ${where}`, server);
  if (resource.includes("#") || covered.username || covered.password)
    throw invalid(`resource in ${where} must have neither a user name nor a fragment (RFC 8707, section 2)`);
  if (!resourceCovers(covered, server))
    throw new AuthorizationError(
      "resource-mismatch",
      `${where} is about ${describeUrl(covered)}, not about ${describeUrl(server)}; its tokens must not be sent there`,
    );
  const issuers = texts(servers);
  if (!issuers?.length) throw invalid(`${where} must name at least one authorization server in authorization_servers`);
  return {
    url,
    resource,
    issuers,
    scopesSupported: texts(scopes),
    acceptsDpop:
      body["dpop_bound_access_tokens_required"] === true || !!texts(body["dpop_signing_alg_values_supported"])?.length,
  };
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter(isText) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function invalid(message: string): AuthorizationError {
  return new AuthorizationError("metadata-invalid", message);
}
