import type { ServerOptions } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { claim, serveHostile, type Wire } from "./http-subject.js";
import { httpScenarios, MAX_BODY_BYTES } from "./http-table.js";

const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: "2.0", id, method, params });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(done: () => boolean, what = "the condition was never met"): Promise<void> {
  for (let turns = 0; !done(); turns++) {
    if (turns > 1_000) throw new Error(what);
    await wait(2);
  }
}

async function start(options?: ServerOptions) {
  const subject = await serveHostile(options);
  onTestFinished(() => subject.close());
  const headers = await subject.open("bystander");
  const modern = (id: unknown, method: string, params: object = {}, _meta: object = claim) =>
    subject.post("ada", request(id, method, { ...params, _meta }), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...("name" in params && { "mcp-name": String(params.name) }),
    });
  return {
    ...subject,
    modern,
    /** Expects that another client is still served. */
    undisturbed: async (): Promise<void> => {
      const alive = await subject.post("bystander", request("alive", "ping"), headers);
      expect(await alive.json()).toEqual({ jsonrpc: "2.0", id: "alive", result: {} });
    },
  };
}

/** The data of each event of a stream. */
async function* events(answer: Response): AsyncGenerator<{ id?: unknown; method?: string; result?: object }> {
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as { id?: unknown };
    }
  }
}

const plays: Readonly<Record<keyof typeof httpScenarios, () => Promise<void>>> = {
  async equalIds() {
    const { post, modern, open, server, undisturbed } = await start();
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const sessions = await Promise.all(users.map((user) => open(user)));
    const args = (text: string) => ({ name: "echo", arguments: { text } });
    const answers = await Promise.all(
      users.flatMap((user, index) => [
        post(user, request(1, "tools/call", args(user)), sessions[index]),
        modern(1, "tools/call", args(`modern ${user}`)),
      ]),
    );
    const texts = await Promise.all(
      answers.map(
        async (answer) => (await answer.json()) as { id: unknown; result: { structuredContent: { text: string } } },
      ),
    );
    expect(texts.map(({ id, result }) => [id, result.structuredContent.text])).toEqual(
      users.flatMap((user) => [
        [1, user],
        [1, `modern ${user}`],
      ]),
    );
    expect(server.server.connections.size).toBe(users.length + 1);
    await undisturbed();
  },

  async idle() {
    const patience = { headersTimeout: 1_500, requestTimeout: 1_500, connectionsCheckingInterval: 200 };
    const { port, undisturbed } = await start(patience);
    const sockets = Array.from({ length: 2_000 }, (_, index) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      return index % 2 === 0 ? socket : socket.on("connect", () => socket.write("POST /mcp HTTP/1.1\r\nHost: loc"));
    });
    await until(() => sockets.every(({ connecting }) => !connecting));
    await undisturbed();
    const halfway = sockets.filter((_, index) => index % 2 === 1).map((socket) => socket.resume());
    await until(
      () => halfway.every(({ readableEnded, destroyed }) => readableEnded || destroyed),
      "the connections stay open",
    );
    for (const socket of sockets) socket.destroy();
    await undisturbed();
  },

  async bomb() {
    const { wire, undisturbed } = await start();
    const bomb = gzipSync(Buffer.alloc(2 ** 20));
    const before = process.memoryUsage().arrayBuffers;
    const sender = wire();
    sender.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
    );
    sender.write(bomb);
    await until(() => sender.answers.length === 1);
    expect(sender.answers[0]?.status).toBe(415);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 19);
    sender.close();
    await undisturbed();
  },

  async tooMuch() {
    const { wire, undisturbed } = await start();
    const sender = wire();
    sender.write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const chunk = `1000\r\n${" ".repeat(4096)}\r\n`;
    let sent = 0;
    for (; !sender.isClosed && sent < 10_000; sent++) {
      sender.write(chunk);
      await wait(1);
    }
    expect([sender.answers[0]?.status, sender.isClosed]).toEqual([413, true]);
    expect(sent * 4096).toBeGreaterThan(MAX_BODY_BYTES);
    await undisturbed();
  },

  async otherAnswers() {
    const { post, open, reports, undisturbed } = await start();
    const [mine, theirs] = [await open("ada", { elicitation: {} }), await open("ada", { elicitation: {} })];
    const asking = events(await post("ada", request(1, "tools/call", { name: "wait" }), mine));
    const question = (await asking.next()).value as { id: number };
    for (const id of [question.id, String(question.id), 0, 1, 2, 3, "", null, 1.5, {}]) {
      const answer = await post(
        "ada",
        { jsonrpc: "2.0", id, result: { action: "accept", content: { name: "Mallory" } } },
        theirs,
      );
      expect([202, 400]).toContain(answer.status);
      await answer.text();
    }
    expect(reports.length).toBeGreaterThan(0);
    await post(
      "ada",
      { jsonrpc: "2.0", id: question.id, result: { action: "accept", content: { name: "Ada" } } },
      mine,
    );
    const { value } = (await asking.next()) as { value: object };
    expect([JSON.stringify(value).includes("Ada"), JSON.stringify(value).includes("Mallory")]).toEqual([true, false]);
    await undisturbed();
  },

  async cuts() {
    const { wire, open, server, undisturbed, reports } = await start();
    const session = await open("ada");
    const { size } = server.server.connections;
    const post = (body: object, headers: object): string => {
      const text = JSON.stringify(body);
      const lines = Object.entries({
        host: "localhost",
        accept: "*/*",
        "content-type": "application/json",
        "content-length": text.length,
        "x-user": "ada",
        ...headers,
      });
      return `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("")}\r\n${text}`;
    };
    const stateless = (method: string, params: object): string =>
      post(request(1, method, { ...params, _meta: claim }), {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": (params as { name?: string }).name ?? "",
      });
    const inputs = [
      stateless("tools/call", { name: "hang" }),
      stateless("subscriptions/listen", { notifications: { toolsListChanged: true } }),
      stateless("tools/call", { name: "echo", arguments: { text: "x".repeat(5_000) } }).slice(0, 2_000),
      post(request(1, "tools/call", { name: "say" }), session).slice(0, -3),
    ];
    const wires: Wire[] = Array.from({ length: 100 }, (_, index) => {
      const one = wire();
      one.write(inputs[index % inputs.length] ?? "");
      return one;
    });
    await until(() => server.server.connections.size === size + 50, "the requests were not handled");
    for (const one of wires) one.close();
    await until(() => server.server.connections.size === size, "some connections are left");
    expect(reports).toEqual([]);
    await undisturbed();
  },
};

for (const [name, { input }] of Object.entries(httpScenarios)) test(input, plays[name as keyof typeof httpScenarios]);
