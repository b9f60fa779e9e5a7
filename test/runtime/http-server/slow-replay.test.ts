/** Clients that resume a stream and read slowly: little is queued for them, and they miss nothing. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import {
  type BodyWriter,
  createMcpHandler,
  type DisconnectListener,
  type HttpHeaders,
  type HttpRequest,
  type McpHttpHandler,
  type Responder,
} from "../../../runtime/src/server/http.js";
import { Blocks } from "./blocks.js";
import { BOTH, initialize, type Message, notification, R4, request, turn } from "./messages.js";
import { Subject } from "./subject.js";

const maxQueuedBytes = 10_000;
const eventSize = 1_000;

/** A response whose client takes what is queued only when `take` is called. */
class SlowLine implements Responder, BodyWriter {
  disconnectListener: DisconnectListener | undefined;
  headers: HttpHeaders = {};
  status = 0;
  queuedBytes = 0;
  maxQueued = 0;
  hasEnded = false;
  readonly seen = new Blocks();
  #queued = "";
  #resume = (): void => undefined;

  watchDisconnect(): void {
    // Only `leave` disconnects.
  }

  respond(status: number, headers: HttpHeaders, body = ""): void {
    this.startStream(status, headers);
    this.write(body);
    this.end();
  }

  startStream(status: number, headers: HttpHeaders): this {
    this.status = status;
    this.headers = headers;
    return this;
  }

  write(text: string): void {
    this.#queued += text;
    this.queuedBytes += text.length;
    this.maxQueued = Math.max(this.maxQueued, this.queuedBytes);
  }

  drained(): Promise<void> {
    return new Promise((resolve) => (this.#resume = resolve));
  }

  end(): void {
    this.hasEnded = true;
  }

  abort(): void {
    this.hasEnded = true;
  }

  take(): void {
    this.seen.push(this.#queued);
    this.#queued = "";
    this.queuedBytes = 0;
    this.#resume();
  }

  leave(): void {
    this.hasEnded = true;
    this.disconnectListener?.onDisconnect();
    this.#resume();
  }
}

class Client {
  readonly messages: Message[] = [];
  lastEventId: string | undefined;
  sessionId: string | undefined;

  constructor(readonly handler: McpHttpHandler) {}

  send(method: string, body?: object): SlowLine {
    const headers: Record<string, string | undefined> = {
      host: "localhost",
      accept: BOTH,
      "content-type": "application/json",
      "mcp-session-id": this.sessionId,
      "last-event-id": method === "GET" ? this.lastEventId : undefined,
    };
    const line = new SlowLine();
    const head: HttpRequest = { method, url: "/mcp", principal: undefined, header: (name) => headers[name] };
    const { endpoint } = this.handler;
    if (endpoint.receiveHead(head, line)) endpoint.receiveMessage(head, body, line);
    return line;
  }

  take(line: SlowLine): void {
    line.take();
    for (const { id, data } of line.seen.rest()) {
      this.lastEventId = id ?? this.lastEventId;
      if (data) this.messages.push(JSON.parse(data) as Message);
    }
  }

  get numbers(): unknown[] {
    return this.messages.map(({ params }) => (params?.["data"] as { number?: number } | undefined)?.number);
  }
}

/** A client that lost the stream of a request after its first event; the request then sends `count` events. */
async function leftBehind(count: number, backplane: Backplane) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const subject = new Subject({ backplane });
  const state = { log: (_: number): void => undefined, finish: (): void => undefined };
  subject.server.registerTool("many", {}, async (context) => {
    const pad = "x".repeat(eventSize);
    state.log = (number) => {
      // A request may send 100 log messages a second.
      vi.advanceTimersByTime(20);
      context.log("warning", { number, pad });
    };
    await new Promise<void>((resolve) => (state.finish = resolve));
    return { content: [] };
  });
  const handler = createMcpHandler(subject.server, { maxQueuedBytes, keepAliveMs: 0 });
  onTestFinished(() => handler.close(0));
  const client = new Client(handler);
  const opening = client.send("POST", initialize(R4));
  await turn();
  client.sessionId = opening.headers["mcp-session-id"];
  client.send("POST", notification("notifications/initialized"));
  await turn();
  const line = client.send("POST", request(1, "tools/call", { name: "many" }));
  await turn();
  state.log(0);
  client.take(line);
  line.leave();
  for (let number = 1; number < count; number++) state.log(number);
  return { client, subject, state };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

async function readAll(client: Client, line: SlowLine, count: number): Promise<void> {
  for (let times = 0; times < 1_000 && client.numbers.length < count; times++) {
    await turn();
    client.take(line);
  }
}

test("the replay waits until the client has taken the events", async () => {
  const { client, state } = await leftBehind(500, new MemoryBackplane());
  const line = client.send("GET");
  await readAll(client, line, 500);
  expect(client.numbers).toEqual(numbers(500));
  expect(line.maxQueued).toBeLessThan(maxQueuedBytes + 2 * eventSize);
  // The stream continues after the replay.
  state.log(500);
  state.finish();
  await turn();
  client.take(line);
  expect([client.numbers.at(500), client.messages.at(-1)?.id, line.hasEnded]).toEqual([500, 1, true]);
});

test("a client that leaves during the replay can resume again", async () => {
  const { client } = await leftBehind(100, new MemoryBackplane());
  const first = client.send("GET");
  client.take(first);
  first.leave();
  await turn(5);
  const second = client.send("GET");
  await readAll(client, second, 100);
  expect(client.numbers).toEqual(numbers(100));
});

test("events that come during the replay wait in the backplane until the client has taken the others", async () => {
  const { client, subject, state } = await leftBehind(50, new MemoryBackplane());
  const line = client.send("GET");
  await turn();
  for (let number = 50; number < 80; number++) state.log(number);
  await readAll(client, line, 80);
  expect([client.numbers, line.hasEnded]).toEqual([numbers(80), false]);
  expect(line.maxQueued).toBeLessThan(maxQueuedBytes + 2 * eventSize);
  state.finish();
  await turn();
  client.take(line);
  expect([client.messages.at(-1)?.id, line.hasEnded, subject.reports]).toEqual([1, true, []]);
});
