/** Limits on bodies and concurrent requests, and bodies that the host has parsed. */
import { describe, expect, test, vi } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts } from "./hosts.js";
import { call, initialize, type Message, open, plain, R2, R4, request, until } from "./messages.js";
import { Subject, text } from "./subject.js";

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions) {
    const subject = new Subject();
    return { subject, at: await host(subject.server, options) };
  }

  test("accepts a body of maxBodyBytes and rejects a longer one, with and without a length", async () => {
    const sent = call(1, "echo", { text: "" });
    const fill = (bytes: number): string =>
      JSON.stringify(sent.body).replace('"text":""', `"text":"${"ü".repeat(bytes)}"`);
    const size = Buffer.byteLength(fill(0));
    const { at } = await start({ maxBodyBytes: size + 200 });
    expect((await at.send({ ...sent, body: fill(100) })).status).toBe(200);
    const refused = await at.send({ ...sent, body: fill(101) });
    expect([refused.status, ((await refused.json()) as Message).error?.code]).toEqual([413, -32600]);
    const chunked = await at
      .send({ ...sent, headers: { ...sent.headers, "transfer-encoding": "chunked" }, body: fill(101) })
      .catch(() => undefined);
    expect(chunked?.status ?? 413).toBe(413);
  });

  test("rejects a body with more than maxValues values before it is parsed", async () => {
    const { subject, at } = await start();
    const sent = call(1, "echo", { text: "x" });
    const holding = (values: number): string =>
      JSON.stringify(sent.body).replace('"text":"x"', `"text":"x","more":[${"{},".repeat(values / 2)}0]`);
    const refused = await at.send({ ...sent, body: holding(50_000) });
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { error: { code: -32600, message: expect.stringMatching(/50000 values \(option maxValues\)/) as string } },
    ]);
    expect((await at.send({ ...sent, body: holding(40_000) })).status).toBe(200);
    const larger = await host(subject.server, { maxValues: 100_000 });
    expect((await larger.send({ ...sent, body: holding(90_000) })).status).toBe(200);
  });

  test("does not pass an array of a million invalid items to the schema of a tool", async () => {
    const { subject, at } = await start();
    const validate = vi.fn((value: unknown) => ({ value }));
    const jsonSchema = { input: () => ({ type: "object" }), output: () => ({ type: "object" }) };
    const inputSchema = { "~standard": { version: 1 as const, vendor: "own", validate, jsonSchema } };
    subject.server.registerTool("texts", { inputSchema }, () => text("never"));
    const sent = call(1, "texts", { all: Array.from({ length: 1_300_000 }, () => 0) });
    expect((await at.send(sent)).status).toBe(413);
    expect(validate).not.toHaveBeenCalled();
  });

  test("accepts a replacement character, but rejects bytes that are not UTF-8", async () => {
    const { at } = await start();
    const sent = call(1, "echo", { text: "\ufffd" });
    const body = JSON.stringify(sent.body);
    const read = await at.send({ ...sent, body });
    expect([read.status, await read.text()]).toEqual([200, expect.stringContaining("\ufffd")]);
    const [before, after] = body.split("\ufffd").map((part) => Buffer.from(part)) as [Buffer, Buffer];
    const refused = await at.send({ ...sent, body: Buffer.concat([before, Buffer.of(0xff), after]) });
    expect([refused.status, ((await refused.json()) as Message).error?.code]).toEqual([400, -32700]);
  });

  const ping = request(1, "ping");
  const nested: readonly (readonly [string, string])[] = [
    ["5,000 levels deep", "[".repeat(5_000) + "]".repeat(5_000)],
    ["with a request in it", JSON.stringify([[ping]])],
    ["with a request beside it", JSON.stringify([[[]], ping])],
  ];
  test.each(nested.flatMap((row) => [true, false].map((sessions) => [sessions, ...row] as const)))(
    "sessions: %s; a nested array, %s, is rejected or accepted, and keeps no state",
    async (sessions, _, body) => {
      const { at } = await start({ sessions });
      const headers = sessions ? (await open(at, R2)).headers : {};
      const sent = plain(undefined, { headers: { ...plain({}).headers, ...headers } });
      const answer = await at.send({ ...sent, body });
      expect([200, 202, 400]).toContain(answer.status);
      await answer.text();
      expect((await at.send(call(2, "echo", { text: "x" }))).status).toBe(200);
    },
  );

  test("rejects more than maxRequests requests until one ends", async () => {
    const { subject, at } = await start({ maxRequests: 2 });
    const held = [at.send(call(1, "hold", { key: "a" })), at.send(call(2, "hold", { key: "b" }))];
    await until(() => subject.holds("a") && subject.holds("b"));
    const refused = await at.send(call(3, "echo", { text: "x" }));
    expect([refused.status, refused.header("retry-after"), await refused.json()]).toMatchObject([
      503,
      "1",
      { id: 3, error: { code: -32603 } },
    ]);
    subject.release("a");
    await held[0];
    expect((await at.send(call(4, "echo", { text: "x" }))).status).toBe(200);
    subject.release("b");
    await held[1];
  });

  test("rejects more than maxRequests handshake-era requests without sessions", async () => {
    const { subject, at } = await start({ maxRequests: 1, sessions: false });
    const post = (body: object) => at.send(plain(body, { headers: { "mcp-protocol-version": R4 } }));
    const held = post(request(1, "tools/call", { name: "hold", arguments: { key: "a" } }));
    await until(() => subject.holds("a"));
    for (const sent of [initialize(R4), request(2, "ping")]) {
      const refused = await post(sent);
      expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: -32603 } }]);
    }
    subject.release("a");
    expect((await held).status).toBe(200);
    for (const sent of [initialize(R4), request(2, "ping"), [request(3, "ping")]])
      expect([200, 400]).toContain((await post(sent)).status);
    expect((at.handler.endpoint as Endpoint).requestCount).toBe(0);
  });

  test("applies the limits of a connection to a session", async () => {
    const subject = new Subject({ limits: { requestsInFlight: 1 } });
    const session = await open(await host(subject.server), R4);
    const held = session.call(1, "hold", { key: "a" });
    await until(() => subject.holds("a"));
    expect(await (await session.post(request(2, "ping"))).json()).toMatchObject({ id: 2, error: { code: -32603 } });
    subject.release("a");
    expect((await held).status).toBe(200);
  });

  test("keeps no state of answered requests", async () => {
    const { subject, at } = await start();
    for (let id = 0; id < 500; id++) await (await at.send(call(id, "echo", { text: "x" }))).text();
    const endpoint = at.handler.endpoint as Endpoint;
    expect([subject.server.server.connections.size, endpoint.requestCount, endpoint.streams.hasRoom()]).toEqual([
      0,
      0,
      true,
    ]);
  });
});

