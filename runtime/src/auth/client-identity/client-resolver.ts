import { SdkError } from "../../jsonrpc/errors.js";
import { raceAbort } from "../../timing/race-abort.js";
import { AuthorizationError } from "../auth-errors.js";
import type { CredentialStore } from "../credential-store.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { OAuthOptions } from "../oauth-options.js";
import { StoredRecords } from "../session/stored-records.js";
import { assertText, ClientAuthentication } from "./client-authentication.js";
import type { ClientIdentityOptions, PreRegisteredClient } from "./client-identity-options.js";
import { assertClientIdUrl } from "./client-id-url.js";
import type { ApplicationType } from "./client-metadata.js";
import type { OAuthClient } from "./oauth-client.js";
import { registrationMetadata } from "./registration-metadata.js";
import { boundIssuerRecord } from "./registration-record.js";
import { requestRegistration } from "./registration.js";
import type { Registration } from "./registration.js";
import { Registrations } from "./registrations.js";

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

/** Registrations in progress, per store: requests at the same time share one, also those of several users who share a store. */
const registering = new WeakMap<CredentialStore, Map<string, Promise<Registration>>>();

/** Determines the identity of an application at an authorization server. */
export class ClientResolver {
  readonly #options: ClientIdentityOptions & OAuthOptions;
  readonly #authentication: ClientAuthentication;
  readonly #documentAuthentication: ClientAuthentication;

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
   * @param clientId the client of tokens that are to be refreshed or revoked; undefined for the newest registration
   * @throws AuthorizationError `no-client` when the pre-registered client belongs to another authorization server
   */
  async known(context: ClientContext, clientId?: string): Promise<ResolvedClient | undefined> {
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
    const registration = await this.#registrations(context).find(clientId);
    return registration && this.registered(server, registration);
  }

  /**
   * Returns the identity for a log-in, and registers the application if needed: also when the last log-in with a registration
   * was not finished. @throws AuthorizationError `no-client`, `registration-refused`
   */
  async resolve(context: ClientContext, redirectUri: string): Promise<ResolvedClient> {
    const known = await this.known(context);
    if (known && !known.registration) return known;
    const registrations = this.#registrations(context);
    if (known?.registration?.redirectUris.includes(redirectUri) === true && (await registrations.begin())) return known;
    const { server, signal } = context;
    this.assertRegistration(server);
    return this.registered(server, await raceAbort(signal, this.#registerOnce(registrations, server, redirectUri)));
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

  /** Forgets a dynamic registration, if the error says that the authorization server does not know it any more. */
  async forgetAfter(error: unknown, client: OAuthClient, context: ClientContext): Promise<void> {
    if (client.source === "dynamic" && isUnknownClient(error)) await this.forget(client, context);
  }

  /** Whether an error says that a dynamic registration is lost, so that another one helps. */
  async isForgotten(error: unknown, context: ClientContext): Promise<boolean> {
    return isUnknownClient(error) && ((await this.known(context))?.source ?? "dynamic") === "dynamic";
  }

  /** Forgets a dynamic registration. */
  async forget({ clientId }: OAuthClient, context: ClientContext): Promise<void> {
    await this.#registrations(context).forget(clientId);
  }

  /** Keeps the registration of a log-in that has succeeded. */
  async keep({ registration }: ResolvedClient, context: ClientContext): Promise<void> {
    if (registration) await this.#registrations(context).finish(registration);
  }

  #registrations(context: ClientContext): Registrations {
    return new Registrations(this.#records(context), context.server.issuer, context.signal);
  }

  /** Where the identity is kept: in a store of all users, or with the tokens. */
  #records({ records }: ClientContext): StoredRecords {
    const { registrationStore, onerror } = this.#options;
    return registrationStore ? new StoredRecords(registrationStore, onerror) : records;
  }

  async #preRegistered(client: PreRegisteredClient, context: ClientContext): Promise<ResolvedClient> {
    const { clientId } = client;
    const { server } = context;
    const { issuer } = server;
    const records = this.#records(context);
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

  #registerOnce(registrations: Registrations, server: DiscoveredServer, redirectUri: string): Promise<Registration> {
    const { store } = registrations.records;
    const inProgress = registering.get(store) ?? new Map<string, Promise<Registration>>();
    registering.set(store, inProgress);
    const key = JSON.stringify([server.issuer, redirectUri, this.#options.clientName]);
    const known = inProgress.get(key);
    if (known) return known;
    const register = async (): Promise<Registration> => {
      try {
        const registration = await this.#register(server, redirectUri);
        await registrations.add(registration);
        return registration;
      } finally {
        inProgress.delete(key);
      }
    };
    const started = register();
    inProgress.set(key, started);
    return started;
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

function isUnknownClient(error: unknown): boolean {
  return error instanceof AuthorizationError && unknownClientErrors.has(error.data.error);
}

function isAboutRedirectUri({ data }: AuthorizationError): boolean {
  return (
    data.error === "invalid_redirect_uri" ||
    (data.error === "invalid_client_metadata" && /redirect|application_type/i.test(data.errorDescription ?? ""))
  );
}
