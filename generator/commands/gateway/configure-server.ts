import { isDeepStrictEqual } from "node:util";
import { SSEClientTransport, StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { callLimits, type GatewayServer, requireScopes } from "@mcpwright/runtime/gateway";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import type { AuthorizationSettings } from "../../shared/command/authorization-settings.js";
import type { LoginUser } from "../../shared/sessions/login-user.js";
import { readStderr } from "../../shared/sessions/stderr-lines.js";
import type { HttpServerConfig, LimitsConfig, ServerConfig, StdioServerConfig } from "./config/gateway-config.js";
import { resolveReferences, tryResolve } from "./config/resolve-references.js";
import type { ReferenceContext } from "./config/resolve-text.js";
import type { ConfigLogIn } from "./log-in/config-log-in.js";
import { UpstreamAuthorization } from "./upstream-authorization.js";

/** A server of the configuration, and the options that the gateway gets for it. */
export interface ConfiguredServer {
  readonly config: ServerConfig;
  readonly context: ReferenceContext;
  readonly options: GatewayServer;
  /** Whether it cannot be used, because references have no values. They may have some after the next edit. */
  readonly isUnusable?: true;
  /** Ends a log-in in progress. */
  readonly close: () => Promise<void>;
}

/** What servers need of the command. */
export interface ServerSetup {
  readonly user: LoginUser;
  /** The settings of the command line for servers at URLs. */
  readonly authorization: AuthorizationSettings;
  /** Lets each user log in to servers with `logIn`. Default: the user of the command logs in, for all */
  readonly logIn?: Pick<ConfigLogIn, "serverLogIn">;
  /** Milliseconds that a list waits for a server. Default: that of the library */
  readonly listTimeoutMs?: number;
}

/** Users have this long to log in, with the time that the connection then needs. */
const loginTimeoutMs = 330_000;

/**
 * Creates the options of each server. One whose configuration has not changed keeps the same options object, so that the gateway keeps
 * its connections.
 */
export function configureServers(
  servers: readonly ServerConfig[],
  context: ReferenceContext,
  setup: ServerSetup,
  before: ReadonlyMap<string, ConfiguredServer> = new Map(),
): ReadonlyMap<string, ConfiguredServer> {
  return new Map(
    servers.map((config) => {
      const known = before.get(config.name);
      const isSame = known && !known.isUnusable && isDeepStrictEqual([known.config, known.context], [config, context]);
      return [config.name, isSame ? known : configureServer(config, context, setup)];
    }),
  );
}

function configureServer(config: ServerConfig, context: ReferenceContext, setup: ServerSetup): ConfiguredServer {
  const { isolation, tools, timeoutMs, idleMs, limits, scopes } = config;
  const common: GatewayServer = {
    isolation,
    tools,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(limits.timeoutMs !== undefined && { maxTotalMs: limits.timeoutMs }),
    ...(limits.maxConnections !== undefined && { maxConnections: limits.maxConnections }),
    ...limitsOf(limits),
    ...(scopes && { scopes: requireScopes(scopes) }),
    ...(idleMs !== undefined && { idleMs: idleMs === 0 ? Infinity : idleMs }),
    ...(setup.listTimeoutMs !== undefined && { listTimeoutMs: setup.listTimeoutMs }),
  };
  if (config.kind === "stdio") {
    const transport = (): StdioClientTransport => startedTransport(config, context, setup);
    return { config, context, options: { ...common, transport }, close: () => Promise.resolve() };
  }
  if (config.logIn && setup.logIn) return configureLogIn(config, context, common, setup.logIn);
  const authorization = new UpstreamAuthorization(setup.authorization, setup.user);
  const transport = (): Promise<SSEClientTransport | StreamableHTTPClientTransport> =>
    httpTransport(config, context, authorization);
  const connectTimeoutMs = config.auth.type === "user" && { connectTimeoutMs: loginTimeoutMs };
  return {
    config,
    context,
    options: { ...common, ...connectTimeoutMs, transport },
    close: () => authorization.close(),
  };
}

/** References are replaced now: the gateway has to know where users log in. */
function configureLogIn(
  config: HttpServerConfig,
  context: ReferenceContext,
  common: GatewayServer,
  logIn: Pick<ConfigLogIn, "serverLogIn">,
): ConfiguredServer {
  const close = (): Promise<void> => Promise.resolve();
  const { resolved, unresolved } = tryResolve(config, context);
  if (resolved?.kind !== "http") {
    const problem = new DiagnosticError(unresolved.map((one) => one.diagnostic));
    return {
      config,
      context,
      options: { ...common, transport: () => Promise.reject(problem) },
      isUnusable: true,
      close,
    };
  }
  const { url, headers } = resolved;
  const { maxBytes } = config.limits;
  const http = { requestInit: { headers }, ...(maxBytes !== undefined && { maxMessageBytes: maxBytes }) };
  return { config, context, options: { ...common, url, http, logIn: logIn.serverLogIn(resolved) }, close };
}

function limitsOf({ concurrency, callsPerMinute }: LimitsConfig): Pick<GatewayServer, "limits"> {
  if (concurrency === undefined && callsPerMinute === undefined) return {};
  return { limits: callLimits({ concurrency, callsPerMinute }) };
}

function startedTransport(
  config: StdioServerConfig,
  context: ReferenceContext,
  { user }: ServerSetup,
): StdioClientTransport {
  const { command, args, env, cwd } = resolveReferences(config, context);
  const { maxBytes } = config.limits;
  const transport = new StdioClientTransport({
    command,
    args,
    env,
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
    ...(maxBytes !== undefined && { maxMessageBytes: maxBytes }),
  });
  if (transport.stderr) readStderr(transport.stderr, (line) => user.tell(`${config.name}: ${line}`));
  return transport;
}

async function httpTransport(
  config: HttpServerConfig,
  context: ReferenceContext,
  authorization: UpstreamAuthorization,
): Promise<SSEClientTransport | StreamableHTTPClientTransport> {
  const resolved = resolveReferences(config, context);
  const { url, headers, transport } = resolved;
  const { maxBytes } = config.limits;
  const authProvider = await authorization.providerFor(resolved);
  const options = {
    requestInit: { headers },
    ...(authProvider !== undefined && { authProvider }),
    ...(maxBytes !== undefined && { maxMessageBytes: maxBytes }),
  };
  return transport === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
