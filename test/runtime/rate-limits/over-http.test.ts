/** Requests that limits refuse, as HTTP clients see it. */
import { describe, expect, test } from "vitest";
import { limitRequests } from "../../../runtime/src/rate-limits.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts, type Answer, type Host } from "../http-server/hosts.js";
import {
  call,
  initialize,
  type Message,
  open,
  plain,
  R1,
  R2,
  R3,
  R4,
  request,
  until,
} from "../http-server/messages.js";
import { ada, Subject } from "../http-server/subject.js";

const refused = { code: 429, message: "Too many requests; try again in 2 s", data: { retryAfterMs: 1_500 } };
const waits = [false, true] as const;

/** Refuses the calls of the tool `echo`. */
const limitEcho = (isAsync: boolean) => {
  const decide = (tool: string | undefined) => (tool === "echo" ? { retryAfterMs: 1_500 } : undefined);
  return limitRequests(({ tool }) => (isAsync ? Promise.resolve(tool).then(decide) : decide(tool)));
};

const argsOf = (tool: string) => (tool === "echo" ? { text: "x" } : {});

type Send = (host: Host, tool: string) => Promise<Answer>;

const senders: readonly (readonly [name: string, options: McpHandlerOptions, send: Send])[] = [
  ["a stateless request", {}, (host, tool) => host.send(call(1, tool, argsOf(tool)))],
  [
    "a stateless request, answered by streams",
    { responseMode: "sse" },
    (host, tool) => host.send(call(1, tool, argsOf(tool))),
  ],
  ...[R2, R3, R4].map(
    (revision) =>
      [
        `a request in a session of ${revision}`,
        {},
        async (host: Host, tool: string) => (await open(host, revision)).call(1, tool, argsOf(tool)),
      ] as const,
  ),
  [
    "a request in a session, answered by streams",
    { responseMode: "sse" },
    async (host, tool) => (await open(host, R4)).call(1, tool, argsOf(tool)),
  ],
  [
    "a request without a session",
    { sessions: false },
    (host, tool) =>
      host.send(
        plain(request(1, "tools/call", { name: tool, arguments: argsOf(tool) }), {
          headers: { "mcp-protocol-version": R4 },
        }),
      ),
  ],
];

