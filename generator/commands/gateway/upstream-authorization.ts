import type { AuthProvider } from "@mcpwright/runtime/client/http";
import type { AuthorizationSettings } from "../../shared/command/authorization-settings.js";
import type { LoginUser } from "../../shared/sessions/login-user.js";
import { serverAuthorization } from "../../shared/sessions/server-authorization.js";
import { hasAuthorization, type HttpTarget } from "../../shared/sessions/target.js";
import type { ResolvedAuth, ResolvedHttpServer, ResolvedLogIn } from "./config/resolve-references.js";

/** A provider that is closed with its server. */
type ClosableProvider = AuthProvider & { readonly close: () => Promise<void> };

/** Authorizes the requests to one server, over all connections to it. */
export class UpstreamAuthorization {
  #provider: Promise<ClosableProvider | string | undefined> | undefined;

  constructor(
    private readonly settings: AuthorizationSettings,
    private readonly user: LoginUser,
  ) {}

  /**
   * Returns a token or a provider; undefined if the headers authorize the requests, or nothing does.
   * @throws DiagnosticError token-unencrypted
   */
  providerFor(server: ResolvedHttpServer): Promise<ClosableProvider | string | undefined> {
    if (this.#provider) return this.#provider;
    const created = this.#create(server);
    this.#provider = created;
    // After a failure, the next connection tries again.
    created.catch(() => (this.#provider = undefined));
    return created;
  }

  async close(): Promise<void> {
    const provider = await this.#provider?.catch(() => undefined);
    if (typeof provider === "object") await provider.close();
  }

  async #create(server: ResolvedHttpServer): Promise<ClosableProvider | string | undefined> {
    const { url, headers, transport, logIn } = server;
    const auth = logIn ? ownLogIn(logIn) : server.auth;
    if (auth.type === "none") return undefined;
    const target: HttpTarget = { kind: "http", url, headers, sse: transport === "sse" };
    if (auth.type === "service") return hasAuthorization(target) ? undefined : serviceProvider(url, auth);
    return serverAuthorization(target, { canLogIn: true, ...this.settings, ...ownSettings(auth) }, this.user);
  }
}

/** The log-in of the user of the command, where the users of a gateway log in. The client of the gateway is for its page only. */
function ownLogIn({ scopes, authHosts }: ResolvedLogIn): ResolvedAuth {
  return { type: "user", ...(scopes && { scopes }), ...(authHosts && { authHosts }) };
}

async function serviceProvider(url: URL, auth: ResolvedAuth): Promise<ClosableProvider> {
  const { ClientCredentialsProvider } = await import("@mcpwright/runtime/auth");
  const { guardedFetch } = await import("@mcpwright/runtime/auth/node");
  const { clientId = "", clientSecret = "", issuer, scopes, authHosts = [] } = auth;
  return new ClientCredentialsProvider({
    clientId,
    clientSecret,
    fetch: guardedFetch({ allow: [url.hostname, ...authHosts] }),
    ...(issuer !== undefined && { issuer }),
    ...(scopes && { scopes }),
  });
}

function ownSettings({ clientId, clientSecret, scopes, issuer, authHosts }: ResolvedAuth): AuthorizationSettings {
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(issuer !== undefined && { issuer }),
    ...(scopes && { scopes }),
    ...(authHosts && { authHosts }),
  };
}
