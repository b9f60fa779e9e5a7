/** The proxy in front of several nodes. `test/conformance/front.test.ts` tests what it has in common with the front of one server. */
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startRoundRobin } from "../../scripts/reverse-proxy.js";

/** Starts servers, and a proxy before them. */
async function start(...servers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const backends = [];
  for (const serve of servers) {
    const backend = createServer(serve).listen(0, "127.0.0.1");
    await once(backend, "listening");
    onTestFinished(() => {
      backend.closeAllConnections();
      backend.close();
    });
    backends.push({ url: `http://127.0.0.1:${(backend.address() as AddressInfo).port}` });
  }
  const proxy = await startRoundRobin(backends);
  onTestFinished(() => proxy.end());
  return proxy.origin;
}

/** A response whose body is not read yet. */
async function open(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  return response;
}

test("passes each request to the next server, also those of one connection", async () => {
  const named = (name: string) => (_request: IncomingMessage, response: ServerResponse) => void response.end(name);
  const url = await start(named("a"), named("b"), named("c"));
  const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
  onTestFinished(() => agents.forEach((agent) => agent.destroy()));
  const ports = new Set<number | undefined>();
  let answers = "";
  for (let times = 0; times < 4; times++)
    for (const agent of agents) {
      const response = await open(url, agent);
      ports.add(response.socket.localPort);
      answers += await text(response);
    }
  expect(answers).toBe("abcabcab");
  expect(ports.size).toBe(2);
});

test("keeps a stream of one server open while requests of the same client go to others", async () => {
  let write = (_text: string): void => undefined;
  const url = await start(
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      write = (event) => void response.write(event);
    },
    (_request, response) => void response.end("b"),
  );
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const stream = await open(url, agent);
  expect(await text(await open(url, agent))).toBe("b");
  const received = once(stream, "data");
  write("data: 1\n\n");
  expect(String((await received)[0])).toBe("data: 1\n\n");
});

test("reads from a server only as fast as its client reads", async () => {
  const chunk = Buffer.alloc(2 ** 16, "x");
  const count = 1_024;
  let written = 0;
  const url = await start((_request, response) => {
    const go = (): void => {
      while (written < count) {
        written++;
        if (!response.write(chunk)) return void response.once("drain", go);
      }
      response.end();
    };
    go();
  });
  const agent = new Agent();
  const response = await open(url, agent);
  for (let before = -1; before !== written;) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(written).toBeLessThan(count / 2);
  expect((await text(response)).length).toBe(count * chunk.length);
});
