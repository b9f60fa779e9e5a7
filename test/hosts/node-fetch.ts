/** Serves the fetch handler on Node. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { servedByFetch } from "./served.js";

const { fetch: serve } = servedByFetch();
const server = createServer((incoming, outgoing) => {
  // The pipeline fails when a client disconnects early.
  bridge(incoming, outgoing).catch(() => outgoing.destroy());
}).listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);

async function bridge(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const { method = "GET", url = "/" } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await serve(
    new Request(new URL(url, `http://${incoming.headers.host ?? "localhost"}`), {
      method,
      headers,
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as NonNullable<RequestInit["body"]>, duplex: "half" }),
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
  else outgoing.end();
}
