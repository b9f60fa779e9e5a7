import { AuthorizationResponseError, OperationProcessingError, validateAuthResponse } from "oauth4webapi";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { AuthorizationError } from "../auth-errors.js";
import { cleanErrorText } from "../error-text.js";
import type { AuthorizationFlow } from "./authorization-flow.js";

/** Where the browser was sent by the authorization server. */
export interface AuthorizationCallback {
  readonly url: URL;
  readonly parameters: URLSearchParams;
  readonly state: string;
}

/** Parameters of the authorization response: each may appear once (RFC 6749, section 3.1). */
const responseParameters = ["code", "error", "error_description", "error_uri", "iss", "response", "state"] as const;
/** Parameters of flows that this client does not start. */
const tokenParameters = ["access_token", "id_token", "refresh_token", "token"] as const;
/** The form of each state that `generateRandomState` makes. */
const stateSyntax = /^[\w-]{43}$/;

/**
 * Reads the state of a callback; the rest is used when `checkCallback` has checked it against the flow.
 * @param base the redirect URI, against which a path such as `/callback?code=…` is resolved
 * @throws AuthorizationError `callback-invalid`, `state-mismatch`
 */
export function parseCallback(callbackUrl: URL | string, base?: string): AuthorizationCallback {
  const url = parseUrl(callbackUrl, base === undefined ? undefined : parseUrl(base));
  if (!url) throw invalid("it is not a URL");
  const parameters = url.searchParams;
  const fragment = new URLSearchParams(url.hash.slice(1));
  if (tokenParameters.some((name) => parameters.has(name) || fragment.has(name)))
    throw invalid("it contains a token, but this client only accepts an authorization code");
  if (fragment.has("code") || fragment.has("state"))
    throw invalid("the response is in its fragment; the authorization server must use the response mode query");
  const doubled = responseParameters.find((name) => parameters.getAll(name).length > 1);
  if (doubled !== undefined) throw invalid(`it contains the parameter ${doubled} more than once`);
  const state = parameters.get("state");
  if (state === null || !stateSyntax.test(state))
    throw stateMismatch(state === null ? "it has no state" : "no log-in with its state was started here");
  return { url, parameters, state };
}

/**
 * Checks a callback against the flow that it ends (MCP 2026-07-28, authorization response validation; RFC 9207, section 2.4).
 * Nothing of the response is used or shown before `iss` has been compared.
 * @returns the authorization code
 * @throws AuthorizationError `state-mismatch`, `callback-invalid`, `issuer-mismatch`, `denied`
 */
export function checkCallback({ url, parameters, state }: AuthorizationCallback, flow: AuthorizationFlow): string {
  if (!isEqual(state, flow.state)) throw stateMismatch("it belongs to another log-in");
  if (!isAtRedirectUri(url, flow.redirectUri)) throw invalid(`it is not the redirect URI ${flow.redirectUri}`);
  const { issuer, metadata } = flow.server;
  const iss = parameters.get("iss");
  if (iss === null ? metadata.authorization_response_iss_parameter_supported === true : iss !== issuer)
    throw new AuthorizationError(
      "issuer-mismatch",
      iss === null
        ? `The authorization response has no iss, although ${issuer} announces it; another server may have sent it`
        : `The authorization response comes from another authorization server than ${issuer}`,
      { issuer },
    );
  try {
    validateAuthResponse({ ...metadata, issuer }, { client_id: flow.clientId }, parameters, flow.state);
  } catch (error) {
    throw toAuthorizationError(error, parameters, flow);
  }
  const code = parameters.get("code");
  if (code === null || code === "") throw invalid("it has neither a code nor an error", issuer);
  return code;
}

/** Compares in constant time: how long it takes does not depend on where the strings differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** The authorization server only adds parameters to the redirect URI (RFC 6749, section 4.1.2). */
function isAtRedirectUri(url: URL, redirectUri: string): boolean {
  const expected = parseUrl(redirectUri);
  if (!expected) return false;
  const { protocol, host, pathname, username, password } = url;
  return (
    protocol === expected.protocol &&
    host === expected.host &&
    pathname === expected.pathname &&
    username === "" &&
    password === "" &&
    [...expected.searchParams].every(([name, value]) => url.searchParams.getAll(name).includes(value))
  );
}

/** The causes of oauth4webapi's errors contain the code: only names are copied. */
function toAuthorizationError(
  error: unknown,
  parameters: URLSearchParams,
  { server: { issuer }, verifier, state }: AuthorizationFlow,
): unknown {
  const secrets = [verifier, state, parameters.get("code") ?? ""];
  if (error instanceof AuthorizationResponseError) {
    const code = cleanErrorText(error.error, secrets) ?? "unknown_error";
    const description = cleanErrorText(error.error_description, secrets);
    const what =
      code === "access_denied" ? "The user or the authorization server refused the log-in" : "The log-in failed";
    return new AuthorizationError(
      "denied",
      `${what} at ${issuer}: ${code}${description === undefined ? "" : ` (${description})`}`,
      { issuer, error: code, ...(description !== undefined && { errorDescription: description }) },
    );
  }
  if (error instanceof OperationProcessingError) return invalid(error.message, issuer);
  return error instanceof Error ? invalid("its response mode or response type is not supported", issuer) : error;
}

function invalid(why: string, issuer?: string): AuthorizationError {
  return new AuthorizationError(
    "callback-invalid",
    `The callback URL cannot be used: ${why}`,
    issuer === undefined ? {} : { issuer },
  );
}

/** @param why completes "The callback URL cannot be used" */
export function stateMismatch(why: string): AuthorizationError {
  return new AuthorizationError("state-mismatch", `The callback URL cannot be used: ${why}. Log in again`);
}