describe.each(hosts)("$name", ({ open: openHost }) => {
  test.each(senders.flatMap((row) => waits.map((isAsync) => [...row, isAsync] as const)))(
    "%s is refused with 429 and Retry-After",
    async (_, options, send, isAsync) => {
      const subject = new Subject({ rateLimits: limitEcho(isAsync) });
      const host = await openHost(subject.server, options);
      const answer = await send(host, "echo");
      expect([answer.status, answer.header("retry-after"), answer.type]).toEqual([429, "2", "application/json"]);
      expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 1, error: refused });
      const other = await send(host, "facts");
      expect([other.status, other.header("retry-after")]).toEqual([200, undefined]);
      expect(await other.text()).toContain('"result"');
      expect(subject.reports).toEqual([]);
    },
  );

  test("a refused handshake opens no session, and the next one does", async () => {
    let isFull = true;
    const subject = new Subject({ rateLimits: limitRequests(() => (isFull ? {} : undefined)) });
    const host = await openHost(subject.server);
    const answer = await host.send(plain(initialize(R4)));
    expect([answer.status, answer.header("retry-after"), answer.header("mcp-session-id")]).toEqual([
      429,
      undefined,
      undefined,
    ]);
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      id: 0,
      error: { code: 429, message: "Too many requests", data: {} },
    });
    await until(() => subject.server.server.connections.size === 0);
    isFull = false;
    expect((await (await open(host, R4)).call(1, "facts")).status).toBe(200);
  });

  test("in a batch, each refused request gets its error, and the others run", async () => {
    const host = await openHost(new Subject({ rateLimits: limitEcho(true) }).server);
    const session = await open(host, R2);
    const names = ["echo", "facts", "echo"];
    const batch = names.map((name, id) => request(id, "tools/call", { name, arguments: argsOf(name) }));
    const answer = await session.post(batch);
    const answers: Message[] = await answer.json();
    const outcome = answers
      .sort((one, other) => Number(one.id) - Number(other.id))
      .map(({ error, result }) => error ?? Object.keys(result ?? {}));
    expect([answer.status, outcome]).toEqual([200, [refused, ["content"], refused]]);
  });

  test("clients of HTTP+SSE get the error on their stream", async () => {
    const host = await openHost(new Subject({ rateLimits: limitEcho(true) }).server);
    const stream = await host.send({ method: "GET", headers: { accept: "text/event-stream" } });
    const path = (await stream.block()).data;
    const post = (body: object): Promise<Answer> => host.send(plain(body, { path: path ?? "" }));
    await post(initialize(R1));
    expect(await stream.message()).toMatchObject({ id: 0, result: { protocolVersion: R1 } });
    await post(request(1, "tools/call", { name: "echo", arguments: { text: "x" } }));
    expect(await stream.message()).toEqual({ jsonrpc: "2.0", id: 1, error: refused });
    stream.cut();
  });

  test("the function gets the method, the tool, the principal and the HTTP request", async () => {
    const seen: unknown[] = [];
    const rateLimits = limitRequests(({ method, tool, params, principal, address, http }) => {
      seen.push([method, tool, params?.["arguments"], principal, typeof address, http?.header("x-own")]);
      return undefined;
    });
    const host = await openHost(new Subject({ rateLimits }).server);
    await host.send(call(1, "facts", { a: 1 }, { principal: ada, headers: { "x-own": "yes" } }));
    expect(seen).toEqual([["tools/call", "facts", { a: 1 }, ada, expect.stringMatching(/string|undefined/), "yes"]]);
  });

  test("a function that throws, and a promise that rejects, are reported, and the request does not run", async () => {
    for (const isAsync of waits) {
      const failure = new Error("the limit is broken");
      const decide = () => {
        if (isAsync) return Promise.reject(failure);
        throw failure;
      };
      const subject = new Subject({ rateLimits: limitRequests(decide) });
      const host = await openHost(subject.server);
      const answer = await host.send(call(1, "hold", { key: "k" }));
      expect(await answer.json()).toMatchObject({ error: { code: -32603, message: "Internal error" } });
      expect([subject.reports, subject.entered]).toEqual([[failure], []]);
    }
  });

  test("a request that is cancelled while the limit is checked does not run", async () => {
    let release = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    const rateLimits = limitRequests(({ tool }) => (tool === "hold" ? held : undefined));
    const subject = new Subject({ rateLimits });
    const session = await open(await openHost(subject.server), R4);
    const answer = session.call(1, "hold", { key: "k" });
    await until(() => [...subject.server.server.connections].length === 1);
    await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await (await answer).text()).toBe("");
    release();
    await session.call(2, "facts");
    expect([subject.entered, subject.reports]).toEqual([[], []]);
  });

  test("a refused retry with responses of the user can be sent again", async () => {
    let isFull = false;
    const subject = new Subject({ rateLimits: limitRequests(() => (isFull ? { retryAfterMs: 0 } : undefined)) });
    const host = await openHost(subject.server);
    const more = { capabilities: { elicitation: { form: {} } } };
    const asked: Message = await (await host.send(call(1, "ask-and-wait", {}, more))).json();
    const { requestState } = asked.result ?? {};
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    const retry = call(2, "ask-and-wait", {}, more);
    const body = retry.body as { readonly params: object };
    const sent = { ...retry, body: { ...body, params: { ...body.params, requestState, inputResponses } } };
    isFull = true;
    const answer = await host.send(sent);
    expect([answer.status, answer.header("retry-after")]).toEqual([429, "1"]);
    isFull = false;
    expect(await (await host.send(sent)).json()).toMatchObject({ result: { content: [{ text: "hello Ada" }] } });
    expect(subject.entered).toEqual(["ask-and-wait"]);
  });
});