describe("fetch", () => {
  const { headers, body } = call(1, "echo", { text: "x" });
  const post = (more: RequestInit = {}) =>
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
      ...more,
    });

  test("accepts a parsed body", async () => {
    const { fetch } = createMcpHandler(new Subject().server);
    const request = post();
    const answer = await fetch(request, { parsedBody: await request.json() });
    expect(await answer.json()).toMatchObject({ id: 1, result: {} });
  });

  test("checks neither depth nor number of values of a parsed body", async () => {
    const { fetch } = createMcpHandler(new Subject().server, { maxDepth: 2, maxValues: 2 });
    expect((await fetch(post(), { parsedBody: body })).status).toBe(200);
    expect((await fetch(post())).status).toBe(413);
  });

  test("responds to a client that has already disconnected", async () => {
    const subject = new Subject();
    const { fetch } = createMcpHandler(subject.server);
    for (const parsedBody of [undefined, body]) await fetch(post({ signal: AbortSignal.abort() }), { parsedBody });
    expect(subject.server.server.connections.size).toBe(0);
  });

  test("ignores additional arguments of hosts", async () => {
    const { fetch } = createMcpHandler(new Subject().server);
    const answer = await fetch(post(), { SOME_BINDING: 1 } as object);
    expect(answer.status).toBe(200);
  });

  test("responds when the body is cut off", async () => {
    const { fetch } = createMcpHandler(new Subject().server);
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
      pull: (controller) => controller.error(new Error("gone")),
    });
    expect((await fetch(post({ body: broken, duplex: "half" }))).status).toBe(400);
  });

  test.each([
    ["to its end", 3, 3, false],
    ["up to 64 KiB", 100, 5, true],
  ])("reads the body of a rejected request %s, because some hosts need that", async (_, sent, read, ends) => {
    const { fetch } = createMcpHandler(new Subject().server);
    let [pulled, cancelled] = [0, false];
    const counted = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulled === sent) controller.close();
          else controller.enqueue(new Uint8Array(2 ** 14));
          pulled = Math.min(sent, pulled + 1);
        },
        cancel: () => void (cancelled = true),
      },
      { highWaterMark: 0 },
    );
    const textHeaders = { host: "localhost", "content-type": "text/plain" };
    expect((await fetch(post({ body: counted, duplex: "half", headers: textHeaders }))).status).toBe(415);
    await expect.poll(() => [pulled, cancelled]).toEqual([read, ends]);
  });

  test("rejects a request whose body fails or was read", async () => {
    const { fetch } = createMcpHandler(new Subject().server);
    const headers = { host: "localhost", "content-type": "text/plain" };
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect((await fetch(post({ body: broken, duplex: "half", headers }))).status).toBe(415);
    const used = post({ headers });
    await used.text();
    // The second time, the body is locked.
    for (let times = 0; times < 2; times++) expect((await fetch(used, { parsedBody: body })).status).toBe(415);
  });
});
