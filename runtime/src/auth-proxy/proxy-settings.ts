import { parseResource } from "../auth-server/resource-identifier.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { isScopeName } from "../rules/scope-names.js";
import type {
  AddressOf,
  KnownClient,
  MetadataDocumentOptions,
  OAuthProxyOptions,
  RegistrationOptions,
} from "./oauth-proxy-options.js";
import { publicAddress } from "./clients/address-limits.js";
import { type RedirectRules, redirectUriProblem } from "./clients/redirect-uris.js";
import { isLoopbackHost } from "./loopback-host.js";

/** The checked options of an OAuth proxy, with their defaults. */
export interface ProxySettings {
  /** The issuer identifier, which clients compare exactly: without a slash at its end. */
  readonly issuer: string;
  readonly issuerUrl: URL;
  /** The path of the issuer without a slash at its end. */
  readonly basePath: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly secrets: readonly string[];
  readonly clients: readonly KnownClient[];
  readonly registration: RegistrationOptions | undefined;
  readonly metadataDocuments: MetadataDocumentOptions | undefined;
  readonly redirects: RedirectRules;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly grantSeconds: number;
  readonly interactionSeconds: number;
  readonly addressOf: AddressOf;
  /** The host names of `Host`; undefined for all. */
  readonly hosts: ReadonlySet<string> | undefined;
}

/** The scopes of OpenID Connect, which clients may send to any server. */
export const standardScopes: readonly string[] = ["openid", "offline_access"];

/** Schemes that run code or read files in the browser of the user. */
const dangerousSchemes = [
  "javascript",
  "data",
  "vbscript",
  "blob",
  "file",
  "about",
  "http",
  "https",
  "ws",
  "wss",
  "ftp",
];

/** Checks all options but `secrets`, which the `Sealer` checks. @throws SdkError `INVALID_CONFIGURATION` */
export function checkOptions(options: OAuthProxyOptions): ProxySettings {
  if (typeof options !== "object" || (options as unknown) === null)
    throw invalid("pass an object with options: createOAuthProxy({ issuer, resource, upstream, secrets })");
  const issuerUrl = checkIssuer(options.issuer);
  const { pathname, href, origin } = issuerUrl;
  // A token needs a scope, also on a server that has none.
  const scopes = Object.keys(options.scopes ?? { mcp: "" });
  if (scopes.length === 0) throw invalid("scopes must name at least one scope; leave it out for the scope mcp");
  for (const scope of scopes)
    if (!isScopeName(scope) || standardScopes.includes(scope))
      throw invalid(`scopes: ${JSON.stringify(scope)} cannot be the name of a scope of an MCP server`);
  const basePath = pathname.replace(/\/$/, "");
  const redirects = { schemes: (options.redirectSchemes ?? []).map(checkScheme), issuerUrl, basePath };
  assertMethods(
    options.upstream,
    ["authorizationUrl", "finish", "refresh"],
    "upstream must be a provider: github(…), google(…), entra(…) or oidc(…)",
  );
  if (options.store)
    assertMethods(
      options.store,
      ["get", "set", "take", "delete", "deleteGroup", "count"],
      "store must be a ProxyStore: await openSqliteStore(path)",
    );
  const { registration = true, metadataDocuments = true, clients = [] } = options;
  checkDurations(options);
  const ids = clients.map((client) => client.clientId);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) throw invalid(`clients: ${id} is listed twice`);
  assertNumberOptions(registration, metadataDocuments);
  const {
    accessTokenSeconds = 600,
    refreshTokenSeconds = 30 * 86_400,
    interactionSeconds = 600,
    grantSeconds = 90 * 86_400,
  } = options;
  return {
    issuer: pathname === "/" ? origin : href,
    issuerUrl,
    basePath,
    resource: parseResource(options.resource).text,
    scopes,
    secrets: options.secrets,
    clients: clients.map((client) => checkClient(client, redirects)),
    registration: toOptions(registration),
    metadataDocuments: toOptions(metadataDocuments),
    redirects,
    accessTokenSeconds,
    refreshTokenSeconds,
    grantSeconds,
    interactionSeconds,
    addressOf: options.addressOf ?? (({ socket }) => publicAddress(socket.remoteAddress)),
    hosts: checkHosts(options.allowedHosts, issuerUrl),
  };
}

