/** A reverse proxy that adds the access token which the suite cannot send. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** The server behind a front. */
export interface Backend {
  readonly url: string;
  /** The value of the header `Authorization`, which replaces that of the client. */
  readonly authorization: string;
}

export interface Front {
  /** Its origin: the paths are those of the server. */
  readonly origin: string;
  /** From now on, passes requests to this server. */
  passTo(backend: Backend): void;
  end(): Promise<void>;
}

/**
 * Starts a front on a free loopback port. All headers but `Authorization` stay as they are, also `Host` and `Origin`. Bodies are
 * passed on as they arrive, in both directions. Each connection of a client has its own connection to the server: when one side
 * closes its connection, the other one is closed, too.
 */
export async function startFront(): Promise<Front> {
  const agents = new WeakMap<Socket, Agent>();
  let backend: Backend | undefined;
  const http = createServer((incoming, outgoing) => {
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
    passTo: (next) => void (backend = next),
    async end() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, backend: Backend, agent: Agent): void {
  const { hostname, port } = new URL(backend.url);
  const onward = request({
    agent,
    hostname,
    port,
    method: incoming.method,
    path: incoming.url,
    headers: [...withoutAuthorization(incoming.rawHeaders), "Authorization", backend.authorization],
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
