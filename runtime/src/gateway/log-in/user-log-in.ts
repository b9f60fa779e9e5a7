import {
  clientIdMetadataDocument,
  type CredentialStore,
  MemoryCredentialStore,
  serveClientIdMetadataDocument,
  storeOfUser,
} from "../../auth.js";
import { isLoopbackUrl } from "../../auth/discovery/secure-url.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { assertMethods } from "../../options/assert-methods.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import type { ClientOptions } from "./client-options.js";
import { LogInHandler } from "./log-in-handler.js";
import { JoinedLogInTools } from "./log-in-tool.js";
import { OpenerLogIn } from "./opener-log-in.js";
import { type LogInRequest, type LogInResponse, serveNode } from "./serve-node.js";
import type { AttachedLogIn, LogInTarget, ServerLogIn } from "./server-log-in.js";
import { ServerUsers } from "./server-users.js";
import { Tickets } from "./tickets.js";
import type { ServerLogInOptions, UserLogInOptions } from "./user-log-in-options.js";
import { UserProvider, type UserProviderEvents } from "./user-provider.js";
import { UserProviders } from "./user-providers.js";

/** The log-in of users at servers, as `createUserLogIn` returns it. */
export class UserLogIn {
  readonly #options: UserLogInOptions;
  readonly #page: URL;
  readonly #store: CredentialStore;
  readonly #client: ClientOptions;
  readonly #servers = new Map<string, ServerUsers>();
  readonly #handler: LogInHandler;
  readonly #serveDocument: ((request: Request) => Response) | undefined;
  #target: LogInTarget | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: UserLogInOptions) {
    const {
      url,
      authorization,
      store = new MemoryCredentialStore(),
      client,
      clientName = "MCP gateway",
      timeoutMs,
    } = options;
    assertMethods(
      authorization,
      ["authenticate", "publicDocument"],
      "createUserLogIn: authorization must be what requireBearerAuth returns",
    );
    assertMethods(
      store,
      ["get", "set", "delete"],
      "createUserLogIn: store must be a CredentialStore with get, set and delete",
    );
    assertNumberOptions(options);
    this.#options = options;
    this.#page = pageUrl(url);
    this.#store = store;
    const base = `${this.#page.origin}${this.#page.pathname}`;
    const redirectUris = [`${base}/signed-in`, `${base}/callback`] as const;
    const hasDocument = this.#page.protocol === "https:" && !isLoopbackUrl(this.#page);
    this.#client = {
      clientName,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(hasDocument && { clientMetadataUrl: `${base}/client` }),
    };
    if (hasDocument)
      this.#serveDocument = serveClientIdMetadataDocument(
        clientIdMetadataDocument({ clientId: `${base}/client`, clientName, redirectUris }),
      );
    const report = (error: Error): void => (options.onerror ?? this.#target?.report)?.(error);
    const opener = new OpenerLogIn({
      authorization,
      store,
      redirectUri: redirectUris[0],
      client: { ...this.#client, ...(client && { client }) },
      fetch: this.#fetch,
      onerror: report,
    });
    const sealerOf = (): LogInTarget["sealer"] | undefined => this.#target?.sealer;
    this.#handler = new LogInHandler({
      page: this.#page,
      opener,
      get sealer() {
        return sealerOf();
      },
      serverOf: ({ server }) => this.#servers.get(server),
      report,
    });
  }

  /**
   * Makes the option `logIn` of a server of a gateway.
   * @throws SdkError `INVALID_CONFIGURATION`
   */
  server(options: ServerLogInOptions = {}): ServerLogIn {
    // Shows mistakes before the first user does.
    this.#providerOf("", options);
    return {
      attachServer: (target) => this.#attach(target, options),
      toolsFor: (servers, nameOf) => new JoinedLogInTools(servers, nameOf),
    };
  }

  /** Responds to the requests for the page, and for all paths below it; others get 404. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const path = this.#pathOf(new URL(request.url).pathname);
    if (path === "/client" && this.#serveDocument) return this.#serveDocument(request);
    if (path === undefined || path === "/client") return new Response("Not Found\n", { status: 404 });
    return this.#handler.respond(path, request);
  };

  /** The same for `node:http`, and for `fallback` of `serveHttp`; with `next`, it passes on requests for other paths. */
  readonly listener = (request: LogInRequest, response: LogInResponse, next?: () => void): void => {
    const isOwn = this.#pathOf((request.url ?? "").split("?", 1)[0] ?? "") !== undefined;
    if (next && !isOwn) next();
    else serveNode(request, response, this.#page.origin, this.fetch);
  };

  /** Returns a path below that of the page; undefined for others. */
  #pathOf(pathname: string): "" | "/callback" | "/client" | "/signed-in" | undefined {
    return (["", "/callback", "/client", "/signed-in"] as const).find(
      (path) => pathname === `${this.#page.pathname}${path}`,
    );
  }

  /** One gateway has its keys, so that it alone opens its links. */
  #attach(target: LogInTarget, options: ServerLogInOptions): AttachedLogIn {
    if (this.#target && this.#target.sealer !== target.sealer)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `logIn of the server "${target.name}" belongs to another gateway: call createUserLogIn for each gateway`,
      );
    this.#target = target;
    const tickets = new Tickets(this.#store, target, this.#page.href);
    const providers = new UserProviders((user, events) =>
      this.#providerOf(JSON.stringify([user, target.name]), options, events),
    );
    const users: ServerUsers = new ServerUsers(target, tickets, providers, this.#options.waitMs ?? 50_000, () => {
      // An update may have attached the server anew.
      if (this.#servers.get(target.name) === users) this.#servers.delete(target.name);
    });
    this.#servers.set(target.name, users);
    return users;
  }

  #providerOf(owner: string, options: ServerLogInOptions, events = noEvents): UserProvider {
    const { origin, pathname } = this.#page;
    const settings = {
      fetch: this.#fetch,
      ...this.#client,
      ...options,
      redirectUri: `${origin}${pathname}/callback`,
      store: storeOfUser(this.#store, owner),
      registrationStore: storeOfUser(this.#store, "registrations at servers"),
      onerror: (error: Error) => (this.#options.onerror ?? this.#target?.report)?.(error),
    };
    return new UserProvider(settings, events);
  }

  get #fetch(): FetchLike {
    return this.#options.fetch ?? ((url, init) => fetch(url, init));
  }
}

