/** Results and errors that cannot be serialized as JSON: each request still gets a response. */
import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../../runtime/src/index.js";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, hosts } from "./hosts.js";
import { call, type Message, open, plain, R2, R4, request, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const circular: Record<string, unknown> = {};
circular["self"] = circular;

/** Values that JSON cannot express. */
const values: Readonly<Record<string, unknown>> = {
  bigint: 1n,
  circular,
  "throwing-toJSON": {
    toJSON() {
      throw new Error("it throws");
    },
  },
};

class BadSubject extends Subject {
  constructor(backplane?: Backplane) {
    super({ backplane });
    for (const [name, value] of Object.entries(values)) {
      const result = { content: [{ type: "text" as const, text: "x" }], _meta: { value } };
      this.server.registerTool(`result-${name}`, {}, () => result);
      this.server.registerTool(`progress-${name}`, {}, (context) => {
        context.progress({ progress: 1 });
        return result;
      });
      this.server.registerTool(`error-${name}`, {}, () => {
        throw new ProtocolError(-31_000, "it failed", { value });
      });
    }
    this.server.registerTool("notify-badly", {}, async (context) => {
      const sent = context.notify("notifications/message", { level: "error", data: 1n }).then(
        () => "sent",
        (error: unknown) => (error as Error).name,
      );
      return { content: [{ type: "text", text: await sent }] };
    });
  }
}

const failed = (id: number): object => ({ id, error: { code: -32603, message: "Internal error" } });

async function messagesOf(answer: Answer): Promise<Message[]> {
  if (answer.type === "application/json") return [await answer.json()].flat();
  return (await answer.messages()).flat();
}

describe.each(hosts)("$name", ({ open: host }) => {
  const start = async (options?: McpHandlerOptions, backplane?: Backplane) => {
    const subject = new BadSubject(backplane);
    return { subject, at: await host(subject.server, options) };
  };

  const modes: readonly (readonly [string, McpHandlerOptions, (() => Backplane) | undefined])[] = [
    ["auto", {}, undefined],
    ["sse", { responseMode: "sse" }, undefined],
    ["json", { responseMode: "json" }, undefined],
    ["a backplane", {}, () => new MemoryBackplane()],
  ];

  describe.each(modes)("%s", (mode, options, backplane) => {
    const names = Object.keys(values).flatMap((value) => [`result-${value}`, `error-${value}`]);

    test("a session answers each call", async () => {
      const { subject, at } = await start(options, backplane?.());
      const session = await open(at, R4);
      for (const [id, name] of names.entries()) {
        const messages = await messagesOf(await session.call(id, name));
        expect(messages).toMatchObject([failed(id)]);
        expect(subject.reports).toHaveLength(id + 1);
      }
      expect(await messagesOf(await session.call(99, "echo", { text: "x" }))).toMatchObject([{ id: 99, result: {} }]);
    });

    test("a stream that is open already ends with an error", async () => {
      const { at } = await start(options, backplane?.());
      const session = await open(at, R4);
      const answer = await session.call(1, "progress-bigint", {}, { progressToken: "t" });
      const messages = await messagesOf(answer);
      expect(messages.at(-1)).toMatchObject(failed(1));
      expect(messages).toHaveLength(mode === "json" ? 1 : 2);
    });

    test("a batch stays one response, with an error in the place of the result", async () => {
      const { at } = await start(options, backplane?.());
      const session = await open(at, R2);
      const answer = await session.post([
        request(1, "ping"),
        request(2, "tools/call", { name: "result-bigint" }),
        request(3, "tools/call", { name: "echo", arguments: { text: "x" } }),
      ]);
      if (mode === "auto" || mode === "json") expect(answer.type).toBe("application/json");
      const messages = await messagesOf(answer);
      expect(messages).toMatchObject([{ id: 1, result: {} }, failed(2), { id: 3, result: {} }]);
    });

    test("without sessions, the request is answered and no longer counted", async () => {
      const { subject, at } = await start({ ...options, sessions: false });
      const headers = { "mcp-protocol-version": R4 };
      const sent = plain(request(1, "tools/call", { name: "result-bigint" }), { headers });
      expect(await messagesOf(await at.send(sent))).toMatchObject([failed(1)]);
      await until(() => subject.server.server.connections.size === 0);
    });

    test("a stateless request is answered", async () => {
      const { at } = await start(options, backplane?.());
      const answer = await at.send(call(1, "result-bigint"));
      expect(await messagesOf(answer)).toMatchObject([failed(1)]);
    });
  });

  test("a notification is refused to the handler that sends it", async () => {
    const { at } = await start();
    const session = await open(at, R4);
    const said = await messagesOf(await session.call(1, "notify-badly"));
    expect(said).toMatchObject([{ id: 1, result: { content: [{ text: "TypeError" }] } }]);
  });

  test("a notification outside a request is refused before it waits for a stream", async () => {
    const { subject, at } = await start();
    const session = await open(at, R4);
    const [connection] = subject.server.server.connections;
    const data = { level: "error", data: 1n };
    await expect(connection?.notify("notifications/message", data)).rejects.toThrow(TypeError);
    const stream = await session.get();
    subject.server.sendToolListChanged();
    expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
  });
});

test("writes no comments after the session has ended", async () => {
  const subject = new BadSubject();
  const [fetchHost] = hosts;
  if (!fetchHost) throw new Error("no host");
  const at = await fetchHost.open(subject.server, { keepAliveMs: 20 });
  const session = await open(at, R4);
  const streams = [
    await session.get(),
    await session.call(1, "progress-bigint", {}, { progressToken: "t" }),
    await session.call(2, "hold", { key: "k" }),
  ];
  await session.delete();
  for (const stream of streams) {
    await stream.text();
    const { length } = stream.waiting;
    await turn(60);
    expect(stream.waiting).toHaveLength(length);
  }
});
