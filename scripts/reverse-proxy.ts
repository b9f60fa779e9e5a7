/** Passes HTTP requests on to servers on this computer, as proxies in front of real servers do. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A server behind a proxy. */
export interface Backend {
  /** Its origin; paths are those of the request. */
  readonly url: string | URL;
  /** The value of the header `Authorization`, which replaces that of the client. Default: that of the client. */
  readonly authorization?: string;
}

export interface ReverseProxy {
  /** Its origin: the paths are those of the servers. */
  readonly origin: string;
  end(): Promise<void>;
}

/**
 * Starts a proxy on a free loopback port. Headers stay as they are, also `Host` and `Origin`. Bodies are passed on as they arrive, in both
 * directions, and as fast as the receiver reads them. Each connection of a client has its own connection to each server: when one side
 * ends a request or a response early, the other one ends it, too.
 * @param choose returns the server for the next request; `undefined` closes the connection
 */
export async function startReverseProxy(choose: () => Backend | undefined): Promise<ReverseProxy> {
  const agents = new WeakMap<Socket, Agent>();
  const http = createServer((incoming, outgoing) => {
    const backend = choose();
    const agent = agents.get(incoming.socket);
    if (!backend || !agent) outgoing.destroy();
    else pass(incoming, outgoing, backend, agent);
  });
  // Connections end when a side ends them.
  http.keepAliveTimeout = 0;
  http.requestTimeout = 0;
  http.on("connection", (socket) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(socket, agent);
    socket.once("close", () => agent.destroy());
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async end() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

/** Starts a proxy that passes every request to the next server, also those of one connection: deliberately not sticky. */
export function startRoundRobin(backends: readonly Backend[]): Promise<ReverseProxy> {
  let turn = 0;
  return startReverseProxy(() => backends[turn++ % backends.length]);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, backend: Backend, agent: Agent): void {
  const { hostname, port } = new URL(backend.url);
  const { authorization } = backend;
  const onward = request({
    agent,
    hostname,
    port,
    method: incoming.method,
    path: incoming.url,
    headers:
      authorization === undefined
        ? incoming.rawHeaders
        : [...withoutAuthorization(incoming.rawHeaders), "Authorization", authorization],
  });
  onward.once("response", (answer) => {
    outgoing.sendDate = false;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.once("error", () => outgoing.destroy());
  });
  onward.once("error", () => outgoing.destroy());
  outgoing.once("close", () => onward.destroy());
  // The server can answer before the body has arrived.
  onward.flushHeaders();
  incoming.pipe(onward);
}

/** @param rawHeaders names and values, one after the other */
function withoutAuthorization(rawHeaders: readonly string[]): readonly string[] {
  const isKept = (place: number): boolean => rawHeaders[place - (place % 2)]?.toLowerCase() !== "authorization";
  return rawHeaders.filter((_, place) => isKept(place));
}
