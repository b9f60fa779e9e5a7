import { clientAuthMethods } from "../endpoints.js";
import { type RedirectRules, redirectUriProblem } from "./redirect-uris.js";

/** The metadata of a client, as it registers them or as its document states them. */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** The metadata are not accepted (RFC 7591, section 3.2.2). */
export class ClientMetadataError extends Error {
  constructor(
    readonly error: "invalid_redirect_uri" | "invalid_client_metadata",
    message: string,
  ) {
    super(message);
  }
}

/** The longest name of a client on the consent page. */
const maxNameLength = 100;
const maxRedirectUris = 20;

const methods: readonly unknown[] = clientAuthMethods;

/** Controls, and the characters that change the direction of a text or are invisible, with which a name could imitate another. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Checks what a client states about itself, and keeps only what this server uses.
 * @throws ClientMetadataError
 */
export function checkClientMetadata(given: ClientMetadata, rules: RedirectRules): ClientMetadata {
  const redirectUris = checkRedirectUris(given["redirect_uris"], rules);
  const { token_endpoint_auth_method: method = "client_secret_basic" } = given;
  if (!methods.includes(method)) throw invalid(`token_endpoint_auth_method must be one of ${methods.join(", ")}`);
  const { dpop_bound_access_tokens: isBound = false } = given;
  if (typeof isBound !== "boolean") throw invalid("dpop_bound_access_tokens must be true or false");
  return {
    ...pick(given, ["token_endpoint_auth_method", "application_type", "dpop_bound_access_tokens"]),
    ...namesOf(given),
    redirect_uris: redirectUris,
    grant_types: supported(given, "grant_types", ["authorization_code", "refresh_token"], "authorization_code"),
    response_types: supported(given, "response_types", ["code"], "code"),
  };
}

function checkRedirectUris(uris: unknown, rules: RedirectRules): readonly unknown[] {
  if (!Array.isArray(uris) || uris.length === 0)
    throw new ClientMetadataError("invalid_redirect_uri", "redirect_uris must contain at least one redirect URI");
  if (uris.length > maxRedirectUris)
    throw new ClientMetadataError(
      "invalid_redirect_uri",
      `redirect_uris must not contain more than ${maxRedirectUris} redirect URIs`,
    );
  for (const uri of uris as readonly unknown[]) {
    const problem = redirectUriProblem(uri, rules);
    if (problem !== undefined) throw new ClientMetadataError("invalid_redirect_uri", `redirect_uris: ${problem}`);
  }
  return uris;
}

function namesOf(given: ClientMetadata): ClientMetadata {
  const name = given["client_name"];
  if (name === undefined || name === "") return {};
  if (typeof name !== "string" || name.length > maxNameLength || deceptive.test(name))
    throw invalid(`client_name must be a text of at most ${maxNameLength} visible characters`);
  return { client_name: name };
}

/** Clients list everything that they can do; the server uses what it can do, too. */
function supported(given: ClientMetadata, member: string, known: readonly string[], needed: string): readonly string[] {
  const values = given[member] ?? [needed];
  if (!Array.isArray(values)) throw invalid(`${member} must be an array`);
  const kept = known.filter((value) => values.includes(value));
  if (!kept.includes(needed))
    throw invalid(`${member} must contain ${needed}: this server supports nothing else without it`);
  return kept;
}

function pick(given: ClientMetadata, members: readonly string[]): ClientMetadata {
  return Object.fromEntries(members.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

function invalid(message: string): ClientMetadataError {
  return new ClientMetadataError("invalid_client_metadata", message);
}