const noEvents: UserProviderEvents = { used: () => undefined, missing: () => undefined };

/** @throws SdkError `INVALID_CONFIGURATION` */
function pageUrl(given: unknown): URL {
  const url = typeof given === "string" ? parseUrl(given) : undefined;
  const isSecure = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackUrl(url)));
  if (!isSecure || url.search !== "" || url.hash !== "" || url.username !== "" || url.pathname.endsWith("/"))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      "createUserLogIn: url must be the URL of a page with a path and nothing behind it, such as https://gateway.example.com/log-in; http only on a loopback address",
    );
  return url;
}

/**
 * Lets each user of a gateway log in at servers behind it. Requests of users who have not logged in are answered with a link, in the form
 * that the revision of the client has: an error with a URL elicitation, an input request, or a text. The link leads to a page of the gateway,
 * where the user logs in twice: at the authorization server of the gateway, so that no other user can use the link (MCP 2025-11-25,
 * elicitation: phishing), and at that of the server. The tokens stay at the gateway; connections, lists and results belong to one user.
 *
 * It needs `requireBearerAuth`, and `oauth4webapi`, an optional dependency.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const authorization = requireBearerAuth({ resource: "https://gateway.example.com/mcp", verifier });
 * const users = createUserLogIn({ url: "https://gateway.example.com/log-in", authorization, store });
 * const gateway = createGateway({
 *   servers: {
 *     docs: { url: "https://docs.example.com/mcp", logIn: users.server() },
 *     issues: { url: "https://issues.example.com/mcp", logIn: users.server({ client: { clientId, clientSecret } }) },
 *   },
 * });
 * await serveHttp(gateway, { port: 3000, allowedHosts: ["gateway.example.com"], authorization, fallback: users.listener });
 * ```
 */
export function createUserLogIn(options: UserLogInOptions): UserLogIn {
  return new UserLogIn(options);
}
