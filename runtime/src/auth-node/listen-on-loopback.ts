import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listenFailure } from "../node/listen-error.js";
import { hasCode } from "./store-failure.js";

export interface LoopbackServer {
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** A callback is one small request of a browser on this machine. */
const bounds = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
};
const maxConnections = 32;

/**
 * Serves HTTP on the loopback interface. Browsers may resolve `localhost` to the IPv6 address; then both addresses are served.
 * @throws an error with the code of Node, such as `EADDRINUSE`, and the remedy
 */
export async function listenOnLoopback(
  hostname: "127.0.0.1" | "localhost",
  port: number,
  serve: RequestListener,
): Promise<LoopbackServer> {
  for (let tries = 0; ; tries++) {
    const servers = [await listen("127.0.0.1", port, serve)];
    const actual = portOf(servers[0]);
    if (hostname === "localhost")
      try {
        servers.push(await listen("::1", actual, serve));
      } catch (error) {
        // A machine without IPv6 has no such address. A free port may be in use there.
        const isRetried = hasCode(error, "EADDRINUSE") && port === 0 && tries < 20;
        if (!hasCode(error, "EADDRNOTAVAIL", "EAFNOSUPPORT")) await closeAll(servers);
        if (isRetried) continue;
        if (!hasCode(error, "EADDRNOTAVAIL", "EAFNOSUPPORT")) throw error;
      }
    return { port: actual, close: () => closeAll(servers) };
  }
}

async function listen(host: string, port: number, serve: RequestListener): Promise<Server> {
  const server = createServer(bounds, serve);
  server.maxConnections = maxConnections;
  await once(server.listen(port, host), "listening").catch((error: unknown) => {
    throw listenFailure(error as Error, host, port);
  });
  return server;
}

function portOf(server: Server | undefined): number {
  return (server?.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map(close));
}
