import { generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { raceAbort } from "../../timing/race-abort.js";
import { AuthorizationError, UnauthorizedError } from "../auth-errors.js";
import type { ClientIdentityOptions } from "../client-identity/client-identity-options.js";
import { ClientResolver } from "../client-identity/client-resolver.js";
import type { ClientContext, ResolvedClient } from "../client-identity/client-resolver.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { OAuthOptions } from "../oauth-options.js";
import { StoredRecords } from "../session/stored-records.js";
import { DpopKey } from "../tokens/dpop.js";
import { TokenEndpoint } from "../tokens/token-endpoint.js";
import type { TokenSet } from "../tokens/token-set.js";
import { checkCallback, parseCallback } from "./authorization-callback.js";
import type { AuthorizationCallback } from "./authorization-callback.js";
import type { AuthorizationFlow } from "./authorization-flow.js";
import type { ActiveInteraction, AuthorizationInteraction } from "./authorization-interaction.js";
import { assertAuthorizationParameters, assertCodeFlow, authorizationUrl } from "./authorization-request.js";
import type { AuthorizationParameters } from "./authorization-request.js";
import type { Grant, GrantContext, TokenRequests } from "./grant.js";
import { StoredFlows } from "./stored-flows.js";

export interface AuthorizationCodeGrantOptions extends OAuthOptions, ClientIdentityOptions {
  /** Shows the authorization page and receives the callback. */
  readonly interaction: AuthorizationInteraction;
  /**
   * Additional parameters of the authorization request, such as `login_hint`, or those that an authorization server has of its
   * own. Default: none, but `prompt: "consent"` together with the scope `offline_access`, which OpenID Connect demands.
   */
  readonly authorizationParameters?: AuthorizationParameters;
}

/** A log-in whose callback arrives later. */
export interface StartedLogin {
  /** The page where the user logs in. */
  readonly url: URL;
  /** Identifies the log-in; the callback has it too. */
  readonly state: string;
}

/** A log-in that has succeeded. */
export interface FinishedLogin {
  readonly flow: AuthorizationFlow;
  readonly tokens: TokenSet;
}

/** How long a user may take to log in, in milliseconds, when the callback arrives in another request. */
const lifetimeMs = 10 * 60_000;

/** Gets tokens by the log-in of a user: the authorization-code flow with PKCE (RFC 6749, section 4.1; RFC 7636). */
export class AuthorizationCodeGrant implements Grant {
  readonly isInteractive = true;
  readonly #options: AuthorizationCodeGrantOptions;
  readonly #clients: ClientResolver;
  readonly #flows = new StoredFlows();

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: AuthorizationCodeGrantOptions) {
    assertAuthorizationParameters(options.authorizationParameters);
    this.#options = options;
    this.#clients = new ClientResolver(options);
  }

  async resolveClient(context: GrantContext): Promise<OAuthClient | undefined> {
    const client = await this.#clients.known(this.#clientContext(context), context.clientId);
    // Before a user is asked, a server without a way to identify the application is refused.
    if (!client) this.#clients.assertRegistration(context.server);
    return client;
  }

  async forgetClient(context: GrantContext, client: OAuthClient): Promise<void> {
    await this.#clients.forget(client, this.#clientContext(context));
  }

  /**
   * Logs the user in. The client is the one that has the redirect URI of the interaction.
   * @throws AuthorizationError; UnauthorizedError with the URL of the page when the callback arrives in another request
   */
  async obtain(context: GrantContext): Promise<TokenSet> {
    try {
      return await this.#logIn(context);
    } catch (error) {
      // The session repeats a log-in after an error of the token endpoint.
      const isDenied = error instanceof AuthorizationError && error.reason === "denied";
      if (!isDenied || !(await this.#clients.isForgotten(error, this.#clientContext(context)))) throw error;
      return this.#logIn(context);
    }
  }

  /** Starts a log-in whose callback is passed to `finish`. */
  async start(context: GrantContext, redirectUri: string): Promise<StartedLogin> {
    assertCodeFlow(context.server);
    const client = await this.#clients.resolve(this.#clientContext(context), redirectUri);
    const { flow, url } = await this.#openFlow(context, client, redirectUri);
    return { url, state: flow.state };
  }

  /**
   * Finishes a log-in that any instance with the same store has started.
   * @param redirectUri against which a callback without an origin is resolved
   * @throws AuthorizationError
   */
  async finish(
    callbackUrl: URL | string,
    redirectUri: string | undefined,
    { store, signal }: Pick<GrantContext, "store" | "signal">,
  ): Promise<FinishedLogin> {
    const records = new StoredRecords(store, this.#options.onerror);
    const callback = parseCallback(callbackUrl, redirectUri);
    const flow = await this.#flows.take(records, callback.state, signal);
    const { server, scopes, dpopKey } = flow;
    const clientContext = { server, records, signal };
    const client = await this.#clientOf(flow, clientContext);
    const key = dpopKey && (await DpopKey.from(dpopKey));
    try {
      const endpoint = new TokenEndpoint(server, this.#options, key, scopes, signal);
      const tokens = await redeem(callback, flow, client, endpoint);
      await this.#clients.keep(client, clientContext);
      return { flow, tokens };
    } catch (error) {
      await this.#clients.forgetAfter(error, client, clientContext);
      throw error;
    }
  }

  async #logIn(context: GrantContext): Promise<TokenSet> {
    assertCodeFlow(context.server);
    const { signal } = context;
    const registeredRedirectUris = await this.#clients.redirectUris(this.#clientContext(context));
    const interaction = await raceAbort(signal, this.#options.interaction.begin({ signal, registeredRedirectUris }));
    let outcome: "success" | Error = "success";
    try {
      return await this.#logInWith(interaction, context);
    } catch (error) {
      outcome = asError(error);
      throw error;
    } finally {
      await this.#end(interaction, outcome);
    }
  }

  async #logInWith(interaction: ActiveInteraction, context: GrantContext): Promise<TokenSet> {
    const clientContext = this.#clientContext(context);
    const client = await this.#clients.resolve(clientContext, interaction.redirectUri);
    try {
      const tokens = await this.#logInAs(client, interaction, context, clientContext);
      await this.#clients.keep(client, clientContext);
      return tokens;
    } catch (error) {
      await this.#clients.forgetAfter(error, client, clientContext);
      throw error;
    }
  }

  async #logInAs(
    client: ResolvedClient,
    interaction: ActiveInteraction,
    context: GrantContext,
    { records }: ClientContext,
  ): Promise<TokenSet> {
    const { signal, server } = context;
    const { redirectUri } = interaction;
    const { flow, url } = await this.#openFlow(context, client, redirectUri);
    let callbackUrl: URL | string | undefined;
    try {
      callbackUrl = await raceAbort(signal, interaction.authorize(url));
    } catch (error) {
      await this.#flows.remove(records, flow.state, new AbortController().signal);
      throw error;
    }
    if (callbackUrl === undefined)
      throw new UnauthorizedError(
        `${context.url.origin} requires a log-in at ${server.issuer}: open the URL in \`data.authorizationUrl\`, and pass the URL of the callback to \`finish\``,
        url,
      );
    // Ends the flow, also when the callback does not fit: it cannot be used again.
    await this.#flows.take(records, flow.state, signal);
    return redeem(parseCallback(callbackUrl, redirectUri), flow, client, context.tokens);
  }

  async #openFlow(
    context: GrantContext,
    client: ResolvedClient,
    redirectUri: string,
  ): Promise<{ readonly flow: AuthorizationFlow; readonly url: URL }> {
    const { server, scopes, dpopKey, signal } = context;
    const flow: AuthorizationFlow = {
      state: generateRandomState(),
      verifier: generateRandomCodeVerifier(),
      redirectUri,
      url: context.url.href,
      server: { ...server, metadata: usedMetadata(server.metadata) },
      clientId: client.clientId,
      ...(client.registration && { registration: client.registration }),
      ...(scopes && { scopes }),
      ...(dpopKey && { dpopKey }),
      expiresAt: Date.now() + lifetimeMs,
    };
    const url = await authorizationUrl(flow, this.#options.authorizationParameters);
    await this.#flows.add(this.#clientContext(context).records, flow, signal);
    return { flow, url };
  }

  /** The client that started a flow, also when another registration has replaced its own. */
  async #clientOf(flow: AuthorizationFlow, context: ClientContext): Promise<ResolvedClient> {
    if (flow.registration) return this.#clients.registered(flow.server, flow.registration);
    const client = await this.#clients.known(context);
    if (client?.clientId === flow.clientId) return client;
    throw new AuthorizationError(
      "no-client",
      `The log-in was started as the client ${flow.clientId}, which the options no longer contain. Log in again`,
      { issuer: flow.server.issuer },
    );
  }

  /** The outcome is known: a receiver that cannot be closed does not change it. */
  async #end(interaction: ActiveInteraction, outcome: "success" | Error): Promise<void> {
    try {
      await interaction.end(outcome);
    } catch (error) {
      this.#options.onerror?.(asError(error));
    }
  }

  #clientContext({ server, store, signal }: GrantContext): ClientContext {
    return { server, records: new StoredRecords(store, this.#options.onerror), signal };
  }
}

/** Members of the metadata that the rest of a flow needs: the whole document may be large. */
const usedMembers = [
  "authorization_endpoint",
  "authorization_response_iss_parameter_supported",
  "client_id_metadata_document_supported",
  "dpop_signing_alg_values_supported",
  "issuer",
  "registration_endpoint",
  "revocation_endpoint",
  "token_endpoint",
  "token_endpoint_auth_methods_supported",
  "token_endpoint_auth_signing_alg_values_supported",
];

function usedMetadata(metadata: AuthorizationServer): AuthorizationServer {
  const used = Object.fromEntries(usedMembers.map((name) => [name, metadata[name]]));
  return { ...used, issuer: metadata.issuer };
}

/** Checks the callback, and exchanges its code for tokens. */
async function redeem(
  callback: AuthorizationCallback,
  flow: AuthorizationFlow,
  client: OAuthClient,
  tokens: TokenRequests,
): Promise<TokenSet> {
  const code = checkCallback(callback, flow);
  const { redirectUri: redirect_uri, verifier: code_verifier } = flow;
  return tokens.request(client, "authorization_code", { code, redirect_uri, code_verifier });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
