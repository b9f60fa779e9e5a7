import { SdkError } from "../../jsonrpc/errors.js";
import { raceAbort } from "../../timing/race-abort.js";
import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { OAuthOptions } from "../oauth-options.js";
import type { StoredRecords } from "../session/stored-records.js";
import { assertText, ClientAuthentication } from "./client-authentication.js";
import type { ClientIdentityOptions, PreRegisteredClient } from "./client-identity-options.js";
import { assertClientIdUrl } from "./client-id-url.js";
import type { ApplicationType } from "./client-metadata.js";
import type { OAuthClient } from "./oauth-client.js";
import { registrationMetadata } from "./registration-metadata.js";
import { boundIssuerRecord, registrationRecord } from "./registration-record.js";
import { requestRegistration } from "./registration.js";
import type { Registration } from "./registration.js";

/** An identity, with its dynamic registration if it has one. */
export interface ResolvedClient extends OAuthClient {
  readonly registration?: Registration;
}

/** Where the identity of a client is used and stored. */
export interface ClientContext {
  readonly server: DiscoveredServer;
  readonly records: StoredRecords;
  readonly signal: AbortSignal;
}

/** OAuth errors that say that the client does not exist any more. */
const unknownClientErrors: ReadonlySet<string | undefined> = new Set(["invalid_client", "unauthorized_client"]);

/**
 * After how many milliseconds an unfinished log-in makes a registration doubtful. An authorization server that has lost a client shows
 * the user an error page and does not redirect (RFC 6749, section 4.1.2.1), so that this is all that the client notices.
 */
const doubtfulMs = 60_000;

