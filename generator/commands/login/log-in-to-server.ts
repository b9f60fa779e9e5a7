import { AuthorizationError, type TokenSet } from "@mcpwright/runtime/auth";
import type { AuthorizationSettings } from "../../shared/command/authorization-settings.js";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { credentialsPath } from "../../shared/sessions/credentials-path.js";
import { createLogin, type LoginSettings, openCredentials } from "../../shared/sessions/login-provider.js";
import { explainingLogin } from "../../shared/sessions/explain-login-failure.js";
import type { LoginUser } from "../../shared/sessions/login-user.js";
import { openSession, type ServerSession } from "../../shared/sessions/open-session.js";
import { StagedStore } from "../../shared/sessions/staged-store.js";
import { httpTarget, targetName } from "../../shared/sessions/target.js";
import type { AskUser } from "../../shared/sessions/terminal.js";

export interface LoginOptions extends Omit<AuthorizationSettings, "token" | "defaultToken" | "canLogIn"> {
  /** The URL of the MCP server. */
  readonly url: string;
  readonly signal?: AbortSignal;
  /** Called with each line for the user, such as the address of the log-in page. */
  readonly tell?: (line: string) => void;
  /** Asks for the callback URL when no browser could be opened. Default: does not ask. */
  readonly ask?: AskUser;
}

/** A log-in that has succeeded. `mcpwright login --json` prints this object. */
export interface LoginResult {
  /** The URL of the MCP server, without credentials. */
  readonly url: string;
  /** The authorization server. */
  readonly issuer: string;
  /** The granted scopes. */
  readonly scopes: readonly string[];
  /** When the access token expires, as an ISO date; it is refreshed then if the authorization server allows it. */
  readonly expiresAt?: string;
  /** Whether the tokens can be refreshed without the user. */
  readonly canRefresh: boolean;
  /** The server's description of itself. */
  readonly server?: { readonly name: string; readonly version: string };
  /** The file with the credentials. */
  readonly credentials: string;
}

/** @throws DiagnosticError target-url-invalid, login-*, credentials-unusable, server-* */
export async function logInToServer(options: LoginOptions): Promise<LoginResult> {
  const { tell = () => undefined, ask, signal, credentials = credentialsPath() } = options;
  const target = httpTarget(options.url);
  const user = { tell, ...(ask && { ask }) };
  const settings = { ...options, credentials, canLogIn: true };
  const store = new StagedStore(openCredentials(credentials, user));
  const { provider, save } = await explainingLogin(targetName(target), () =>
    createLogin(target.url, settings, user, store),
  );
  const session = await openSession(target, { authorization: provider, ...(signal && { signal }) });
  try {
    // The server may require the log-in for some of its features only.
    if (store.tokens === undefined) await logInUnasked(session, target.url, { settings, user, store });
    const outcome = describe(store.tokens);
    await session.run("storing the credentials", () => store.commit().then(save));
    const { name, version } = session.client.getServerVersion() ?? {};
    return {
      url: session.name,
      ...outcome,
      ...(name !== undefined && version !== undefined && { server: { name, version } }),
      credentials,
    };
  } finally {
    await session.close();
  }
}

interface Unasked {
  readonly settings: LoginSettings;
  readonly user: LoginUser;
  readonly store: StagedStore;
}

/** Logs in although the server has not rejected a request. */
async function logInUnasked(session: ServerSession, url: URL, { settings, user, store }: Unasked): Promise<void> {
  // A server that asks for nothing and names no authorization server has none.
  const { provider } = await createLogin(url, { ...settings, defaultEndpoints: false }, user, store);
  try {
    await session.run("the log-in", async () => {
      try {
        await provider.onUnauthorized({
          status: 401,
          wwwAuthenticate: undefined,
          url,
          token: undefined,
          operation: undefined,
          response: new Response(null, { status: 401 }),
          fetch,
        });
      } catch (error) {
        if (error instanceof AuthorizationError && error.reason === "metadata-not-found")
          fail("login-not-offered", { url: session.name });
        throw error;
      }
    });
  } finally {
    await provider.close();
  }
}

/** @param record with the tokens of a log-in */
function describe(record = "{}"): Pick<LoginResult, "issuer" | "scopes" | "expiresAt" | "canRefresh"> {
  const { issuer = "", scopes = [], expiresAt, refreshToken } = JSON.parse(record) as Partial<TokenSet>;
  return {
    issuer,
    scopes,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    canRefresh: refreshToken !== undefined,
  };
}
