import { ROOTS_LIST } from "@mcpwright/protocol/names";
import type { ClientCapabilities, Implementation } from "../../authoring.js";
import { Client } from "../../client.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import type { GatewayExtension } from "../extensions/gateway-extension.js";
import { assertServers, type GatewayServer } from "../gateway-options.js";
import { Catalog } from "../upstream/catalog.js";
import { openTransport } from "../upstream/open-transport.js";
import { type GatewayLock, type LockedServer, lockOf } from "./gateway-lock.js";
import type { ServerSurface } from "./server-surface.js";

export interface LockServersOptions {
  /** The lock so far. Servers that cannot be reached keep what it contains of them. */
  readonly previous?: GatewayLock;
  /** How servers see the client. Default: `{ name: "gateway", version: "1.0.0" }`. */
  readonly info?: Implementation;
  /** The extensions of the gateway. Default: none. */
  readonly extensions?: readonly GatewayExtension[];
  /** Called with errors that do not keep a server from being locked. */
  readonly onerror?: (server: string, error: Error) => void;
}

/** What `lockServers` found. */
export interface LockedServers {
  /** In the order of the names. */
  readonly lock: GatewayLock;
  /** What each server shows now, by its name. */
  readonly surfaces: ReadonlyMap<string, ServerSurface>;
  /** Why the others could not be locked. */
  readonly failed: ReadonlyMap<string, Error>;
}

/** Servers can show more to clients that support more. */
const capabilities: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

const probeTimeoutMs = 5_000;

/**
 * Connects to each server, and makes a lock of its tools, prompts and instructions: what the option `pinning` of a gateway compares with.
 * The servers see a client with all capabilities.
 * @example
 * ```ts
 * const { lock, failed } = await lockServers(servers);
 * for (const [name, error] of failed) console.error(`${name}: ${error.message}`);
 * await writeFile("gateway.lock.json", formatLock(lock));
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` (as a rejection) when an option of a server is invalid
 */
export async function lockServers(
  servers: Readonly<Record<string, GatewayServer>>,
  options: LockServersOptions = {},
): Promise<LockedServers> {
  assertServers(servers);
  const surfaces = new Map<string, ServerSurface>();
  const failed = new Map<string, Error>();
  const locked = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      try {
        const surface = await surfaceOf(name, server, options);
        const lock = await lockOf(new Map([[name, surface]]));
        surfaces.set(name, surface);
        return lock.servers;
      } catch (error) {
        failed.set(name, toError(error));
        return options.previous?.servers.filter((before) => before.name === name) ?? [];
      }
    }),
  );
  const lock = await lockOf(new Map());
  return { lock: { ...lock, servers: locked.flat().sort(byName) }, surfaces, failed };
}

async function surfaceOf(name: string, server: GatewayServer, options: LockServersOptions): Promise<ServerSurface> {
  const { info = { name: "gateway", version: "1.0.0" }, extensions = [], onerror } = options;
  const report = (error: Error): void => onerror?.(name, error);
  const { connectTimeoutMs = 30_000, timeoutMs } = server;
  const client = new Client(info, {
    capabilities,
    extensions: extensions.map((one) => one.client),
    completeUrlElicitations: false,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onerror: report,
  });
  client.setRequestHandler(ROOTS_LIST, () => ({ roots: [] }));
  try {
    await client.connect(await openTransport(server), { timeoutMs: connectTimeoutMs, probeTimeoutMs });
    const catalog = new Catalog(client, report);
    const [tools, prompts] = await Promise.all([catalog.fetch("tools", {}), catalog.fetch("prompts", {})]);
    return { instructions: client.getInstructions() ?? "", tools: tools.items, prompts: prompts.items };
  } finally {
    await client.close();
  }
}

function byName(a: LockedServer, b: LockedServer): number {
  return a.name < b.name ? -1 : 1;
}