function toOptions<Options extends object>(given: boolean | Options): Partial<Options> | undefined {
  return given === true ? {} : given === false ? undefined : given;
}

/** @returns the accepted hosts; undefined for all */
function checkHosts(allowed: OAuthProxyOptions["allowedHosts"], issuer: URL): ReadonlySet<string> | undefined {
  if (allowed === "any") return undefined;
  const hosts: unknown = allowed ?? [];
  if (!Array.isArray(hosts))
    throw invalid('allowedHosts must be a list of host names, such as ["mcp.internal"], or "any"');
  return new Set([issuer.hostname, ...hosts.map((host) => String(host).toLowerCase())]);
}

function checkIssuer(issuer: string | URL): URL {
  const url = parseUrl(issuer);
  if (!url)
    throw invalid(`issuer must be the public URL of the proxy, such as "https://mcp.example.com"; got ${show(issuer)}`);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname)))
    throw invalid(`issuer must have https, or http on localhost, 127.0.0.1 or [::1]; got ${url.protocol}//${url.host}`);
  if (url.search || url.hash || url.username || url.password || /[?#]$/.test(url.href))
    throw invalid("issuer must not have a query, a fragment, a user name or a password (RFC 8414, section 2)");
  if (/\/\/|%/.test(url.pathname) || (url.pathname !== "/" && url.pathname.endsWith("/")))
    throw invalid(
      `the path of issuer must have no empty segments, no escapes, and no slash at its end; got ${url.pathname}`,
    );
  return url;
}

function checkClient(client: KnownClient, redirects: RedirectRules): KnownClient {
  const { clientId, clientSecret, redirectUris } = Object(client) as KnownClient;
  if (typeof clientId !== "string" || !/^[\x20-\x7e]+$/.test(clientId))
    throw invalid("clients: clientId must be a string of visible ASCII characters");
  if (clientSecret !== undefined && (typeof clientSecret !== "string" || clientSecret === ""))
    throw invalid(`clients: ${clientId}: clientSecret must be a non-empty string; leave it out for a public client`);
  if (!Array.isArray(redirectUris) || redirectUris.length === 0)
    throw invalid(`clients: ${clientId} needs redirectUris: ["https://client.example/callback"]`);
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri, redirects);
    if (problem !== undefined) throw invalid(`clients: ${clientId}: redirectUris: ${problem}`);
  }
  return client;
}

function checkScheme(scheme: string): string {
  if (typeof scheme !== "string" || !/^[a-z][a-z0-9+.-]*$/.test(scheme) || dangerousSchemes.includes(scheme))
    throw invalid(
      `redirectSchemes must be private-use schemes in lower case, such as "com.example.app"; got ${show(scheme)}`,
    );
  return scheme;
}

function checkDurations(options: OAuthProxyOptions): void {
  const days: unknown = options.rememberConsentDays;
  // Browsers keep cookies no longer (RFC 6265bis, section 5.5).
  if (days !== undefined && !(Number.isInteger(days) && Number(days) >= 0 && Number(days) <= 400))
    throw invalid(`rememberConsentDays must be a whole number from 0 to 400; got ${show(days)}`);
  for (const name of ["accessTokenSeconds", "refreshTokenSeconds", "grantSeconds", "interactionSeconds"] as const) {
    const seconds: unknown = options[name];
    if (seconds !== undefined && !(Number.isInteger(seconds) && Number(seconds) > 0))
      throw invalid(`${name} must be a whole number of seconds above 0; got ${show(seconds)}`);
  }
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function invalid(message: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", message);
}
