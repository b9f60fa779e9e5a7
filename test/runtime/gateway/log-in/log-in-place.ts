/** A gateway with a server at which each user logs in, the authorization servers of both, and browsers, without a network. */
import { onTestFinished } from "vitest";
import { MemoryCredentialStore, type CredentialStore } from "../../../../runtime/src/auth.js";
import { type BearerAuth, requireBearerAuth } from "../../../../runtime/src/auth-server.js";
import { InvalidTokenError } from "../../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../../runtime/src/auth-server/token-verifier.js";
import type { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import {
  auditLog,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServer,
} from "../../../../runtime/src/gateway.js";
import {
  createUserLogIn,
  type ServerLogInOptions,
  type UserLogIn,
  type UserLogInOptions,
} from "../../../../runtime/src/gateway/log-in.js";
import { createMcpHandler } from "../../../../runtime/src/server/http.js";
import { McpServer, type Server, type StateKey } from "../../../../runtime/src/server.js";
import { clientOf, info, type Revision, text } from "../../api/pair.js";
import { FakeAuthorizationServer } from "../../auth/fake-authorization-server.js";
import { FakeNetwork } from "../../auth/fake-network.js";
import { factsWith } from "../../auth-server/requests.js";
import { Browser } from "./browser.js";

export const origin = "https://gateway.example.com";
export const page = `${origin}/log-in`;
export const resource = `${origin}/mcp`;
export const docsUrl = "https://docs.example.com/mcp";

export const link = new RegExp(`${page}\\?ticket=[\\w.%-]+`);

/** The link in an answer, which a user opens. */
export function linkIn(answer: unknown): string {
  const found = link.exec(JSON.stringify(answer));
  if (!found) throw new Error(`no link in ${JSON.stringify(answer)}`);
  return found[0];
}

export async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** A user's name is a scope of the tokens. */
function verifierFor(server: FakeAuthorizationServer, audience: string): OAuthTokenVerifier {
  return {
    issuers: [server.issuer],
    verifyAccessToken(token) {
      const facts = server.accessTokens.get(token);
      if (facts?.resource !== audience) throw new InvalidTokenError("inactive", "The token is not known");
      const subject = facts.scopes.find((scope) => scope.startsWith("user:"))?.slice(5) ?? "nobody";
      return factsWith({ issuer: server.issuer, subject, scopes: facts.scopes, audience: [audience] });
    },
  };
}

/** @returns what the client answers */
export type Opens = (link: string, message: string) => Answer | Promise<Answer>;
export type Answer = "accept" | "cancel" | "decline";

export interface PlaceOptions {
  readonly store?: CredentialStore;
  readonly stateKeys?: readonly StateKey[];
  readonly gateway?: Partial<GatewayOptions>;
  readonly logIn?: Partial<UserLogInOptions>;
  readonly serverOptions?: ServerLogInOptions;
  /** The servers of the gateway. Default: `docs`, and `other` without a log-in. */
  readonly servers?: (docs: GatewayServer) => GatewayOptions["servers"];
  /** The revision of the server. Default: all. */
  readonly revisions?: ConstructorParameters<typeof McpServer>[1];
}

export interface Node {
  readonly gateway: Gateway;
  readonly users: UserLogIn;
  readonly authorization: BearerAuth;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

export interface LogInPlace {
  readonly network: FakeNetwork;
  readonly own: FakeAuthorizationServer;
  readonly login: FakeAuthorizationServer;
  readonly store: CredentialStore;
  readonly node: Node;
  /** What operators see: errors, log and audit lines, states. */
  readonly seen: unknown[];
  readonly entered: string[];
  /** The server at which users log in. */
  readonly docs: Server;
  /** How many streams or sessions of clients are open at the gateway. */
  subscribed(): number;
  /** Starts another gateway with the same options, to which requests go from now on. */
  addNode(): Node;
  /** @param opens what the user does with a link; without it, the client cannot show links */
  connect(user: string, revision: Revision, opens?: Opens, node?: Node): Promise<Client>;
  browserOf(user: string | undefined, account?: string): Browser;
  /** No secret is in what operators see, nor in these values. */
  secrets(): string[];
}

/** Logs in by the names that a browser has at each authorization server. */
function withUsers(server: FakeAuthorizationServer, browserUser: () => string | undefined): void {
  server.settings.grantScopes = (requested) => {
    const user = browserUser();
    return user === undefined ? requested : [...requested, `user:${user}`];
  };
}

export function logInPlace({ store = new MemoryCredentialStore(), ...options }: PlaceOptions = {}): LogInPlace {
  const network = new FakeNetwork();
  const own = new FakeAuthorizationServer(network, "https://auth.example.com");
  const login = new FakeAuthorizationServer(network, "https://login.docs.example.com");
  let current: Browser | undefined;
  for (const server of [own, login]) withUsers(server, () => current?.users.get(server.issuer));
  const entered: string[] = [];
  const docs = new McpServer({ name: "docs", version: "1.0.0" }, { instructions: "Docs.", ...options.revisions });
  docs.registerTool("whoami", { description: "Says who is logged in" }, ({ principal }) => {
    entered.push(principal?.subject ?? "nobody");
    return text(`you are ${principal?.subject ?? "nobody"}`);
  });
  docs.registerPrompt("greet", {}, () => ({ messages: [] }));
  docs.registerResource("page", "docs://page", {}, (uri, { principal }) => ({
    contents: [{ uri: uri.href, text: `page of ${principal?.subject ?? "nobody"}` }],
  }));
  const docsHandler = createMcpHandler(docs, {
    authorization: requireBearerAuth({ resource: docsUrl, verifier: verifierFor(login, docsUrl) }),
    allowedHosts: "any",
  });
  network.add(docsUrl, ({ method, url, headers, body, signal }) =>
    docsHandler.fetch(new Request(url, { method, headers, ...(body !== "" && { body }), ...(signal && { signal }) })),
  );
  onTestFinished(() => docsHandler.close(0));

  const seen: unknown[] = [];
  const start = (): Node => {
    const authorization = requireBearerAuth({ resource, verifier: verifierFor(own, resource) });
    const note = (...entry: unknown[]): void => void seen.push(entry);
    const users = createUserLogIn({
      url: page,
      authorization,
      store,
      fetch: network.fetch,
      onerror: (error) => seen.push(error.message, error.stack),
      ...options.logIn,
    });
    const other = new McpServer(info);
    other.registerTool("open", {}, () => text("opened"));
    const fetch = (url: string | URL, init: RequestInit = {}) => network.fetch(new URL(url), init);
    const server = { url: docsUrl, http: { fetch }, logIn: users.server(options.serverOptions) };
    const gateway = createGateway({
      servers: options.servers?.(server) ?? { docs: server, other: { server: other } },
      audit: auditLog((line) => seen.push(line), { arguments: true }),
      onerror: (error) => seen.push(error.message, error.stack, error.cause),
      logger: { debug: note, info: note, warn: note, error: note },
      ...(options.stateKeys && { stateKeys: options.stateKeys }),
      ...options.gateway,
    });
    const handler = createMcpHandler(gateway, { authorization, allowedHosts: "any" });
    onTestFinished(() => gateway.close(0));
    return { gateway, users, authorization, fetch: (url, init) => handler.fetch(new Request(url, init)) };
  };
  let node = start();
  network.add(origin, ({ method, url, headers }) => node.users.fetch(new Request(url, { method, headers })));

  let tokens = 0;
  return {
    network,
    own,
    login,
    store,
    get node() {
      return node;
    },
    seen,
    entered,
    docs: docs.server,
    subscribed: () =>
      [...node.gateway.server.connections].filter((one) => one.session ?? one.subscriptionCount > 0).length,
    addNode: () => (node = start()),
    async connect(user, revision, opens, at = node) {
      const token = `token-of-the-client-${++tokens}`;
      const expiresAt = Date.now() + 3_600_000;
      own.accessTokens.set(token, {
        clientId: "desktop",
        scopes: [`user:${user}`],
        resource,
        expiresAt,
        thumbprint: undefined,
        login: 1_000_000 + tokens,
      });
      const { client } = clientOf(revision, opens && { capabilities: { elicitation: { url: {} } } });
      if (opens)
        client.setRequestHandler("elicitation/create", async (params) => {
          const { url = "", message } = params as { readonly url?: string; readonly message: string };
          return { action: await opens(url, message) };
        });
      await client.connect(new StreamableHTTPClientTransport(resource, { fetch: at.fetch, authProvider: token }));
      onTestFinished(() => client.close());
      return client;
    },
    browserOf(user, account = user) {
      const browser = new Browser(network, (visiting) => (current = visiting));
      if (user !== undefined) browser.users.set(own.issuer, user);
      if (account !== undefined) browser.users.set(login.issuer, account);
      return browser;
    },
    secrets() {
      return [own, login].flatMap((server) => [
        ...server.accessTokens.keys(),
        ...server.refreshTokens.keys(),
        ...server.retired.keys(),
        ...server.codes.keys(),
      ]);
    },
  };
}
