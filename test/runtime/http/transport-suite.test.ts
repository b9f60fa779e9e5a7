import { clientSides } from "@mcpwright/protocol/client-sides";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { serveHttp } from "../../../runtime/src/node.js";
import { Server } from "../../../runtime/src/server.js";
import { transportBehaviours } from "../../../runtime/src/testing/transport-suite.js";

const revision = "2025-03-26";
const side = clientSides.find((one) => one.revision === revision);

/** Exposes the transport of each session that a client opens. */
class Tapped extends Server {
  readonly transports: Transport[] = [];

  override accept(transport: Transport): ReturnType<Server["accept"]> {
    this.transports.push(transport);
    return super.accept(transport);
  }
}

/** Behaviours of the suite that HTTP does not have, by the end that is `a`. */
const leftOut: Readonly<Record<"client" | "server", Readonly<Record<string, string>>>> = {
  client: {
    "keeps the order of 1,000 messages sent at once":
      "each message is a separate request, and requests can overtake each other",
    "delivers no message before it is started": "a session is there once its first request is",
  },
  server: {
    "delivers a batch as one message": "a server sends batches only as responses to batches",
  },
};

const endings = Object.entries(leftOut) as ["client" | "server", Readonly<Record<string, string>>][];

describe.each(endings)("HTTP, seen by the %s", (end, without) => {
  const behaviours = transportBehaviours.filter(({ name }) => !(name in without));
  const harness = {
    name: `HTTP, seen by the ${end}`,
    async open() {
      const { client, server } = await openSession();
      return end === "client" ? { a: client, b: server } : { a: server, b: client };
    },
  };
  test.each(behaviours)("$name", ({ run }) => run(harness));

  test("only leaves out existing behaviours", () => {
    const names = transportBehaviours.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(without)));
  });
});

/** Both ends of a session; the client's end continues after the handshake. */
async function openSession(): Promise<{ client: Transport; server: Transport }> {
  const tapped = new Tapped({ name: "server", version: "1.0.0" });
  const served = await serveHttp(tapped);
  onTestFinished(async () => {
    served.server.closeAllConnections();
    await served.close();
  });
  const post = (message: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(served.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const clientInfo = { name: "client", version: "1.0.0" };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo };
  const opened = await post({ id: "open", method: "initialize", params });
  await opened.text();
  const sessionId = opened.headers.get("mcp-session-id") ?? "";
  const [server] = tapped.transports as [Transport];

  let listening: (() => void) | undefined;
  const client = new StreamableHTTPClientTransport(served.url, {
    sessionId,
    protocolVersion: revision,
    reconnectionOptions: { initialReconnectionDelay: 10 },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init.method === "GET") listening?.();
      return response;
    },
  });
  const start = client.start.bind(client);
  // An initialized client opens the stream of unrelated messages. The suite must not see that request.
  client.start = async () => {
    await start();
    if (side) client.setRevision(side);
    const heard = server.onmessage;
    server.onmessage = undefined;
    const isListening = new Promise<void>((resolve) => (listening = resolve));
    await client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    server.onmessage = heard;
    await isListening;
  };
  return { client, server };
}