/** Determines the identity of an application at an authorization server. */
export class ClientResolver {
  readonly #options: ClientIdentityOptions & OAuthOptions;
  readonly #authentication: ClientAuthentication;
  readonly #documentAuthentication: ClientAuthentication;
  /** Registrations in progress: requests at the same time share one. */
  readonly #registering = new Map<string, Promise<Registration>>();

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: ClientIdentityOptions & OAuthOptions) {
    const { client, clientName, clientMetadataUrl, clientMetadataKey: privateKey } = options;
    this.#options = options;
    assertText(clientName, "clientName");
    if (client) assertText(client.clientId, "client.clientId");
    if (clientMetadataUrl !== undefined) assertClientIdUrl(clientMetadataUrl, "clientMetadataUrl");
    else if (privateKey !== undefined)
      throw new SdkError("INVALID_CONFIGURATION", "clientMetadataKey needs clientMetadataUrl");
    this.#authentication = new ClientAuthentication(client ?? {});
    this.#documentAuthentication = new ClientAuthentication(privateKey === undefined ? {} : { privateKey });
  }

  /**
   * Returns the identity if no registration is needed for it.
   * @param redirectUri one that a dynamic registration must have; undefined for any
   * @throws AuthorizationError `no-client` when the pre-registered client belongs to another authorization server
   */
  async known(context: ClientContext, redirectUri?: string): Promise<ResolvedClient | undefined> {
    const { client, clientMetadataUrl } = this.#options;
    const { server } = context;
    if (client) return this.#preRegistered(client, context);
    const { rules, metadata } = server;
    if (
      clientMetadataUrl !== undefined &&
      rules.clientIdMetadata &&
      metadata["client_id_metadata_document_supported"] === true
    )
      return {
        clientId: clientMetadataUrl,
        authentication: this.#documentAuthentication.choose(server),
        source: "metadata-document",
      };
    const registration = await this.#stored(context);
    if (!registration || (redirectUri !== undefined && !registration.redirectUris.includes(redirectUri)))
      return undefined;
    return this.registered(server, registration);
  }

  /**
   * Returns the identity for a log-in, and registers the application if needed: also when the last log-in with a registration
   * was not finished. @throws AuthorizationError `no-client`, `registration-refused`
   */
  async resolve(context: ClientContext, redirectUri: string): Promise<ResolvedClient> {
    const { server, records, signal } = context;
    const known = await this.known(context, redirectUri);
    if (known && (!known.registration || (await this.#markUnfinished(context)))) return known;
    this.assertRegistration(server);
    const key = `${server.issuer} ${redirectUri}`;
    let registering = this.#registering.get(key);
    if (!registering) {
      registering = this.#register(server, redirectUri)
        .then(async (registration) => {
          await records.write(registrationRecord, [server.issuer], { ...registration, unfinishedSince: Date.now() });
          return registration;
        })
        .finally(() => this.#registering.delete(key));
      this.#registering.set(key, registering);
    }
    return this.registered(server, await raceAbort(signal, registering));
  }

  /** @throws AuthorizationError `no-client` when the application cannot register itself */
  assertRegistration({ issuer, metadata }: DiscoveredServer): void {
    const { registration = true, clientMetadataUrl } = this.#options;
    if (registration && metadata.registration_endpoint !== undefined) return;
    const why = [
      "no `client` was passed",
      clientMetadataUrl === undefined
        ? "no `clientMetadataUrl` was passed"
        : "it does not accept client-id metadata documents",
      registration ? "it offers no dynamic registration" : "`registration` is false",
    ];
    throw new AuthorizationError(
      "no-client",
      `There is no client for ${issuer}: ${why.join(", ")}. Register the application there and pass \`client: { clientId, issuer: ${JSON.stringify(issuer)} }\``,
      { issuer },
    );
  }

  /** Returns the identity of a registration. @throws AuthorizationError `no-client` for an assigned method that this client lacks */
  registered(server: DiscoveredServer, registration: Registration): ResolvedClient {
    const { clientId, clientSecret, method } = registration;
    const authentication = new ClientAuthentication(clientSecret === undefined ? {} : { clientSecret });
    return { clientId, authentication: authentication.choose(server, method), source: "dynamic", registration };
  }

  /** The redirect URIs of the stored registration. */
  async redirectUris(context: ClientContext): Promise<readonly string[]> {
    return (await this.known(context))?.registration?.redirectUris ?? [];
  }

  /**
   * Forgets a dynamic registration, if the error says that the authorization server does.
   * @returns whether another registration may help
   */
  async forgetAfter(error: unknown, client: OAuthClient, { server, records }: ClientContext): Promise<boolean> {
    if (client.source !== "dynamic" || !(error instanceof AuthorizationError)) return false;
    if (!unknownClientErrors.has(error.data.error)) return false;
    const stored = await records.read(registrationRecord, server.issuer);
    if (stored?.clientId === client.clientId) await records.delete(registrationRecord, server.issuer);
    return true;
  }

  /** Keeps the registration of a log-in that has succeeded: another log-in may have replaced it in the meantime. */
  async keep(client: ResolvedClient, { server, records }: ClientContext): Promise<void> {
    if (!client.registration) return;
    const stored = await records.read(registrationRecord, server.issuer);
    if (stored?.clientId !== client.clientId || stored.unfinishedSince !== undefined)
      await records.write(registrationRecord, [server.issuer], client.registration);
  }

  async #preRegistered(client: PreRegisteredClient, { server, records }: ClientContext): Promise<ResolvedClient> {
    const { clientId } = client;
    const { issuer } = server;
    const bound = client.issuer ?? (await records.read(boundIssuerRecord, clientId));
    if (bound !== undefined && bound !== issuer)
      throw new AuthorizationError(
        "no-client",
        `The client that was passed as \`client\` is registered at ${bound}, but the MCP server now trusts ${issuer}: register the application there, and pass that client with \`issuer: ${JSON.stringify(issuer)}\``,
        { issuer },
      );
    const resolved: ResolvedClient = {
      clientId,
      authentication: this.#authentication.choose(server),
      source: "pre-registered",
      ...(client.issuer !== undefined && { issuer: client.issuer }),
    };
    if (bound === undefined) await records.write(boundIssuerRecord, [clientId], issuer);
    return resolved;
  }

  /** Notes that a log-in begins. @returns false when an earlier one should have finished by now */
  async #markUnfinished({ server, records }: ClientContext): Promise<boolean> {
    const stored = await records.read(registrationRecord, server.issuer);
    if (!stored) return false;
    const now = Date.now();
    if (stored.unfinishedSince === undefined)
      await records.write(registrationRecord, [server.issuer], { ...stored, unfinishedSince: now });
    return now - (stored.unfinishedSince ?? now) <= doubtfulMs;
  }

  async #stored({ server, records }: ClientContext): Promise<Registration | undefined> {
    const stored = await records.read(registrationRecord, server.issuer);
    if (!stored || (stored.secretExpiresAt ?? Infinity) <= Date.now()) return undefined;
    const { unfinishedSince: _unfinishedSince, ...registration } = stored;
    return registration;
  }

  /** Registers; once more with the other `application_type` if the redirect URI does not fit the first one. */
  async #register(server: DiscoveredServer, redirectUri: string): Promise<Registration> {
    const { applicationType, registrationMetadata: given } = this.#options;
    const metadata = registrationMetadata(this.#options, server, redirectUri);
    try {
      return await this.#request(server, metadata);
    } catch (error) {
      const isChosen = applicationType !== undefined || given?.application_type !== undefined;
      if (isChosen || !(error instanceof AuthorizationError) || !isAboutRedirectUri(error)) throw error;
      const other: ApplicationType = metadata.application_type === "native" ? "web" : "native";
      // The first error says what is wrong.
      return await this.#request(server, { ...metadata, application_type: other }).catch(() => {
        throw error;
      });
    }
  }

  /** Has no signal of its caller, since others may wait for it, but the time limit of a request. */
  #request(server: DiscoveredServer, metadata: ReturnType<typeof registrationMetadata>): Promise<Registration> {
    const { initialAccessToken } = this.#options;
    const { signal } = new AbortController();
    return requestRegistration({ server, metadata, initialAccessToken, options: this.#options, signal });
  }
}

function isAboutRedirectUri({ data }: AuthorizationError): boolean {
  return (
    data.error === "invalid_redirect_uri" ||
    (data.error === "invalid_client_metadata" && /redirect|application_type/i.test(data.errorDescription ?? ""))
  );
}
