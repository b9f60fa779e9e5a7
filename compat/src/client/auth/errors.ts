import type { OAuthClientMetadata } from "../../shared/oauth-types.js";

type Constructor = abstract new (...args: never[]) => unknown;

/** The user has to log in first. */
export class UnauthorizedError extends Error {
  override name = "UnauthorizedError";

  constructor(message?: string) {
    super(message ?? "Unauthorized");
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }
}

/** A log-in that must not go on. */
export class OAuthClientFlowError extends Error {
  override name = "OAuthClientFlowError";

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }
}

/** Metadata, or a response to an authorization request, come from another issuer (RFC 8414, section 3.3; RFC 9207). */
export class IssuerMismatchError extends OAuthClientFlowError {
  override name = "IssuerMismatchError";

  constructor(
    readonly kind: "metadata" | "authorization_response",
    readonly expected: string | undefined,
    readonly received: string | undefined,
  ) {
    const where = kind === "metadata" ? "Authorization server metadata" : "Authorization response";
    super(`${where}: the issuer is ${quoted(received)}, not ${quoted(expected)}`);
  }
}

/** The authorization server has refused to register the client. */
export class RegistrationRejectedError extends OAuthClientFlowError {
  override name = "RegistrationRejectedError";
  readonly status: number;
  readonly body: string;
  readonly submittedMetadata: OAuthClientMetadata;

  constructor(args: { status: number; body: string; submittedMetadata: OAuthClientMetadata }) {
    super(`Dynamic client registration was rejected with status ${args.status}: ${args.body}`);
    this.status = args.status;
    this.body = args.body;
    this.submittedMetadata = args.submittedMetadata;
  }
}

/** Credentials would be sent without encryption. */
export class InsecureTokenEndpointError extends OAuthClientFlowError {
  override name = "InsecureTokenEndpointError";

  constructor(readonly tokenEndpoint: string) {
    super(`The token endpoint ${tokenEndpoint} must use https, or be on this machine`);
  }
}

/** Credentials belong to another authorization server than the current one (SEP-2352). */
export class AuthorizationServerMismatchError extends OAuthClientFlowError {
  override name = "AuthorizationServerMismatchError";

  constructor(
    readonly recordedIssuer: string,
    readonly currentIssuer: string,
  ) {
    super(`The authorization server is ${quoted(currentIssuer)}, but the log-in began with ${quoted(recordedIssuer)}`);
  }
}

/** The server needs scopes that the token does not have. */
export class InsufficientScopeError extends OAuthClientFlowError {
  override name = "InsufficientScopeError";
  readonly requiredScope?: string;
  readonly resourceMetadataUrl?: URL;
  readonly errorDescription?: string;

  constructor(init: {
    requiredScope?: string | undefined;
    resourceMetadataUrl?: URL | undefined;
    errorDescription?: string | undefined;
  }) {
    super(`The server requires more scopes: ${init.requiredScope ?? "it does not name them"}`);
    Object.assign(this, init);
  }
}

function quoted(value: string | undefined): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
