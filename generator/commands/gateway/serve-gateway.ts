import { isDeepStrictEqual } from "node:util";
import type { Transport } from "@mcpwright/runtime";
import { SdkError } from "@mcpwright/runtime/errors";
import { createGateway, type Gateway, type GatewayOptions, reviewing } from "@mcpwright/runtime/gateway";
import { conversionLosses } from "@mcpwright/runtime/gateway/losses";
import { createStatusPage, type StatusPage } from "@mcpwright/runtime/gateway/status";
import type { BearerAuth } from "@mcpwright/runtime/auth/server";
import { type HttpServerHandle, serveHttp } from "@mcpwright/runtime/node";
import { serveStdio, type StdioServerHandle } from "@mcpwright/runtime/stdio";
import { diagnostic, DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import type { Terminal } from "../../shared/sessions/terminal.js";
import { approvedServers } from "./approved-commands.js";
import { authorizationOf } from "./authorization/config-authorization.js";
import { printAccess } from "./authorization/print-access.js";
import { auditOf, type ConfigAudit } from "./audit/config-audit.js";
import { formatProblem } from "./config/format-problem.js";
import type { ServerConfig } from "./config/gateway-config.js";
import { quoteName } from "./config/labels.js";
import { configureServers, type ConfiguredServer } from "./configure-server.js";
import {
  configPath,
  type GatewaySourceOptions,
  readSource,
  singleSource,
  type SourceContent,
} from "./gateway-source.js";
import { gatewayInfo, passedExtensions } from "./gateway-identity.js";
import { type GatewayHttpOptions, httpOptions } from "./http-options.js";
import { type ConfigPinning, pinningOf } from "./lock/config-pinning.js";
import type { ConfigLogIn } from "./log-in/config-log-in.js";
import { hasLogIn, printLogIn } from "./log-in/print-log-in.js";
import { printServers } from "./print-servers.js";
import { changes, closing, isSame, optionsOf } from "./server-changes.js";
import { watchConfig } from "./watch-config.js";

export interface GatewayRunOptions extends GatewaySourceOptions {
  /** Serves HTTP. Default: one client over standard input and output. */
  readonly http?: GatewayHttpOptions;
  /** Replaces standard input and output. */
  readonly transport?: Transport;
  /** Approves the commands of `from`. Default: only those that were approved before are started. */
  readonly isApproved?: boolean;
  /** Asks the user to approve commands, and over HTTP also during log-ins. */
  readonly terminal?: Terminal;
  /** Ends the gateway gracefully. */
  readonly signal?: AbortSignal;
  /** Called with each line for the user: what is served, problems, the standard error of servers. */
  readonly tell?: (line: string) => void;
  /** Called with the URL when the gateway listens. */
  readonly onListening?: (url: URL) => void;
}

/** @throws DiagnosticError gateway-*, config-not-readable, target-url-invalid, token-unencrypted */
export async function serveGateway(options: GatewayRunOptions): Promise<void> {
  const run = new GatewayRun(options);
  await run.serve();
}

/** What changes of files concern, besides the servers. */
interface Watched {
  readonly end: () => void;
  readonly pinning: ConfigPinning | undefined;
  readonly audit: ConfigAudit | undefined;
}

/** One run of `mcpwright gateway`. */
class GatewayRun {
  readonly #tell: (line: string) => void;
  readonly #path: string | undefined;
  #content: SourceContent | undefined;
  #servers: ReadonlyMap<string, ConfiguredServer> = new Map();
  /** Undefined if the gateway does not know its users. */
  #logIn: ConfigLogIn | undefined;
  /** What was printed about it. */
  #announcedLogIns: string | undefined;
  /** Reloads run one after the other. */
  #reloading: Promise<unknown> = Promise.resolve();
  /** Replaced servers that still have requests. */
  readonly #ending = new Set<Promise<unknown>>();

  constructor(private readonly options: GatewayRunOptions) {
    this.#tell = options.tell ?? (() => undefined);
    this.#path = configPath(options);
  }

  async serve(): Promise<void> {
    const { http, terminal, signal } = this.options;
    const content = await this.#read(terminal?.ask);
    this.#content = content;
    const { settings, context } = content;
    if (settings.authorization && !http) fail("gateway-authorization-over-stdio", { path: context.path });
    const authorization = authorizationOf(settings, context, (error) => this.#report(error));
    this.#logIn = authorization && (await this.#openLogIn(content, authorization));
    if (!http) terminal?.end();
    this.#servers = this.#configure(content);
    const pinning = this.#path === undefined ? undefined : await pinningOf(this.#path, settings);
    const audit = auditOf(settings, context);
    let gateway: Gateway | undefined;
    let stopWatching: (() => void) | undefined;
    try {
      gateway = this.#create(content, {
        ...(pinning && { pinning: pinning.option }),
        ...(audit && { audit: audit.option }),
      });
      const handle = await this.#open(gateway, authorization);
      const end = (): void => void handle.close().catch((error: unknown) => this.#report(error));
      if (signal?.aborted) end();
      signal?.addEventListener("abort", end, { once: true });
      if (this.#path !== undefined) stopWatching = this.#watch(this.#path, gateway, { end, pinning, audit });
      await handle.closed;
      signal?.removeEventListener("abort", end);
    } finally {
      stopWatching?.();
      await this.#reloading;
      await gateway?.close();
      await Promise.all([...this.#ending, ...closing(this.#servers.values())]);
      audit?.close();
    }
  }

  /** Loads the code of log-ins, and finds out whether the tokens of earlier ones can be read, if a server needs them. */
  async #openLogIn(
    { servers, settings, context }: SourceContent,
    authorization: BearerAuth<object>,
  ): Promise<ConfigLogIn> {
    const { logInOf } = await import("./log-in/config-log-in.js");
    const logIn = logInOf(settings, context, authorization, (error) => this.#report(error));
    if (servers.some(hasLogIn)) await logIn.assertReadable();
    return logIn;
  }

  /** Reads the servers that may start. @param ask approves commands */
  async #read(ask?: Terminal["ask"]): Promise<SourceContent> {
    const { options } = this;
    if (this.#path === undefined) return singleSource(options);
    const content = readSource(this.#path, options, (problem) => this.#tell(formatProblem(problem)));
    // After the start, the user has not seen the commands that `isApproved` would approve.
    const isApproved = options.isApproved === true && this.#content === undefined;
    const user = { tell: this.#tell, ...(ask && { ask }), isApproved };
    const servers = await approvedServers(this.#path, content.servers, options, user);
    if (servers.length === 0 && content.servers.length > 0 && this.#content === undefined)
      fail("gateway-none-approved", { path: this.#path });
    return { ...content, servers };
  }

  /** @throws DiagnosticError gateway-log-in-later, gateway-log-in-refused */
  #configure({ servers, context }: SourceContent): ReadonlyMap<string, ConfiguredServer> {
    const { http, terminal, authorization = {} } = this.options;
    const waiting = this.#logIn ? undefined : servers.find(hasLogIn);
    if (waiting) fail("gateway-log-in-later", { name: quoteName(waiting.name) });
    const setup = {
      user: { tell: this.#tell, ...(http && terminal && { ask: terminal.ask }) },
      authorization,
      ...(this.#logIn && { logIn: this.#logIn }),
      // Nothing else waits for the only server, and old clients do not fetch lists again.
      ...(this.#path === undefined && { listTimeoutMs: 55_000 }),
    };
    return configureServers(servers, context, setup, this.#servers);
  }

  #create({ settings }: SourceContent, guards: Pick<GatewayOptions, "pinning" | "audit">): Gateway {
    const { names, instructions, review = "items" } = settings;
    return explained(() =>
      createGateway({
        servers: optionsOf(this.#servers),
        info: gatewayInfo(settings),
        extensions: passedExtensions(),
        ...guards,
        ...(review !== "none" && { review: reviewing({ results: review === "results" }) }),
        ...(names !== undefined && { names: names === "none" ? names : { separator: "_", ...names } }),
        ...(instructions !== undefined && { instructions }),
        losses: conversionLosses({ onLosses: (line) => this.#tell(line) }),
        onerror: (error) => this.#report(error),
      }),
    );
  }

  async #open(
    gateway: Gateway,
    authorization: BearerAuth<object> | undefined,
  ): Promise<HttpServerHandle | StdioServerHandle> {
    const { http, transport, onListening } = this.options;
    if (http) {
      const page = http.status ? this.#statusPage(gateway) : undefined;
      const served = httpOptions(http, { authorization, logIn: this.#logIn, page });
      const handle = await serveHttp(gateway, served).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
        throw new DiagnosticError([diagnostic("gateway-not-listening", { reason: error.message })]);
      });
      this.#announce(`at ${handle.url.href}`);
      if (authorization) this.#tell(printAccess(this.#content?.settings ?? {}, []).join("\n"));
      this.#announceLogIns();
      if (page) this.#tell(`Status: ${new URL("/status", handle.url).href}`);
      onListening?.(handle.url);
      return handle;
    }
    this.#announce("over stdio");
    const handle = serveStdio(gateway, transport && { transport });
    await handle.connection;
    return handle;
  }

  #statusPage(gateway: Gateway): StatusPage {
    const isStdio = (name: string): boolean => this.#servers.get(name)?.config.kind === "stdio";
    return createStatusPage(gateway, { transportOf: ({ name }) => (isStdio(name) ? "stdio" : "HTTP") });
  }

  #configs(): readonly ServerConfig[] {
    return [...this.#servers.values()].map(({ config }) => config);
  }

  #announce(where: string): void {
    const servers = this.#configs();
    const count = servers.length === 1 ? "1 server" : `${servers.length} servers`;
    this.#tell([`Serving ${count} ${where}`, ...printServers(servers)].join("\n"));
  }

  #announceLogIns(): void {
    const line = printLogIn(this.#logIn, this.#configs());
    if (line !== undefined && line !== this.#announcedLogIns) this.#tell(line);
    this.#announcedLogIns = line;
  }

  #watch(path: string, gateway: Gateway, { end, pinning, audit }: Watched): () => void {
    const watch = (file: string, reload: () => Promise<void>): (() => void) =>
      watchConfig(file, {
        onChange: () => {
          this.#reloading = this.#reloading.then(reload).catch((error: unknown) => this.#report(error));
        },
        onHangUp: end,
        onerror: (error) => this.#tell(`warning: cannot watch ${file}: ${error.message}`),
      });
    const reload = async (): Promise<void> => {
      await this.#reload(path, gateway);
      // A program that rotates logs renames the file before it sends SIGHUP.
      audit?.reopen();
    };
    const stops = [watch(path, reload)];
    if (pinning) stops.push(watch(pinning.path, () => this.#reloadLock(pinning, gateway)));
    return () => stops.forEach((stop) => stop());
  }

  async #reloadLock(pinning: ConfigPinning, gateway: Gateway): Promise<void> {
    if (!(await pinning.reload())) return;
    await gateway.update(optionsOf(this.#servers));
    this.#tell(`${pinning.path} is applied.`);
  }

  /** Applies an edit of the configuration, or reports why it cannot be applied. */
  async #reload(path: string, gateway: Gateway): Promise<void> {
    const before = this.#servers;
    let content: SourceContent;
    try {
      content = await this.#read();
      const servers = this.#configure(content);
      if (isSame(before, servers) && isDeepStrictEqual(content.settings, this.#content?.settings)) return;
      this.#update(gateway, servers);
    } catch (error) {
      this.#report(error);
      this.#tell(`${path} is not applied; the servers stay as they were.`);
      return;
    }
    if (!isDeepStrictEqual(content.settings, this.#content?.settings))
      this.#report(new DiagnosticError([diagnostic("gateway-restart-needed", { path })]));
    this.#content = content;
    if (isSame(before, this.#servers)) return;
    this.#tell(changes(before, this.#servers));
    this.#announceLogIns();
  }

  /** @throws DiagnosticError gateway-options-refused; the servers stay as they were */
  #update(gateway: Gateway, servers: ReadonlyMap<string, ConfiguredServer>): void {
    const before = this.#servers;
    if (isSame(before, servers)) return;
    const options = optionsOf(servers);
    // Checks the options, which `update` does too late to throw. A log-in belongs to one gateway.
    const checked = Object.entries(options).map(([name, { logIn: _logIn, ...others }]) => [name, others] as const);
    explained(() => createGateway({ servers: Object.fromEntries(checked) }));
    this.#servers = servers;
    const unused = [...before.values()].filter((one) => servers.get(one.config.name) !== one);
    const ending: Promise<unknown> = gateway
      .update(options)
      .then(() => Promise.all(closing(unused)))
      .catch((error: unknown) => this.#report(error))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #report(error: unknown): void {
    this.#tell(error instanceof Error ? error.message : String(error));
  }
}

function explained<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof SdkError) return fail("gateway-options-refused", { reason: error.message });
    throw error;
  }
}
