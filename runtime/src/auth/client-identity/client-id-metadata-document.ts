import type { JWK } from "jose";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { assertText } from "./client-authentication.js";
import { assertClientIdUrl } from "./client-id-url.js";
import type { ClientMetadata } from "./client-metadata.js";
import { applicationTypeOf, assertRedirectUri } from "./redirect-uri.js";

export interface ClientIdMetadataDocumentOptions {
  /** The https URL, with a path, at which the document is served. It is the client id. */
  readonly clientId: string;
  /** The name that users see on the consent page. */
  readonly clientName: string;
  /** The URL of a page about the application. */
  readonly clientUri?: string;
  readonly logoUri?: string;
  /** All redirect URIs of the application. Authorization servers ignore the port of those on a loopback address. */
  readonly redirectUris: readonly string[];
  /** The public keys of a client that authenticates with `private_key_jwt`. Default: none, a public client. */
  readonly jwks?: { readonly keys: readonly JWK[] };
  /** More members, such as `contacts`; they replace those that the other options set. */
  readonly metadata?: ClientMetadata;
}

/** The content of a client-id metadata document. */
export interface ClientIdMetadataDocument extends ClientMetadata {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
}

/** The largest document that authorization servers are advised to accept, in bytes. */
const maxBytes = 5 * 1024;
/** Members of private and symmetric keys (RFC 7518, section 6). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;

/**
 * Makes the document that describes an application to authorization servers, whose URL is the client id (MCP 2025-11-25,
 * authorization, client ID metadata documents). Serve it with `serveClientIdMetadataDocument`, or as a file, and pass its URL to
 * providers as `clientMetadataUrl`.
 * @throws SdkError `INVALID_CONFIGURATION` for a URL, redirect URI or key that authorization servers reject
 *
 * @example
 * ```ts
 * const document = clientIdMetadataDocument({
 *   clientId: "https://app.example.com/oauth/client.json",
 *   clientName: "Example",
 *   redirectUris: ["https://app.example.com/callback"],
 * });
 * ```
 */
export function clientIdMetadataDocument(options: ClientIdMetadataDocumentOptions): ClientIdMetadataDocument {
  const { clientId, clientName, clientUri, logoUri, redirectUris, jwks, metadata } = options;
  assertClientIdUrl(clientId, "clientId");
  assertText(clientName, "clientName");
  if (redirectUris.length === 0) throw invalid("redirectUris must not be empty");
  const isNative = redirectUris.some((one) => applicationTypeOf(one) === "native");
  const document = {
    client_id: clientId,
    client_name: clientName,
    ...(clientUri !== undefined && { client_uri: clientUri }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: isNative ? ("native" as const) : ("web" as const),
    token_endpoint_auth_method: jwks ? "private_key_jwt" : "none",
    ...(jwks && { jwks }),
    ...metadata,
  };
  assertDocument(document, clientId);
  return document;
}

function assertDocument(document: ClientIdMetadataDocument & Record<string, unknown>, clientId: string): void {
  const { redirect_uris: redirectUris, jwks, token_endpoint_auth_method: method } = document;
  if (document.client_id !== clientId) throw invalid("metadata must not contain another client_id than the URL");
  redirectUris.forEach((one, index) => assertRedirectUri(one, `redirectUris[${index}]`));
  for (const name of ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"])
    if (document[name] !== undefined && !isWebUrl(document[name]))
      throw invalid(`${name} must be an https URL, not ${JSON.stringify(document[name])}`);
  if ("client_secret" in document || method?.startsWith("client_secret") === true)
    throw invalid("a public document cannot use a secret: token_endpoint_auth_method must be none or private_key_jwt");
  if ((method === "private_key_jwt") !== (jwks !== undefined || document.jwks_uri !== undefined))
    throw invalid("the method private_key_jwt needs jwks or jwks_uri, and no other method does");
  if (jwks) assertPublicKeys(jwks);
  if (new TextEncoder().encode(toJson(document)).length > maxBytes)
    throw invalid(
      `the document must not be larger than ${maxBytes} bytes, which many authorization servers read at most`,
    );
}

function assertPublicKeys({ keys }: { readonly keys: unknown }): void {
  if (!Array.isArray(keys) || keys.length === 0) throw invalid("jwks.keys must be a list with a public key");
  keys.forEach((key: unknown, index) => {
    if (!isObject(key) || typeof key["kty"] !== "string") throw invalid(`jwks.keys[${index}] is not a JWK`);
    const member = privateMembers.find((name) => key[name] !== undefined);
    if (member !== undefined)
      throw invalid(
        `jwks.keys[${index}] has the private member ${member}: everybody can read the document, pass the public key`,
      );
  });
}

function isWebUrl(value: unknown): boolean {
  return typeof value === "string" && parseUrl(value)?.protocol === "https:";
}

function invalid(why: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", why);
}

export interface ServeDocumentOptions {
  /** Seconds for which authorization servers may keep the document. Default: 3,600. */
  readonly maxAgeSeconds?: number;
}

/**
 * Returns a handler that serves a client-id metadata document: for the path of its URL, in any host that passes a `Request`.
 *
 * @example
 * ```ts
 * const serveDocument = serveClientIdMetadataDocument(document);
 * if (url.pathname === "/oauth/client.json") return serveDocument(request);
 * ```
 */
export function serveClientIdMetadataDocument(
  document: ClientIdMetadataDocument,
  { maxAgeSeconds = 3600 }: ServeDocumentOptions = {},
): (request: Request) => Response {
  const json = toJson(document);
  const etag = `"${json.length}-${checksum(json)}"`;
  const headers = {
    "access-control-allow-origin": "*",
    "cache-control": `public, max-age=${maxAgeSeconds}`,
    "content-type": "application/json",
    etag,
    "x-content-type-options": "nosniff",
  };
  return ({ method, headers: asked }) => {
    if (method !== "GET" && method !== "HEAD")
      return new Response("Method not allowed\n", { status: 405, headers: { allow: "GET, HEAD" } });
    if (matches(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    return new Response(method === "HEAD" ? null : json, { headers });
  };
}

/** Compares weakly (RFC 9110, section 13.1.2). */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}

function toJson(document: ClientIdMetadataDocument): string {
  return JSON.stringify(document, undefined, 2);
}

/** A checksum that changes with the text (FNV-1a, 32 bits); it protects nothing. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(36);
}
