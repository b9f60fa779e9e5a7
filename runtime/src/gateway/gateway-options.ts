import type { Implementation } from "../authoring.js";
import type { Logger } from "../connection/logger.js";
import type { StreamableHTTPClientTransportOptions } from "../http-client/options.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { ServerOptions } from "../server/server-options.js";
import type { Transport } from "../transport/transport.js";
import type { ServerConnection } from "../server/contracts.js";
import type { GatewayExtension } from "./extensions/gateway-extension.js";
import type { GatewayPinning } from "./pinning/gateway-pinning.js";
import type { GatewayReview } from "./review/gateway-review.js";
import type { GatewayAudit } from "./audit/gateway-audit.js";
import type { ServerScopes } from "./access/server-access.js";
import type { NameOption } from "./composition/name-scheme.js";
import type { LossRecording } from "./losses/loss-recorder.js";
import type { ToolSelection } from "./composition/tool-selection.js";
import type { CallLimits } from "./limits/call-limits.js";
import type { ServerLogIn } from "./log-in/server-log-in.js";

/**
 * Which clients share a connection to a server.
 * `session`: each session of a client has its own, as long as the session. `shared`: all clients have one, over which the server cannot
 * ask for input, except in the stateless era. `auto`: `shared` for servers of the stateless era, which keep nothing of a client;
 * `session` for those of the handshake era.
 */
export type Isolation = "auto" | "shared" | "session";

/** A server of the same process: an `McpServer` or a `Server`. */
export interface MountableServer {
  connect(transport: Transport): Promise<ServerConnection>;
}

/** How a gateway reaches a server: exactly one of the members is set. */
export interface GatewaySource {
  /** The URL of a server over Streamable HTTP or HTTP+SSE. */
  readonly url?: string | URL;
  /** Options of the transport to `url`: headers, `authProvider`, `fetch`. */
  readonly http?: StreamableHTTPClientTransportOptions;
  /** A server of the same process. */
  readonly server?: MountableServer;
  /**
   * Creates the transport of a new connection, such as that to a command.
   * @example `() => new StdioClientTransport({ command: "npx", args: ["-y", "some-server"] })`
   */
  readonly transport?: () => Transport | Promise<Transport>;
}

/** A server behind a gateway. */
export interface GatewayServer extends GatewaySource {
  /** Which clients share a connection. Default: `"auto"`. */
  readonly isolation?: Isolation;
  /** Which tools clients see, and by which names. Default: all, as the server names them. */
  readonly tools?: ToolSelection;
  /**
   * The OAuth scopes that clients need for the server, or for some of its tools. They are checked over HTTP only, by the option
   * `authorization`. Lists omit what a client may not use. Default: none.
   * @example `requireScopes({ "*": ["docs:read"], "write_*": ["docs:write"] })`
   */
  readonly scopes?: ServerScopes;
  /**
   * How each user logs in at the server, of a `url`: `createUserLogIn({ … }).server()` of `@mcpwright/runtime/gateway/log-in`. Users share no
   * connection and no list then. Default: all use what `http` has, such as its `authProvider`.
   */
  readonly logIn?: ServerLogIn;
  /** Milliseconds that the server has to open a connection. Default: `30_000`. */
  readonly connectTimeoutMs?: number;
  /**
   * Milliseconds without a response or progress after which a request to the server ends; the time in which the server waits for a user
   * does not count. Default: `60_000`.
   */
  readonly timeoutMs?: number;
  /** Milliseconds after which a request ends in spite of progress. Default: `600_000`. */
  readonly maxTotalMs?: number;
  /** Milliseconds that a list waits for this server; later it is sent without the items of the server. Default: `10_000`. */
  readonly listTimeoutMs?: number;
  /**
   * The most connections to the server at the same time: requests that need a further one fail. Default: `100`, which are as many processes
   * if the server is a command.
   */
  readonly maxConnections?: number;
  /** Limits of the requests of all clients together: `callLimits({ … })`. Default: none. */
  readonly limits?: CallLimits;
  /** Milliseconds after which an unused connection is closed. Default: `300_000`. */
  readonly idleMs?: number;
}

