/** Serves over HTTP, at one node or at several behind a proxy that passes each request to the next one: the vitest project decides. */
import { inject, onTestFinished } from "vitest";
import { startRoundRobin } from "../../scripts/reverse-proxy.js";
import { MemoryBackplane } from "../../runtime/src/backplane.js";
import type { Endpoint } from "../../runtime/src/http-server/endpoint.js";
import { type HttpServerHandle, serveHttp, type ServeHttpOptions } from "../../runtime/src/node.js";
import type { CoreMcpServerOptions, McpServer } from "../../runtime/src/server/core.js";
import { openBackplane } from "../redis/open-backplane.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The number of nodes. Default: 1, without a backplane. */
    nodes: number | undefined;
    /** The Redis server of their backplane. Default: they are in one process, and share a backplane in memory. */
    redisUrl: string | undefined;
  }
}

export const nodeCount = inject("nodes") ?? 1;

/** The options that the servers of all nodes need to have in common; none at one node. */
export type SharedOptions = Pick<CoreMcpServerOptions, "backplane" | "stateKeys">;

/** Creates the server of one node. */
export type CreateNode = (shared: SharedOptions) => McpServer;

export interface Node {
  readonly server: McpServer;
  readonly handle: HttpServerHandle;
  readonly endpoint: Endpoint;
}

export interface Served {
  /** Of the node, or of the proxy in front of all. */
  readonly url: URL;
  readonly nodes: readonly Node[];
}

/** Serves on loopback until the test has finished. */
export async function serve(create: CreateNode, options: ServeHttpOptions = {}): Promise<Served> {
  const nodes: Node[] = [];
  for (const shared of await openNodes()) {
    const server = create(shared);
    const handle = await serveHttp(server, { graceMs: 0, ...options });
    // Longer than the proxy and the clients keep idle connections: otherwise a request can meet the end of its connection.
    handle.server.keepAliveTimeout = 60_000;
    onTestFinished(async () => {
      await end(handle);
      await server.close(0);
    });
    nodes.push({ server, handle, endpoint: handle.handler.endpoint as Endpoint });
  }
  const [first] = nodes.map(({ handle }) => handle.url);
  if (!first) throw new Error("there is no node");
  if (nodes.length === 1) return { url: first, nodes };
  const proxy = await startRoundRobin(nodes.map(({ handle }) => handle));
  onTestFinished(() => proxy.end());
  return { url: new URL(first.pathname, proxy.origin), nodes };
}

/** Returns the options for the servers of a new application: one for each node. */
export async function openNodes(): Promise<readonly SharedOptions[]> {
  if (nodeCount === 1) return [{}];
  const stateKeys = [{ id: "fixed", key: new Uint8Array(32).fill(7) }];
  const prefix = `${crypto.randomUUID()}:`;
  const inMemory = new MemoryBackplane();
  const nodes = Array.from({ length: nodeCount }, () => inject("redisUrl"));
  return Promise.all(
    nodes.map(async (url) => ({
      stateKeys,
      backplane: url === undefined ? inMemory : await openBackplane(url, { prefix }),
    })),
  );
}

/** Does not wait for idle connections that Node's client keeps open. */
async function end(handle: HttpServerHandle): Promise<void> {
  const cut = setInterval(() => handle.server.closeAllConnections(), 5);
  await handle.close();
  clearInterval(cut);
}
