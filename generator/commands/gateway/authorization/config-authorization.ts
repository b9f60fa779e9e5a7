import {
  anyVerifier,
  type BearerAuth,
  introspectionVerifier,
  jwtVerifier,
  type OAuthTokenVerifier,
  requireBearerAuth,
} from "@mcpwright/runtime/auth/server";
import { SdkError } from "@mcpwright/runtime/errors";
import { DiagnosticError, fail } from "../../../shared/diagnostics/diagnostic.js";
import type { AuthorizationConfig, GatewaySettings, IntrospectionConfig } from "../config/gateway-config.js";
import { type ReferenceContext, resolveText } from "../config/resolve-text.js";

/** A verifier of the tokens of one or more issuers. */
export interface ConfigVerifier {
  readonly issuers: readonly string[];
  readonly verifier: OAuthTokenVerifier<object>;
}

/**
 * Makes the authorization of clients that a configuration requires. No issuer is asked before the first token.
 * @param onerror receives what keeps tokens from being verified
 * @returns undefined without the setting `authorization`
 * @throws DiagnosticError gateway-authorization-refused, gateway-variable-unset, gateway-file-unreadable
 */
export function authorizationOf(
  { authorization, name }: GatewaySettings,
  context: ReferenceContext,
  onerror: (error: Error) => void,
): BearerAuth<object> | undefined {
  if (!authorization) return undefined;
  const { resource, scopes, scopeIncludes } = authorization;
  const verifiers = verifiersOf(authorization, context, onerror);
  return explained(() =>
    requireBearerAuth<object>({
      resource,
      verifier: anyVerifier(...verifiers.map(({ verifier }) => verifier)),
      onerror,
      ...(scopes && { requiredScopes: scopes }),
      ...(scopeIncludes && { scopeIncludes }),
      ...(name !== undefined && { resourceName: name }),
    }),
  );
}

/**
 * Makes a verifier for each issuer of JWTs, and one for opaque tokens.
 * @throws DiagnosticError as `authorizationOf`
 */
export function verifiersOf(
  { issuer = [], jwks, algorithms, introspection, audience }: AuthorizationConfig,
  context: ReferenceContext,
  onerror: (error: Error) => void,
): readonly ConfigVerifier[] {
  const common = { onerror, ...(audience !== undefined && { audience }) };
  const issuers = typeof issuer === "string" ? [issuer] : issuer;
  const client = introspection && clientOf(introspection, context);
  return explained(() => [
    ...(issuers.length > 0
      ? [
          {
            issuers,
            verifier: jwtVerifier<object>({
              ...common,
              issuer: issuers,
              ...(jwks !== undefined && { jwks }),
              ...(algorithms && { algorithms }),
            }),
          },
        ]
      : []),
    ...(client
      ? [{ issuers: [client.issuer], verifier: introspectionVerifier<object>({ ...common, ...client }) }]
      : []),
  ]);
}

interface IntrospectionClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoint?: string;
}

function clientOf(
  { issuer, clientId, clientSecret, endpoint }: IntrospectionConfig,
  context: ReferenceContext,
): IntrospectionClient {
  const id = resolveText(clientId, "gateway.authorization.introspection.clientId", context);
  const secret = resolveText(clientSecret, "gateway.authorization.introspection.clientSecret", context);
  const missing = [...(id.missing ?? []), ...(secret.missing ?? [])];
  if (id.value === undefined || secret.value === undefined) throw new DiagnosticError(missing);
  return {
    issuer,
    clientId: id.value,
    clientSecret: secret.value,
    ...(endpoint !== undefined && { endpoint }),
  };
}

function explained<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof SdkError) return fail("gateway-authorization-refused", { reason: error.message });
    throw error;
  }
}
