import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  OperationProcessingError,
  processDynamicClientRegistrationResponse,
  ResponseBodyError,
} from "oauth4webapi";
import type { CustomFetchOptions } from "oauth4webapi";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { AuthorizationError } from "../auth-errors.js";
import type { AuthorizationErrorData } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import { assertSecureUrl } from "../discovery/secure-url.js";
import { cleanErrorText } from "../error-text.js";
import type { OAuthOptions } from "../oauth-options.js";
import { limitedRequest } from "../tokens/limited-request.js";
import type { ClientMetadata } from "./client-metadata.js";

/** A client that an authorization server has registered (RFC 7591, section 3.2.1). */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Milliseconds since 1970; undefined for a secret that does not expire. */
  readonly secretExpiresAt?: number;
  /** The method that the authorization server has assigned. */
  readonly method: string;
  readonly redirectUris: readonly string[];
}

export interface RegistrationRequest {
  readonly server: DiscoveredServer;
  readonly metadata: ClientMetadata;
  /** Authorizes the registration at servers that are not open to everybody. */
  readonly initialAccessToken: string | undefined;
  readonly options: OAuthOptions;
  readonly signal: AbortSignal;
}

/**
 * Registers a client (RFC 7591, section 3).
 * @throws AuthorizationError `registration-refused`, `insecure-url`, `metadata-invalid`, `unreachable`
 */
export async function requestRegistration(request: RegistrationRequest): Promise<Registration> {
  const { server, metadata, initialAccessToken, options, signal } = request;
  const { issuer } = server;
  const url = registrationEndpoint(server);
  const secrets = initialAccessToken === undefined ? [] : [initialAccessToken];
  const send = async (_url: string, init: CustomFetchOptions<"POST", string>): Promise<Response> => {
    const { body, headers, method } = init;
    const { response, text } = await limitedRequest(url, { body, headers, method }, options, secrets, signal);
    return normalize(response, text, issuer, secrets);
  };
  try {
    const response = await dynamicClientRegistrationRequest(
      { ...server.metadata, issuer, registration_endpoint: url.href },
      toWire(metadata),
      {
        ...(initialAccessToken !== undefined && { initialAccessToken }),
        [customFetch]: send,
        // `assertSecureUrl` has allowed it for loopback only.
        [allowInsecureRequests]: url.protocol === "http:",
      },
    );
    return readRegistration(await processDynamicClientRegistrationResponse(response), metadata, issuer);
  } catch (error) {
    throw toAuthorizationError(error, issuer, secrets);
  }
}

function registrationEndpoint({ issuer, metadata }: DiscoveredServer): URL {
  const text: unknown = metadata.registration_endpoint;
  const url = typeof text === "string" ? parseUrl(text) : undefined;
  if (!url)
    throw new AuthorizationError(
      "metadata-invalid",
      `registration_endpoint in the metadata of ${issuer} is not a URL`,
      {
        issuer,
      },
    );
  assertSecureUrl(url, `the registration_endpoint of ${issuer},`, parseUrl(issuer));
  return url;
}

/** Copies the metadata into the JSON types of oauth4webapi. */
function toWire(metadata: ClientMetadata): Parameters<typeof dynamicClientRegistrationRequest>[1] {
  return JSON.parse(JSON.stringify(metadata)) as Parameters<typeof dynamicClientRegistrationRequest>[1];
}

/**
 * Accepts what widespread servers do: status 200, and a secret without `client_secret_expires_at` or null in place of a missing
 * member.
 */
function normalize(response: Response, text: string, issuer: string, secrets: readonly string[]): Response {
  const body = parseJsonObject(text);
  const { ok, status } = response;
  if (!ok && typeof body?.["error"] !== "string")
    throw refused(issuer, `status ${status}`, { status, ...describe(body, secrets) });
  if (ok && !body) throw refused(issuer, "its response is not a JSON object", { status });
  const members = Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== null));
  if (ok && members["client_secret"] !== undefined) members["client_secret_expires_at"] ??= 0;
  return Response.json(members, { status: ok ? 201 : status });
}

function readRegistration(
  body: Readonly<Record<string, unknown>>,
  requested: ClientMetadata,
  issuer: string,
): Registration {
  const clientId = body["client_id"];
  if (typeof clientId !== "string" || clientId === "") throw refused(issuer, "its response has no client_id");
  const redirectUris = stringList(body["redirect_uris"]) ?? requested.redirect_uris ?? [];
  const missing = requested.redirect_uris?.find((one) => !redirectUris.includes(one));
  if (missing !== undefined)
    throw refused(issuer, `it registered other redirect URIs than ${missing}, so the user would not return here`);
  const grants = stringList(body["grant_types"]);
  if (grants && !grants.includes("authorization_code"))
    throw refused(issuer, "it registered the client without the grant authorization_code");
  const secret = body["client_secret"];
  const clientSecret = typeof secret === "string" && secret !== "" ? secret : undefined;
  const expiresAt = Number(body["client_secret_expires_at"] ?? 0);
  return {
    clientId,
    method: assignedMethod(body["token_endpoint_auth_method"], requested, clientSecret, issuer),
    redirectUris,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(clientSecret !== undefined && expiresAt > 0 && { secretExpiresAt: expiresAt * 1000 }),
  };
}

/** The server may replace the requested method (RFC 7591, section 3.2.1). */
function assignedMethod(
  returned: unknown,
  requested: ClientMetadata,
  clientSecret: string | undefined,
  issuer: string,
): string {
  const method =
    typeof returned === "string" ? returned : (requested.token_endpoint_auth_method ?? "client_secret_basic");
  if (!method.startsWith("client_secret")) return method;
  if (clientSecret !== undefined) return method;
  if (typeof returned === "string")
    throw refused(issuer, `it assigned the method ${cleanErrorText(method) ?? ""} without a client_secret`);
  // Neither a method nor a secret: a public client.
  return "none";
}

function stringList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

function describe(
  body: Readonly<Record<string, unknown>> | undefined,
  secrets: readonly string[],
): { readonly errorDescription?: string } {
  const errorDescription = cleanErrorText(body?.["error_description"] ?? body?.["message"], secrets);
  return errorDescription === undefined ? {} : { errorDescription };
}

function refused(
  issuer: string,
  why: string,
  data: Omit<AuthorizationErrorData, "reason" | "issuer"> = {},
): AuthorizationError {
  const description = data.errorDescription === undefined ? "" : ` (${data.errorDescription})`;
  return new AuthorizationError(
    "registration-refused",
    `${issuer} did not register this client: ${why}${description}. Register the application there yourself and pass \`client\`, or ask the operator of the server`,
    { issuer, ...data },
  );
}

function toAuthorizationError(error: unknown, issuer: string, secrets: readonly string[]): unknown {
  if (error instanceof AuthorizationError)
    return error.reason === "token-invalid"
      ? refused(issuer, error.message, error.data.status === undefined ? {} : { status: error.data.status })
      : error;
  if (error instanceof ResponseBodyError) {
    const code = cleanErrorText(error.error, secrets) ?? "unknown_error";
    const description = cleanErrorText(error.error_description, secrets);
    return refused(issuer, code, {
      error: code,
      status: error.status,
      ...(description !== undefined && { errorDescription: description }),
    });
  }
  // The message names members, not their values.
  return error instanceof OperationProcessingError ? refused(issuer, error.message) : error;
}
