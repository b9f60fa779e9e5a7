import type { AuthorizationServer } from "oauth4webapi";
import { isObject } from "../../jsonrpc/guards.js";
import { AuthorizationError } from "../auth-errors.js";
import { describeUrl, parseSecureUrl, shorten } from "./secure-url.js";

/** Members that this client reads, besides the endpoints. */
const lists = [
  "code_challenge_methods_supported",
  "dpop_signing_alg_values_supported",
  "grant_types_supported",
  "response_types_supported",
  "scopes_supported",
  "token_endpoint_auth_methods_supported",
  "token_endpoint_auth_signing_alg_values_supported",
];
const switches = ["authorization_response_iss_parameter_supported", "client_id_metadata_document_supported"];

/**
 * Checks the metadata of an authorization server (RFC 8414, sections 2 and 3.3). Members with the value null count as absent.
 * @param issuers the accepted spellings of the issuer
 * @param url where the document was found
 * @throws AuthorizationError `issuer-mismatch`, `metadata-invalid`, `insecure-url`
 */
export function checkServerMetadata(
  document: Readonly<Record<string, unknown>>,
  issuers: readonly string[],
  url: URL,
): AuthorizationServer {
  const where = `the metadata ${describeUrl(url)}`;
  const body = Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
  const { issuer } = body;
  const refuse = (why: string): never => {
    throw new AuthorizationError("metadata-invalid", `${where} ${why}`, issuerData(issuers));
  };
  if (typeof issuer !== "string") return refuse("must have an issuer");
  if (!issuers.includes(issuer))
    throw new AuthorizationError(
      "issuer-mismatch",
      `${where} belongs to the issuer ${shorten(issuer)}, not to ${shorten(issuers[0] ?? "")}: both must be spelled identically (RFC 8414, section 3.3)`,
      issuerData(issuers),
    );
  if (body["token_endpoint"] === undefined) return refuse("must have a token_endpoint");
  for (const [name, value] of [...Object.entries(body), ...aliases(body)])
    if (name.endsWith("_endpoint") || name === "jwks_uri") parseSecureUrl(value, `${name} in ${where}`, url);
  for (const name of lists)
    if (!isOptional(body[name], isListOfStrings)) return refuse(`must have a list of strings for ${name}`);
  for (const name of switches)
    if (!isOptional(body[name], isBoolean)) return refuse(`must have true or false for ${name}`);
  return { ...body, issuer };
}

/** The endpoints for clients with certificates (RFC 8705, section 5). */
function aliases(body: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const { mtls_endpoint_aliases: found } = body;
  return isObject(found) ? Object.entries(found) : [];
}

function issuerData(issuers: readonly string[]): { readonly issuer?: string } {
  return issuers[0] === undefined ? {} : { issuer: issuers[0] };
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value);
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}
