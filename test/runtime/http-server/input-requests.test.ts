/** The three ways to request input, over HTTP, in both eras. */
import { describe, expect, test } from "vitest";
import { hosts } from "./hosts.js";
import { call, type Message, modern, open, R3, R4, streamable, turn, until } from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

const capabilities = { elicitation: {} };
const answer = { action: "accept", content: { name: "Ada" } };
const ways = ["ask-before", "ask-by-result", "ask-and-wait"] as const;

describe.each(hosts)("$name", ({ open: host }) => {
  describe.each(ways)("%s", (tool) => {
    test.each([R3, R4])(
      "%s: sends the input request on the response stream and receives its response by another POST",
      async (version) => {
        const subject = new Subject();
        const session = await open(await host(subject.server), version, { capabilities });
        const asked = await session.call(1, tool);
        const question = (await asked.message()) as Message;
        expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Who?" } });
        expect((await session.post({ jsonrpc: "2.0", id: question.id, result: answer })).status).toBe(202);
        expect(await asked.messages()).toMatchObject([{ id: 1, result: { content: [{ text: "hello Ada" }] } }]);
      },
    );

    test("2026-07-28: receives the response with the retry, which has another id", async () => {
      const subject = new Subject();
      const at = await host(subject.server);
      const asked = (await (await at.send(call(1, tool, undefined, { capabilities }))).json()) as Message;
      expect(asked.result).toMatchObject({
        resultType: "input_required",
        inputRequests: { who: { method: "elicitation/create" } },
      });
      const { requestState } = asked.result as { requestState?: string };
      const retry = {
        name: tool,
        ...(requestState !== undefined && { requestState }),
        inputResponses: { who: answer },
      };
      const got = await at.send(modern(2, "tools/call", retry, { capabilities }));
      expect(await got.json()).toMatchObject({
        id: 2,
        result: { resultType: "complete", content: [{ text: "hello Ada" }] },
      });
      expect(subject.reports).toEqual([]);
    });

    test("2026-07-28: reports the missing capability", async () => {
      const got = await (await host(new Subject().server)).send(call(1, tool));
      expect([got.status, ((await got.json()) as Message).error]).toMatchObject([
        400,
        { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
      ]);
    });
  });

  describe("a waiting handler of the stateless era", () => {
    async function park(principal = ada) {
      const subject = new Subject();
      const at = await host(subject.server);
      const asked = (await (
        await at.send(call(1, "ask-and-wait", undefined, { capabilities, principal }))
      ).json()) as Message;
      const { requestState } = asked.result as { requestState: string };
      const retry = (who = ada) =>
        at.send(
          modern(
            2,
            "tools/call",
            { name: "ask-and-wait", requestState, inputResponses: { who: answer } },
            { capabilities, principal: who },
          ),
        );
      return { subject, retry };
    }

    test("outlives the request that started it, and runs once", async () => {
      const { subject, retry } = await park();
      await turn(20);
      expect([subject.server.server.connections.size, subject.entered]).toEqual([0, ["ask-and-wait"]]);
      expect(await (await retry()).json()).toMatchObject({ id: 2, result: { content: [{ text: "hello Ada" }] } });
      expect(subject.entered).toEqual(["ask-and-wait"]);
    });

    describe("ends when the client disconnects", () => {
      const form = { message: "Who?", requestedSchema: { type: "object" as const, properties: {} } };

      test("before the input request is sent", async () => {
        const subject = new Subject();
        let left!: () => void;
        const leaving = new Promise<void>((resolve) => (left = resolve));
        subject.server.registerTool("late", {}, async (context) => {
          subject.entered.push("late");
          await leaving;
          await context.elicit("who", form).finally(() => subject.aborted.push("late"));
          return { content: [] };
        });
        const at = await host(subject.server);
        await at.sendAndLeave(
          call(1, "late", undefined, { capabilities }),
          until(() => subject.entered.length === 1),
        );
        await turn(20);
        left();
        await until(() => subject.aborted.length === 1);
      });

      test("after its response has arrived", async () => {
        const subject = new Subject();
        subject.server.registerTool("slow", {}, async (context) => {
          context.signal.addEventListener("abort", () => subject.aborted.push("slow"));
          await context.elicit("who", form);
          subject.entered.push("slow");
          return new Promise<never>(() => undefined);
        });
        const at = await host(subject.server);
        const asked = (await (await at.send(call(1, "slow", undefined, { capabilities }))).json()) as Message;
        const { requestState } = asked.result as { requestState: string };
        const retry = { name: "slow", requestState, inputResponses: { who: { action: "accept", content: {} } } };
        await at.sendAndLeave(
          modern(2, "tools/call", retry, { capabilities }),
          until(() => subject.entered.length === 1),
        );
        await until(() => subject.aborted.length === 1);
        expect(subject.server.server.connections.size).toBe(0);
      });
    });

    test("can be resumed by one retry only", async () => {
      const { retry } = await park();
      await (await retry()).json();
      const again = await retry();
      expect([again.status, await again.json()]).toMatchObject([200, { error: { code: -32602 } }]);
    });

    test("cannot be resumed by another principal, and still by its own", async () => {
      const { retry } = await park();
      expect(await (await retry(bob)).json()).toMatchObject({ error: { code: -32602 } });
      expect(await (await retry(ada)).json()).toMatchObject({ result: { content: [{ text: "hello Ada" }] } });
    });
  });

  test.each(["auto", "json"] as const)(
    "%s: cancels an input request on the stream on which it was sent",
    async (responseMode) => {
      const subject = new Subject();
      const session = await open(await host(subject.server, { responseMode }), R4, { capabilities });
      const stream = responseMode === "json" ? await session.get() : undefined;
      const held = session.call(1, "ask-and-wait");
      const asked = stream ?? (await held);
      const { id } = (await asked.message()) as Message;
      await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
      expect(await asked.message()).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
      expect((await held).status).toBe(200);
      expect(await (await held).rest()).toEqual([]);
    },
  );

  test("ignores responses to input requests of another session", async () => {
    const subject = new Subject();
    const at = await host(subject.server);
    const [mine, theirs] = [await open(at, R4, { capabilities }), await open(at, R4, { capabilities })];
    const asked = await mine.call(1, "ask-and-wait");
    const { id } = (await asked.message()) as Message;
    expect((await theirs.post({ jsonrpc: "2.0", id, result: answer })).status).toBe(202);
    await until(() => subject.reports.length === 1);
    expect(asked.waiting).toEqual([]);
    await mine.post({ jsonrpc: "2.0", id, result: answer });
    expect(await asked.messages()).toMatchObject([{ id: 1, result: {} }]);
  });

  test.each(streamable)("%s: rejects an input request whose session ends", async (version) => {
    const subject = new Subject();
    const session = await open(await host(subject.server), version, { capabilities });
    if (version === "2025-03-26") {
      expect(await (await session.call(1, "ask-and-wait")).json()).toMatchObject({ result: { isError: true } });
      return;
    }
    const asked = await session.call(1, "ask-and-wait");
    await asked.message();
    await session.delete();
    expect(await asked.messages()).toEqual([]);
  });
});
