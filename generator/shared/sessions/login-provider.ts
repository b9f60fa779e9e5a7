import {
  AuthorizationCodeProvider,
  type AuthorizationInteraction,
  type CredentialStore,
  InsufficientScopeError,
  type OAuthProvider,
  UnauthorizedError,
} from "@mcpwright/runtime/auth";
import type { AuthChallenge } from "@mcpwright/runtime/client/http";
import { FileCredentialStore, guardedFetch, InteractiveProvider } from "@mcpwright/runtime/auth/node";
import type { AuthorizationSettings } from "../command/authorization-settings.js";
import type { LoginUser } from "./login-user.js";
import { readSavedClient, saveClient, withSavedClient } from "./saved-client.js";

export interface LoginSettings extends AuthorizationSettings {
  readonly credentials: string;
  /** Whether a server without metadata may be its own authorization server. Default: `true`. */
  readonly defaultEndpoints?: boolean;
}

/** The credentials of the user's log-ins. */
export function openCredentials(path: string, { tell }: LoginUser): CredentialStore {
  return new FileCredentialStore(path, { onerror: (error) => tell(`warning: ${error.message}`) });
}

/** A provider, and what belongs to it. */
export interface Login {
  readonly provider: OAuthProvider;
  /** Stores the client that the user has specified: later runs need the same one to refresh the tokens. */
  readonly save: () => Promise<void>;
}

/**
 * Creates a provider with the credentials of earlier log-ins, which lets the user log in if `canLogIn` is set.
 * @param url of the MCP server; its host may have a private address, because the user named it
 */
export async function createLogin(
  url: URL,
  settings: LoginSettings,
  user: LoginUser,
  store = openCredentials(settings.credentials, user),
): Promise<Login> {
  const merged = withSavedClient(settings, await readSavedClient(store, url));
  const { clientId, clientSecret, scopes, authHosts = [], canLogIn = false, openBrowser = true } = merged;
  const issuer = clientId === settings.clientId ? settings.issuer : undefined;
  const options = {
    clientName: "mcpwright",
    store,
    fetch: guardedFetch({ allow: [url.hostname, ...authHosts] }),
    onerror: (error: Error) => user.tell(`warning: ${error.message}`),
    ...(scopes && { scopes }),
    ...(settings.defaultEndpoints === false && { defaultEndpoints: false }),
    ...(clientId !== undefined && {
      client: {
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        ...(issuer !== undefined && { issuer }),
      },
    }),
  };
  const provider = canLogIn
    ? new InteractiveProvider({
        ...options,
        print: user.tell,
        ...(user.ask && { ask: user.ask }),
        ...(!openBrowser && { openUrl: () => false }),
        ...(settings.loginTimeoutMs !== undefined && { loginTimeoutMs: settings.loginTimeoutMs }),
      })
    : new StoredLoginProvider({ ...options, interaction: withoutUser(url) });
  const isGiven = settings.clientId !== undefined || settings.authHosts !== undefined;
  return { provider, save: async () => (isGiven ? saveClient(store, url, merged) : undefined) };
}

/** Uses earlier log-ins only. */
class StoredLoginProvider extends AuthorizationCodeProvider {
  override async onUnauthorized(challenge: AuthChallenge): Promise<boolean> {
    try {
      return await super.onUnauthorized(challenge);
    } catch (error) {
      const { status, operation, wwwAuthenticate = "" } = challenge;
      if (status !== 403 || !(error instanceof UnauthorizedError)) throw error;
      // The user is logged in, but has to log in again to get another scope.
      const required = /\bscope="([^"]*)"/i.exec(wwwAuthenticate)?.[1]?.split(" ") ?? [];
      const message = `${operation ?? "the request"} requires the scopes ${required.join(", ")}`;
      throw new InsufficientScopeError(message, required, [], operation);
    }
  }
}

/** A log-in that cannot take place, because there is no terminal. */
function withoutUser({ origin, pathname }: URL): AuthorizationInteraction {
  return {
    begin: () => Promise.reject(new UnauthorizedError(`${origin}${pathname} requires a log-in`)),
  };
}