/** The options of `createGateway`. */
export interface GatewayOptions extends Pick<
  ServerOptions,
  "stateKeys" | "backplane" | "rateLimits" | "telemetry" | "maxRounds" | "inputTimeoutMs"
> {
  /** The servers, by a name that clients see. Their order is that of lists. */
  readonly servers: Readonly<Record<string, GatewayServer>>;
  /** How clients and servers see the gateway. Default: `{ name: "gateway", version: "1.0.0" }`. */
  readonly info?: Implementation;
  /** How tools and prompts are named. Default: `<server>_<name>`. */
  readonly names?: NameOption;
  /** Instructions of the gateway itself, before those of the servers; `false` sends none. Default: only those of the servers. */
  readonly instructions?: string | false;
  /** Extensions whose messages pass through: `tasksThrough()`, `skillsThrough()`. Default: none. */
  readonly extensions?: readonly GatewayExtension[];
  /** What was approved of the servers, so that changes are withheld or reported: `pinnedBy(lock)`. Default: all is used. */
  readonly pinning?: GatewayPinning;
  /** Reports hidden and confusable characters in texts of servers: `reviewing()`. Default: texts are not reviewed. */
  readonly review?: GatewayReview;
  /** Finds out what cannot be passed on: `conversionLosses()`. Default: losses are not reported. */
  readonly losses?: LossRecording;
  /** Records the requests that pass through: `auditLog(write)`. Default: they are not recorded. */
  readonly audit?: GatewayAudit;
  /** Called with every error that no client receives. Default: as for a `Server`. */
  readonly onerror?: (error: Error) => void;
  /** Writes a structured log. It never gets params, results, tokens or ids of sessions. Default: no log. */
  readonly logger?: Logger;
}

const sources = ["url", "server", "transport"] as const;

/** @throws SdkError `INVALID_CONFIGURATION` for a server without exactly one source, or with invalid options */
export function assertGatewayServer(name: string, server: GatewayServer): void {
  const given = sources.filter((source) => server[source] !== undefined);
  if (name === "") throw invalid("a server of the gateway has an empty name; name it after its purpose");
  if (given.length !== 1) {
    const problem = given.length === 0 ? "has no source" : `has several sources: ${given.join(", ")}`;
    throw invalid(`the server "${name}" of the gateway ${problem}; set exactly one of ${sources.join(", ")}`);
  }
  const { isolation = "auto" } = server;
  if (!["auto", "shared", "session"].includes(isolation))
    throw invalid(`isolation of the server "${name}" must be "auto", "shared" or "session", not "${isolation}"`);
  if (server.scopes !== undefined)
    assertMethods(server.scopes, ["accessTo"], `scopes of the server "${name}": pass requireScopes([…])`);
  if (server.logIn !== undefined) assertLogIn(name, server.logIn, server);
  assertNumberOptions(server);
  if (server.limits !== undefined && typeof server.limits !== "function")
    throw invalid(`limits of the server "${name}" must be what callLimits() returns`);
}

function assertLogIn(name: string, logIn: ServerLogIn, { url, http }: GatewayServer): void {
  assertMethods(logIn, ["attachServer"], `logIn of the server "${name}": pass createUserLogIn({ … }).server()`);
  if (url === undefined || !parseUrl(String(url)))
    throw invalid(`the server "${name}" has logIn, with which users log in at a url: set its absolute URL`);
  if (http?.authProvider !== undefined)
    throw invalid(`the server "${name}" has both logIn and http.authProvider; set one of them`);
}

/** @throws SdkError `INVALID_CONFIGURATION` */
export function assertServers(servers: unknown): asserts servers is Readonly<Record<string, GatewayServer>> {
  if (typeof servers !== "object" || servers === null || Array.isArray(servers))
    throw invalid('createGateway: pass servers as an object, such as { files: { url: "https://…" } }');
  for (const [name, server] of Object.entries(servers)) assertGatewayServer(name, Object(server) as GatewayServer);
}

function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", problem);
}
