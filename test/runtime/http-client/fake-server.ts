import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A received request. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly message: Message;
  /** The time of arrival, in milliseconds. */
  readonly at: number;
}

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly [member: string]: unknown;
}

export interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: number;
  readonly data?: unknown;
}

/** An open stream of server-sent events. */
export class EventWriter {
  constructor(readonly response: ServerResponse) {}

  /** Sends an event; data other than strings as JSON. */
  send({ id, event, retry, data }: Event): this {
    const text = data === undefined || typeof data === "string" ? data : JSON.stringify(data);
    return this.raw(
      [
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...(retry === undefined ? [] : [`retry: ${retry}`]),
        ...(text === undefined ? [] : text.split("\n").map((line) => `data: ${line}`)),
        "",
        "",
      ].join("\n"),
    );
  }

  raw(text: string | Uint8Array): this {
    this.response.write(text);
    return this;
  }

  end(): void {
    this.response.end();
  }

  /** Cuts the connection. */
  cut(): void {
    this.response.socket?.destroy();
  }
}

/** A response to a request. */
export class Reply {
  constructor(readonly response: ServerResponse) {}

  status(status: number, text = "", headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers).end(text);
  }

  json(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.status(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
  }

  events(headers: Record<string, string> = {}): EventWriter {
    this.response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    this.response.flushHeaders();
    return new EventWriter(this.response);
  }

  /** Cuts the connection. */
  cut(): void {
    this.response.socket?.destroy();
  }
}

export type Script = (seen: Seen, reply: Reply) => void | Promise<void>;

/** A server that a test scripts. */
export class FakeServer {
  readonly seen: Seen[] = [];
  /** Requests whose connection was closed before the response was complete. */
  readonly dropped: Seen[] = [];
  readonly errors: unknown[] = [];

  constructor(
    readonly server: Server,
    public script: Script,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/mcp`;
  }

  /** The methods of the received messages, and the HTTP methods of other requests. */
  get story(): string[] {
    return this.seen.map(({ method, message }) => (method === "POST" ? (message.method ?? "response") : method));
  }

  of(method: string): Seen[] {
    return this.seen.filter((one) => one.message.method === method || one.method === method);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export async function fakeServer(script: Script): Promise<FakeServer> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
      const seen: Seen = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        message: text === "" ? {} : (JSON.parse(text) as Message),
        at: performance.now(),
      };
      fake.seen.push(seen);
      response.on("close", () => {
        if (!response.writableFinished) fake.dropped.push(seen);
      });
      await fake.script(seen, new Reply(response));
    })().catch((error: unknown) => {
      fake.errors.push(error);
      response.destroy();
    });
  });
  const fake = new FakeServer(server, script);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => fake.close());
  return fake;
}

export const serverInfo = { name: "fake", version: "1" };

export const result = (id: unknown, body: object): object => ({ jsonrpc: "2.0", id, result: body });
export const failure = (id: unknown, code: number, data?: object, message = "no"): object => ({
  jsonrpc: "2.0",
  ...(id !== undefined && { id }),
  error: { code, message, ...(data && { data }) },
});
export const note = (method: string, params: object = {}): object => ({ jsonrpc: "2.0", method, params });

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  logging: {},
};

/** Opens connections like a server of the handshake era; `then` handles the rest. */
export function handshake(revision: string, then: Script, session?: () => string): Script {
  return (seen, reply) => {
    const { method, id } = seen.message;
    if (seen.method === "POST" && method === "initialize")
      return reply.json(
        result(id, { protocolVersion: revision, capabilities, serverInfo }),
        200,
        session ? { "mcp-session-id": session() } : {},
      );
    if (seen.method === "POST" && method === "notifications/initialized") return reply.status(202);
    if (seen.method === "POST" && method === "server/discover") return reply.status(400);
    return then(seen, reply);
  };
}

export const R5 = "2026-07-28";

/** Responds to the probe like a server of the stateless era; `then` handles the rest. */
export function stateless(then: Script): Script {
  return (seen, reply) => {
    const { method, id } = seen.message;
    if (method !== "server/discover") return then(seen, reply);
    return reply.json(discovered(id));
  };
}

export function discovered(id: unknown, versions: readonly string[] = [R5]): object {
  const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  return result(id, { ...hints, supportedVersions: versions, capabilities: { tools: {} } });
}

export const complete = (body: object): object => ({ resultType: "complete", ...body });

/** Waits until a condition holds. */
export async function until(what: () => boolean, patienceMs = 5_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!what()) {
    if (performance.now() > end) throw new Error(`timed out waiting for ${String(what)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
