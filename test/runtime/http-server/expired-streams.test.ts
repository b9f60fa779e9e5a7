/** Streams that stay open end when the authentication of their client expires; running calls and sessions do not. */
import { describe, expect, test } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { FakeAuthorization, sender, withTokens } from "./fake-authorization.js";
import { hosts, type Sent } from "./hosts.js";
import { call, type Message, modern, open, R2, R4, until } from "./messages.js";
import { Subject } from "./subject.js";

const principal = sender("ada");
const lifetimeMs = 300;

describe.each(hosts)("$name", ({ open: host }) => {
  async function start({ backplane, ...options }: McpHandlerOptions & { readonly backplane?: Backplane } = {}) {
    const subject = new Subject({ backplane });
    const authorization = new FakeAuthorization({ lifetimeMs });
    const at = withTokens(await host(subject.server, { authorization, ...options }));
    return { subject, at, authorization, connections: () => subject.server.server.connections.size };
  }

  test.each([15_000, 0])(
    "a stream of a session ends, and the session lives on (comments every %i ms)",
    async (keepAliveMs) => {
      const { at, subject, authorization } = await start({ keepAliveMs });
      const session = await open(at, R4, { principal });
      const stream = await session.get();
      expect(await stream.isWhole()).toBe(true);
      expect(Date.now()).toBeGreaterThanOrEqual(authorization.expiresAt);
      // Messages wait for the next stream, which a new token opens.
      subject.server.sendToolListChanged();
      expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
    },
  );

  test.each([R2, R4])("%s: the client resumes where the stream ended", async (version) => {
    const { at, subject } = await start({ backplane: new MemoryBackplane(), retryInterval: 5 });
    const session = await open(at, version, { principal });
    const stream = await session.get();
    subject.server.sendToolListChanged();
    const blocks = await stream.rest();
    const last = blocks.findLast(({ id }) => id !== undefined);
    subject.server.sendPromptListChanged();
    const resumed = await session.get(last?.id);
    expect(await resumed.message()).toMatchObject({ method: "notifications/prompts/list_changed" });
    // Its token has expired, too.
    expect(await resumed.isWhole()).toBe(true);
  });

  test("a stream of HTTP+SSE ends, and its session with it", async () => {
    const { at, connections } = await start();
    const stream = await at.send({ method: "GET", headers: { accept: "text/event-stream" }, principal });
    await stream.block();
    expect(connections()).toBe(1);
    expect(await stream.isWhole()).toBe(true);
    expect(connections()).toBe(0);
  });

  test("a subscription ends with its result", async () => {
    const { at, connections } = await start();
    const listen: Sent = modern(
      7,
      "subscriptions/listen",
      { notifications: { toolsListChanged: true } },
      { principal },
    );
    const stream = await at.send(listen);
    expect(await stream.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    expect(await stream.messages()).toMatchObject([{ id: 7, result: { resultType: "complete" } }]);
    expect(connections()).toBe(0);
  });

  test("a running call is not cut, whether it streams or not", async () => {
    const { at, subject, authorization } = await start({ keepAliveMs: 40 });
    const session = await open(at, R4, { principal });
    const held = [
      session.call(1, "hold", { key: "a" }),
      session.call(2, "hold", { key: "b", first: "begun" }),
      at.send(call(3, "hold", { key: "c" }, { principal })),
      at.send(call(4, "hold", { key: "d", last: "end" }, { principal })),
    ];
    await until(() => ["a", "b", "c", "d"].every((key) => subject.holds(key)));
    await until(() => Date.now() > authorization.expiresAt + 100);
    for (const key of ["a", "b", "c", "d"]) subject.release(key);
    const texts = await Promise.all(held.map(async (answer) => (await answer).text()));
    for (const [index, text] of texts.entries()) expect(text).toContain(`"id":${index + 1}`);
    expect(subject.aborted).toEqual([]);
  });

  test("a stream whose token has expired meanwhile ends at once", async () => {
    const subject = new Subject();
    const authorization = new FakeAuthorization({ lifetimeMs: -1 });
    const at = withTokens(await host(subject.server, { authorization }));
    const session = await open(at, R4, { principal });
    expect(await (await session.get()).isWhole()).toBe(true);
    const listen = { notifications: { toolsListChanged: true } };
    const stream = await at.send(modern(1, "subscriptions/listen", listen, { principal }));
    const messages: readonly Message[] = await stream.messages();
    expect(messages.at(-1)).toMatchObject({ id: 1 });
  });
});
