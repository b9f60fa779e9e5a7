import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { AuthorizationError } from "../auth-errors.js";
import { cleanErrorCode, cleanErrorText } from "../error-text.js";

/**
 * Prepares a response of a token endpoint for oauth4webapi, which is stricter than servers are, and would reject a log-in for
 * an ID token that MCP clients do not use. Removes `id_token` and members that are null or empty; gives an OAuth error a status
 * of 4xx and JSON its content type.
 * @throws AuthorizationError `unreachable` for 5xx and 429: a later request may succeed; `token-invalid` without a JSON object
 */
export function normalizeTokenResponse(
  response: Response,
  text: string,
  issuer: string,
  secrets: readonly string[],
): Response {
  const { status } = response;
  const body = readBody(response, text, issuer, secrets);
  if (!body) throw noObject(response, `The token endpoint of ${issuer}`, issuer);
  // Some servers send errors with status 200.
  const isError = hasError(body) && (status >= 400 || body["access_token"] === undefined);
  if (isError) return Response.json(body, { status: status >= 400 ? status : 400 });
  const members = Object.entries(body).filter(([name, value]) => name !== "id_token" && value !== null && value !== "");
  return Response.json(Object.fromEntries(members), { status });
}

/**
 * Prepares a response of a revocation endpoint (RFC 7009, section 2.2), whose body has no meaning unless it is an error.
 * @throws AuthorizationError `unreachable` for 5xx and 429; `token-invalid` for an error without a JSON object
 */
export function normalizeRevocationResponse(
  response: Response,
  text: string,
  issuer: string,
  secrets: readonly string[],
): Response {
  const body = readBody(response, text, issuer, secrets);
  if (response.ok) return new Response();
  if (!body || !hasError(body)) throw noObject(response, `The revocation endpoint of ${issuer}`, issuer);
  return Response.json(body, { status: response.status });
}

function readBody(
  response: Response,
  text: string,
  issuer: string,
  secrets: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const { status } = response;
  const body = parseJsonObject(text, { maxDepth: 100, maxValues: 10_000 });
  if (status < 500 && status !== 429) return body;
  const error = cleanErrorCode(body?.["error"], secrets);
  throw new AuthorizationError(
    "unreachable",
    `The authorization server ${issuer} is unavailable: status ${status}${error === undefined ? "" : `, ${error}`}`,
    { issuer, status, ...(error !== undefined && { error }) },
  );
}

function hasError(body: Readonly<Record<string, unknown>>): boolean {
  return typeof body["error"] === "string" && body["error"] !== "";
}

function noObject(response: Response, what: string, issuer: string): AuthorizationError {
  const { status, headers } = response;
  const type = cleanErrorText(headers.get("content-type")) ?? "no content type";
  return new AuthorizationError("token-invalid", `${what} sent no JSON object (status ${status}, ${type})`, {
    issuer,
    status,
  });
}
