import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Listens on the loopback interface only. @returns the origin
 * @param port 0 for any free one
 * @throws the error of the system, such as `EADDRINUSE`
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/** A page of another site can make a browser send requests here, but not with this name and origin. */
export function isForOrigin({ headers: { host, origin } }: IncomingMessage, own: string): boolean {
  return `http://${String(host)}` === own && (origin === undefined || origin === own);
}

/** Sends a response that no cache keeps and no browser reads as another type. */
export function sendReply(
  response: ServerResponse,
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  const { "content-type": type = "text/plain; charset=utf-8" } = headers;
  response.writeHead(status, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...headers,
    "content-type": type,
  });
  response.end(body);
}
