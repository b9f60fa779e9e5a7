/** With an authorization, nothing that belongs to one principal is served to another, nor to the same subject at another issuer. */
import { describe, expect, test } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { FakeAuthorization, type Sender, sender, withTokens } from "./fake-authorization.js";
import { hosts } from "./hosts.js";
import {
  call,
  initialize,
  type Message,
  modern,
  notification,
  open,
  plain,
  R1,
  R4,
  RawSession,
  request,
} from "./messages.js";
import { Subject } from "./subject.js";

const owner = sender("ada");
const others: readonly (readonly [string, Sender])[] = [
  ["another principal", sender("bob")],
  ["the same subject at another issuer", sender("ada", "", "https://other.example")],
];
const capabilities = { elicitation: {} };
const answer = { action: "accept", content: { name: "Ada" } };

describe.each(hosts)("$name", ({ open: host }) => {
  describe.each(others)("%s", (_name, other) => {
    async function start() {
      const subject = new Subject({
        capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
        backplane: new MemoryBackplane(),
      });
      const options = {
        authorization: new FakeAuthorization(),
        retryInterval: 5,
      };
      return { subject, at: withTokens(await host(subject.server, options)) };
    }

    async function inSession() {
      const started = await start();
      const session = await open(started.at, R4, { principal: owner, capabilities });
      return { ...started, session, foreign: new RawSession(started.at, session.id, R4, other) };
    }

    test("cannot use a session: post, open a stream, end it", async () => {
      const { session, foreign } = await inSession();
      for (const refused of [
        await foreign.call(1, "echo", { text: "x" }),
        await foreign.post(notification("notifications/initialized")),
        await foreign.post(initialize(R4)),
        await foreign.get(),
        await foreign.delete(),
      ])
        expect([refused.status, ((await refused.json()) as Message).error?.message]).toEqual([
          404,
          "Session not found",
        ]);
      expect((await session.call(1, "echo", { text: "x" })).status).toBe(200);
    });

    test("cannot resume a stream, in the session or in one of its own", async () => {
      const { at, session, foreign, subject } = await inSession();
      const stream = await session.get();
      subject.server.sendToolListChanged();
      const { id } = await stream.block();
      stream.cut();
      expect((await foreign.get(id)).status).toBe(404);
      const own = await open(at, R4, { principal: other });
      expect((await own.get(id)).status).toBe(400);
      expect((await session.get(id)).status).toBe(200);
    });

    test("cannot answer or cancel a request of a session", async () => {
      const { session, foreign } = await inSession();
      const asked = await session.call(1, "ask-and-wait");
      const question = (await asked.message()) as Message;
      expect((await foreign.post({ jsonrpc: "2.0", id: question.id, result: answer })).status).toBe(404);
      expect((await foreign.post(notification("notifications/cancelled", { requestId: 1 }))).status).toBe(404);
      await session.post({ jsonrpc: "2.0", id: question.id, result: answer });
      expect(await asked.messages()).toMatchObject([{ id: 1, result: { content: [{ text: "hello Ada" }] } }]);
    });

    test("cannot post to a stream of HTTP+SSE", async () => {
      const { at } = await start();
      const headers = { accept: "text/event-stream" };
      const stream = await at.send({ method: "GET", headers, principal: owner });
      const { data: path = "" } = await stream.block();
      const post = (principal: Sender) => at.send({ ...plain(initialize(R1)), path, principal });
      expect([(await post(other)).status, (await post(owner)).status]).toEqual([404, 202]);
      expect(await stream.message()).toMatchObject({ id: 0 });
    });

    test.each(["ask-by-result", "ask-before", "ask-and-wait"])("cannot continue a call: %s", async (name) => {
      const { at, subject } = await start();
      const first = await at.send(call(1, name, undefined, { capabilities, principal: owner }));
      const { requestState } = ((await first.json()) as Message).result as { readonly requestState: string };
      const retry = async (principal: Sender): Promise<Message> => {
        const params = { name, requestState, inputResponses: { who: answer } };
        return (await at.send(modern(2, "tools/call", params, { capabilities, principal }))).json();
      };
      expect((await retry(other)).error).toMatchObject({ code: -32602 });
      expect((await retry(owner)).result).toMatchObject({ content: [{ text: "hello Ada" }] });
      expect(subject.reports.map(({ message }) => message)).toEqual([expect.stringContaining("for this principal")]);
    });

    test("cannot cancel a subscription or a call of the stateless era", async () => {
      const { at, subject } = await start();
      const listen = { notifications: { toolsListChanged: true } };
      const stream = await at.send(modern(7, "subscriptions/listen", listen, { principal: owner }));
      await stream.message();
      const held = at.send(call(8, "hold", { key: "a" }, { principal: owner }));
      await expect.poll(() => subject.holds("a")).toBe(true);
      for (const requestId of [7, 8]) {
        const cancelled = notification("notifications/cancelled", { requestId });
        await (
          await at.send(plain(cancelled, { principal: other, headers: { "mcp-protocol-version": "2026-07-28" } }))
        ).text();
      }
      subject.server.sendToolListChanged();
      expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      subject.release("a");
      expect(((await (await held).json()) as Message).result).toMatchObject({ content: [{ text: "a" }] });
      expect(subject.aborted).toEqual([]);
    });

    test("cannot take the place of a request with the same id", async () => {
      const { at, session, subject } = await inSession();
      const held = session.call(1, "hold", { key: "b" });
      await expect.poll(() => subject.holds("b")).toBe(true);
      const own = await open(at, R4, { principal: other });
      await own.post(notification("notifications/cancelled", { requestId: 1 }));
      expect((await own.post(request(1, "ping"))).status).toBe(200);
      subject.release("b");
      expect(await (await held).text()).toContain('"b"');
    });
  });
});
