import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { BearerAuthOptions } from "./bearer-auth-options.js";
import type { DpopOptions } from "./dpop/dpop-options.js";
import { DpopProofs } from "./dpop/dpop-proofs.js";
import { isSecure, isUriText, parseResource, type ResourceIdentifier } from "./resource-identifier.js";
import type { ResourceMetadataDocument } from "./resource-metadata-document.js";
import { ScopeHierarchy } from "./scope-hierarchy.js";
import { checkScopes } from "./check-scopes.js";

/** The checked options of `requireBearerAuth`. */
export interface BearerAuthSettings {
  readonly resource: ResourceIdentifier;
  readonly requiredScopes: readonly string[];
  readonly hierarchy: ScopeHierarchy;
  readonly proofs: DpopProofs;
  /** Which schemes challenges and metadata announce. */
  readonly schemes: "Bearer" | "DPoP" | "both";
  readonly document: ResourceMetadataDocument;
}

/** The options, as far as they are checked. */
type GivenOptions = Omit<BearerAuthOptions<object>, "operationScopes"> & { readonly operationScopes?: unknown };

/** @throws SdkError `INVALID_CONFIGURATION` with the option that is invalid, and the remedy */
export function checkBearerAuthOptions(options: GivenOptions): BearerAuthSettings {
  if (typeof options !== "object" || (options as unknown) === null)
    throw invalid(
      'options must be an object: requireBearerAuth({ resource: "https://mcp.example.com/mcp", verifier })',
    );
  const { verifier, dpop = false } = options;
  const given: DpopOptions = typeof dpop === "object" ? dpop : {};
  assertNumberOptions(options);
  if (options.verificationTimeoutMs === 0)
    throw invalid("verificationTimeoutMs must be more than 0; use Infinity for no limit");
  assertMethods(
    verifier,
    ["verifyAccessToken"],
    "verifier must be an object with a method verifyAccessToken, such as jwtVerifier({ issuer })",
  );
  assertNumberOptions({ "verifier.cacheMs": verifier.cacheMs });
  const { audiences } = verifier;
  if (audiences !== undefined && !(Array.isArray(audiences) && audiences.length > 0 && audiences.every(isText)))
    throw invalid(
      "verifier.audiences must be an array with at least one non-empty string, or undefined for the resource",
    );
  if (typeof dpop !== "boolean" && (typeof dpop !== "object" || (dpop as unknown) === null))
    throw invalid("dpop must be true, false or an object with options: { required: true }");
  for (const name of ["onerror", "onRefused", "operationScopes"] as const)
    if (options[name] !== undefined && typeof options[name] !== "function") throw invalid(`${name} must be a function`);
  const resource = parseResource(options.resource);
  const requiredScopes = checkScopes(options.requiredScopes ?? [], "requiredScopes");
  const proofs = new DpopProofs(given, resource.url);
  return {
    resource,
    requiredScopes,
    hierarchy: new ScopeHierarchy(options.scopeIncludes),
    proofs,
    schemes: given.required === true ? "DPoP" : dpop === false ? "Bearer" : "both",
    document: documentOf(options, resource, requiredScopes, dpop === false ? undefined : proofs, given),
  };
}

function documentOf(
  options: GivenOptions,
  resource: ResourceIdentifier,
  requiredScopes: readonly string[],
  announced: DpopProofs | undefined,
  { required }: DpopOptions,
): ResourceMetadataDocument {
  const { verifier, resourceName } = options;
  if (resourceName !== undefined && typeof resourceName !== "string") throw invalid("resourceName must be a string");
  checkIssuers(verifier.issuers, "verifier.issuers");
  const servers = options.authorizationServers ?? verifier.issuers;
  checkIssuers(servers, "authorizationServers");
  const scopes = options.scopesSupported ? checkScopes(options.scopesSupported, "scopesSupported") : requiredScopes;
  return {
    resource: resource.text,
    authorization_servers: [...servers],
    scopes_supported: scopes.length > 0 ? scopes : undefined,
    bearer_methods_supported: ["header"],
    resource_name: resourceName,
    resource_documentation: pageUrl(options.resourceDocumentation, "resourceDocumentation"),
    resource_policy_uri: pageUrl(options.resourcePolicyUri, "resourcePolicyUri"),
    resource_tos_uri: pageUrl(options.resourceTosUri, "resourceTosUri"),
    dpop_signing_alg_values_supported: announced?.algorithms,
    dpop_bound_access_tokens_required: required === true ? true : undefined,
  };
}

/** Clients must reject other issuers (RFC 8414, section 2). */
function checkIssuers(issuers: unknown, where: string): void {
  if (!Array.isArray(issuers) || issuers.length === 0)
    throw invalid(`${where} must contain the issuer of at least one authorization server`);
  for (const issuer of issuers as readonly unknown[]) {
    const url = typeof issuer === "string" && isUriText(issuer) ? parseUrl(issuer) : undefined;
    if (!url || !isSecure(url) || /[?#]/.test(issuer as string) || url.username || url.password)
      throw invalid(
        `${where} must contain https URLs without query, fragment and user name (http for localhost only); got ${describe(issuer)}`,
      );
  }
}

function pageUrl(page: unknown, where: string): string | undefined {
  if (page === undefined) return undefined;
  const url = typeof page === "string" || page instanceof URL ? parseUrl(page) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(`${where} must be the URL of a web page; got ${describe(page)}`);
  return url.href;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : typeof value;
}

function invalid(message: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", message);
}
