import type { HttpAuthorization } from "../../http-server/http-authorization.js";
import { assertMethods } from "../../options/assert-methods.js";
import type { AuthorizationPolicy } from "./authorization-policy.js";
import { PolicyGate } from "./policy-gate.js";

/**
 * Makes an authorization of your own rules, for credentials other than access tokens. Pass it as the option `authorization` to
 * `serveHttp` or `createMcpHandler`.
 * @throws SdkError `INVALID_CONFIGURATION` when the policy lacks a method
 * @example
 * ```ts
 * const authorization = authorizeHttp({
 *   publicPaths: [],
 *   publicDocument: () => ({ status: 404, headers: {} }),
 *   authenticate: (request) => {
 *     const subject = users.get(request.header("x-api-key") ?? "");
 *     if (subject === undefined) return { status: 401, message: "Unauthorized: send an API key", headers: {} };
 *     return { principal: { issuer: "https://mcp.example.com", subject } };
 *   },
 *   authorize: (_request, _requests, scopes) =>
 *     scopes.length === 0 ? undefined : { status: 403, message: "Forbidden", headers: {} },
 * });
 * ```
 */
export function authorizeHttp(policy: AuthorizationPolicy): HttpAuthorization {
  assertMethods(policy, ["publicDocument", "authenticate", "authorize"], "pass an AuthorizationPolicy");
  return { publicPaths: policy.publicPaths, gateFor: (server) => new PolicyGate(server, policy) };
}
