import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { ApplicationType, ClientMetadata } from "./client-metadata.js";
import { applicationTypeOf } from "./redirect-uri.js";

/** How an application describes itself to authorization servers. */
export interface ApplicationDescription {
  /** The name that users see on the consent page. */
  readonly clientName: string;
  /** The URL of a page about the application. */
  readonly clientUri?: string;
  readonly logoUri?: string;
  /** Default: `native` for redirect URIs on a loopback address or with a scheme of the application, else `web`. */
  readonly applicationType?: ApplicationType;
  /** More members of a dynamic registration, such as `contacts`; they replace those that the other options set. */
  readonly registrationMetadata?: ClientMetadata;
}

/** Methods of a client with nothing but what a registration gives it, in order of preference. */
const nativeMethods: readonly string[] = ["none", "client_secret_basic", "client_secret_post"];
const webMethods: readonly string[] = ["client_secret_basic", "client_secret_post", "none"];

/**
 * Returns the metadata with which an application registers.
 * @throws AuthorizationError `no-client` when the authorization server lists no method that a registered client can use
 */
export function registrationMetadata(
  application: ApplicationDescription,
  server: DiscoveredServer,
  redirectUri: string,
): ClientMetadata {
  const { clientName, clientUri, logoUri } = application;
  const applicationType = application.applicationType ?? applicationTypeOf(redirectUri);
  return {
    client_name: clientName,
    ...(clientUri !== undefined && { client_uri: clientUri }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: applicationType,
    token_endpoint_auth_method:
      application.registrationMetadata?.token_endpoint_auth_method ?? registeredMethod(server, applicationType),
    ...application.registrationMetadata,
  };
}

function registeredMethod({ issuer, metadata }: DiscoveredServer, applicationType: ApplicationType): string {
  const listed: unknown = metadata.token_endpoint_auth_methods_supported;
  // The default of RFC 8414, section 2.
  const supported: readonly unknown[] = Array.isArray(listed) ? listed : ["client_secret_basic"];
  const method = (applicationType === "native" ? nativeMethods : webMethods).find((one) => supported.includes(one));
  if (method !== undefined) return method;
  throw new AuthorizationError(
    "no-client",
    `${issuer} accepts only ${supported.join(", ")} at its token endpoint, which a dynamic registration cannot use: register the application there and pass \`client\``,
    { issuer },
  );
}
