import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A reverse proxy that passes each request to the next node, whichever session it belongs to. */
export interface RoundRobinProxy {
  readonly url: URL;
  close(): Promise<void>;
}

/** @param nodes the origins of the nodes, such as `http://127.0.0.1:3001` */
export async function startProxy(nodes: readonly URL[], port = 0): Promise<RoundRobinProxy> {
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    text(incoming)
      .then((body) => pass(incoming, body, outgoing, nodes, turn++))
      // The client has left before it had sent the body.
      .catch(() => outgoing.destroy());
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, close };
}

/** Sends a request to a node, and to the next ones if it does not accept connections. */
async function pass(
  incoming: IncomingMessage,
  body: string,
  outgoing: ServerResponse,
  nodes: readonly URL[],
  turn: number,
): Promise<void> {
  for (let attempt = 0; attempt < nodes.length; attempt++) {
    const node = nodes[(turn + attempt) % nodes.length];
    if (node && (await passTo(node, incoming, body, outgoing))) return;
  }
  outgoing.writeHead(503, { "retry-after": "1" }).end("no node accepts connections");
}

/** Returns false when the node does not accept connections: it has not received the request. */
function passTo(node: URL, incoming: IncomingMessage, body: string, outgoing: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = incoming;
    const { hostname, port } = node;
    const { connection: _connection, "transfer-encoding": _encoding, ...passed } = headers;
    const toNode = request({ hostname, port, method, path, headers: passed, agent: false }, (response) => {
      // Nothing is buffered, so that events arrive when they are sent.
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      // The node has died: the client must not take the rest for a complete response.
      response.once("error", () => outgoing.destroy());
      resolve(true);
    });
    outgoing.once("close", () => toNode.destroy());
    toNode.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") return resolve(false);
      outgoing.destroy();
      resolve(true);
    });
    toNode.end(body);
  });
}
