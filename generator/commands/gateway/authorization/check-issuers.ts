import { InvalidTokenError } from "@mcpwright/runtime/auth/server";
import { type Diagnostic, diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import type { AuthorizationConfig } from "../config/gateway-config.js";
import type { ReferenceContext } from "../config/resolve-text.js";
import { type ConfigVerifier, verifiersOf } from "./config-authorization.js";

/**
 * Asks each issuer about a token that does not exist, as the gateway does for those of clients: its metadata, its keys, and its
 * introspection endpoint with the gateway's client.
 * @returns one error for each issuer whose tokens cannot be verified now
 * @throws DiagnosticError gateway-authorization-refused, gateway-variable-unset, gateway-file-unreadable
 */
export async function checkIssuers(
  authorization: AuthorizationConfig,
  context: ReferenceContext,
): Promise<readonly Diagnostic[]> {
  const verifiers = verifiersOf(authorization, context, () => undefined);
  const problems = await Promise.all(
    verifiers.flatMap(({ issuers, verifier }) =>
      issuers.map(async (issuer) => {
        const reason = await problemOf(verifier, tokenOf(issuer, authorization), authorization.resource);
        return reason === undefined ? [] : [diagnostic("gateway-issuer-unusable", { issuer, reason })];
      }),
    ),
  );
  return problems.flat();
}

/** Returns why the issuer cannot be asked; undefined if it rejects the token, as it should. */
async function problemOf(
  verifier: ConfigVerifier["verifier"],
  token: string,
  resource: string,
): Promise<string | undefined> {
  try {
    await verifier.verifyAccessToken(token, { resource });
    return "it accepts a token that does not exist";
  } catch (error) {
    if (error instanceof InvalidTokenError) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

/** A token that is complete, so that only the keys of the issuer can show that it is not valid. For introspection, it is any text. */
function tokenOf(issuer: string, { resource, audience, algorithms }: AuthorizationConfig): string {
  const [alg = "ES256"] = algorithms ?? [];
  const now = Math.floor(Date.now() / 1000);
  const aud = typeof audience === "object" ? audience[0] : audience;
  const claims = {
    iss: issuer,
    aud: aud ?? resource,
    sub: "mcpwright-check",
    client_id: "mcpwright-check",
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + 60,
  };
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signature = Buffer.alloc(64, 1).toString("base64url");
  return `${encode({ alg, typ: "at+jwt", kid: crypto.randomUUID() })}.${encode(claims)}.${signature}`;
}
