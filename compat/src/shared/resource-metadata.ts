import { OAuthError, OAuthErrorCode } from "./oauth-error.js";
import type { OAuthMetadata, OAuthProtectedResourceMetadata } from "./oauth-types.js";

/** The documents by which clients find the authorization server of a resource. */
export interface AuthMetadataOptions {
  /** The metadata of the authorization server, served as they are. */
  oauthMetadata: OAuthMetadata;
  /** The URL of the server, such as `https://api.example.com/mcp`. */
  resourceServerUrl: URL;
  serviceDocumentationUrl?: URL;
  scopesSupported?: string[];
  resourceName?: string;
  /** Whether the issuer may have an `http:` URL with any host. Default: `false`. */
  dangerouslyAllowInsecureIssuerUrl?: boolean;
}

export const authorizationServerPath = "/.well-known/oauth-authorization-server";

/** @throws Error for an issuer that clients must not accept (RFC 8414, section 2) */
export function assertIssuer(issuer: URL, mayBeInsecure = false): void {
  const isLocal = issuer.hostname === "localhost" || issuer.hostname === "127.0.0.1";
  if (issuer.protocol !== "https:" && !isLocal && !mayBeInsecure) throw new Error("Issuer URL must be HTTPS");
  if (issuer.hash) throw new Error(`Issuer URL must not have a fragment: ${issuer.href}`);
  if (issuer.search) throw new Error(`Issuer URL must not have a query string: ${issuer.href}`);
}

/** @throws Error for an issuer that clients must not accept */
export function buildOAuthProtectedResourceMetadata(options: AuthMetadataOptions): OAuthProtectedResourceMetadata {
  const { oauthMetadata, resourceServerUrl, scopesSupported, resourceName, serviceDocumentationUrl } = options;
  assertIssuer(new URL(oauthMetadata.issuer), options.dangerouslyAllowInsecureIssuerUrl);
  return {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    scopes_supported: scopesSupported,
    resource_name: resourceName,
    resource_documentation: serviceDocumentationUrl?.href,
  };
}

/** The path of the metadata of a resource (RFC 9728, section 3.1). */
export function protectedResourcePath({ pathname }: URL): string {
  return `/.well-known/oauth-protected-resource${withoutSlash(pathname)}`;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  const url = new URL(serverUrl);
  url.pathname = protectedResourcePath(serverUrl);
  url.hash = "";
  return url.href;
}

/** The response to a request for one of the documents; `undefined` for any other request. */
export function oauthMetadataResponse(request: Request, options: AuthMetadataOptions): Response | undefined {
  const path = withoutSlash(new URL(request.url).pathname);
  if (path === protectedResourcePath(options.resourceServerUrl))
    return documentResponse(request, buildOAuthProtectedResourceMetadata(options));
  if (path !== authorizationServerPath) return undefined;
  buildOAuthProtectedResourceMetadata(options);
  return documentResponse(request, options.oauthMetadata);
}

const documentMethods = ["GET", "HEAD", "OPTIONS"];

function documentResponse(request: Request, document: object): Response {
  const wantedHeaders = request.headers.get("access-control-request-headers") ?? undefined;
  const { status, headers, body } = documentReply(request.method, wantedHeaders, document);
  return new Response(request.method === "HEAD" || !body ? null : JSON.stringify(body), {
    status,
    headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
  });
}

/** A response with a document that scripts of any origin may read: its parts, for any framework. */
export interface DocumentReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: object;
}

/** @param wantedHeaders the `Access-Control-Request-Headers` of the request */
export function documentReply(method: string, wantedHeaders: string | undefined, document: object): DocumentReply {
  const headers = allowAnyOrigin(documentMethods, method, wantedHeaders);
  if (method === "GET" || method === "HEAD") return { status: 200, headers, body: document };
  if (method === "OPTIONS") return { status: 204, headers };
  return {
    status: 405,
    headers: { ...headers, Allow: documentMethods.join(", ") },
    body: methodNotAllowed(method).toResponseObject(),
  };
}

/** The headers of responses that scripts of any origin may read, and of the answers to their preflight requests (CORS). */
export function allowAnyOrigin(
  allowedMethods: readonly string[],
  method: string,
  wantedHeaders: string | undefined,
): Record<string, string> {
  const anyOrigin = { "Access-Control-Allow-Origin": "*" };
  if (method !== "OPTIONS") return anyOrigin;
  return {
    ...anyOrigin,
    "Access-Control-Allow-Methods": allowedMethods.join(", "),
    ...(wantedHeaders !== undefined && {
      "Access-Control-Allow-Headers": wantedHeaders,
      Vary: "Access-Control-Request-Headers",
    }),
  };
}

export function methodNotAllowed(method: string): OAuthError {
  return new OAuthError(OAuthErrorCode.MethodNotAllowed, `The method ${method} is not allowed for this endpoint`);
}
