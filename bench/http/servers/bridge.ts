import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

type Fetch = (request: Request) => Promise<Response>;

/** Serves a fetch handler on node:http with the platform's `Request` and `Response`, without shortcuts. */
export function bridge(fetch: Fetch): RequestListener {
  return (incoming, outgoing) => void answer(fetch, incoming, outgoing);
}

async function answer(fetch: Fetch, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || gone.abort());
  const { status, headers, body } = await fetch(await requestOf(incoming, gone.signal));
  headers.forEach((value, name) => outgoing.appendHeader(name, value));
  outgoing.writeHead(status);
  if (body) for await (const chunk of body) outgoing.write(chunk);
  outgoing.end();
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "", url = "", headers: all } = incoming;
  const headers = new Headers();
  for (const [name, values] of Object.entries(all))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
  return new Request(`http://${all.host ?? ""}${url}`, { method, headers, body, signal });
}
