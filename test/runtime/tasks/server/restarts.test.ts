import { serverSides } from "@mcpwright/protocol/server-sides";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { McpServer, McpServerOptions } from "../../../../runtime/src/server.js";
import { taskOf } from "../../../../runtime/src/tasks.js";
import { ada } from "../new-task.js";
import { machines } from "./machines.js";
import {
  accept,
  eventually,
  form,
  gate,
  httpEndpoint,
  modernClient,
  present,
  relatedTask,
  sessionClient,
  text,
} from "./task-servers.js";

const restartable = { support: "optional", restartable: true } as const;

const never = (): Promise<never> => new Promise(() => undefined);

describe.each(machines)("$name", ({ open }) => {
  test("a restartable task runs again with its arguments, its principal and its client", async () => {
    const one = open();
    const config = { task: restartable, inputSchema: z.object({ count: z.number(), more: z.string().default("x") }) };
    const dying = one.process((server) => server.registerTool("work", config, never));
    const http = httpEndpoint(dying);
    const _meta = { "com.example/trace": "t1", "io.modelcontextprotocol/clientInfo": { name: "raw", version: "7" } };
    const params = { name: "work", arguments: { count: 3 }, _meta };
    const created = await http.ask(
      "tools/call",
      { ...params, _meta: undefined },
      { principal: ada, headers: { "mcp-name": "work" } },
    );
    const taskId = String(created.result?.["taskId"]);
    dying.hang();
    const next = one.process((server) =>
      server.registerTool("work", config, (args, context) => {
        const { client, principal } = context;
        const task = taskOf(context);
        return text(JSON.stringify([args, principal, client.capabilities, task?.id === taskId, task?.attempts]));
      }),
    );
    const other = httpEndpoint(next);
    await eventually(async () => {
      const { result } = await other.ask("tasks/get", { taskId }, { principal: ada });
      expect(result).toMatchObject({ status: "completed" });
      const content = (result as { result: { content: [{ text: string }] } }).result.content;
      expect(JSON.parse(content[0].text)).toMatchObject([{ count: 3, more: "x" }, ada, { elicitation: {} }, true, 2]);
    });
    expect(next.errors).toEqual([]);
  });

  test("a task that is not restartable fails with the reason", async () => {
    const one = open();
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: "optional" }, never);
    };
    const dying = one.process(register);
    const { taskId } = await (await modernClient(dying)).start("work");
    dying.hang();
    const client = await modernClient(one.process(register));
    const task = await client.reaches(taskId, "failed");
    expect(task["error"]).toEqual({
      code: -32603,
      message: expect.stringMatching(/has died, .* cannot run again/) as unknown,
    });
    expect(task["statusMessage"]).toBe((task["error"] as { message: string }).message);
  });

  test("a task that ends its process again and again fails after maxAttempts", async () => {
    const one = open();
    const runs: unknown[] = [];
    const start = () => {
      const started = gate();
      const made = one.process(
        (server) =>
          server.registerTool("work", { task: restartable }, (context) => {
            runs.push(taskOf(context)?.attempts);
            started.open();
            return never();
          }),
        { maxAttempts: 2 },
      );
      return { ...made, started: started.passed };
    };
    const first = start();
    const { taskId } = await (await modernClient(first)).start("work");
    await first.started;
    first.hang();
    const second = start();
    await second.started;
    second.hang();
    const task = await (await modernClient(start())).reaches(taskId, "failed");
    expect(task["statusMessage"]).toMatch(/was started 2 times/);
    expect(runs).toEqual([1, 2]);
  });

  test.each(["2026-07-28", "2025-11-25"])(
    "%s: equal questions keep their answers, and outstanding ones their keys",
    async (revision) => {
      const one = open();
      const register = (server: McpServer): void => {
        server.registerTool("work", { task: restartable }, async (context) => {
          const first = await context.elicit("a", form("A?"));
          const second = await context.elicit("b", form("B?"));
          return text(`${String(first.content?.["value"])} ${String(second.content?.["value"])}`);
        });
      };
      const dying = one.process(register);
      if (revision === "2026-07-28") {
        const client = await modernClient(dying);
        const { taskId } = await client.start("work");
        await client.reaches(taskId, "input_required");
        await client.ask("tasks/update", { taskId, inputResponses: { q1: accept("one") } });
        await eventually(async () =>
          expect(Object.keys((await client.get(taskId))["inputRequests"] as object)).toEqual(["q2"]),
        );
        dying.hang();
        const other = one.process(register);
        const next = await modernClient(other);
        await eventually(async () => expect((await other.store.get(taskId, null))?.attempts).toBe(2));
        expect((await next.get(taskId))["inputRequests"]).toEqual({
          q2: { method: "elicitation/create", params: form("B?") },
        });
        await next.ask("tasks/update", { taskId, inputResponses: { q2: accept("two") } });
        expect((await next.reaches(taskId, "completed"))["result"]).toMatchObject(text("one two"));
        return;
      }
      const client = await sessionClient(dying);
      const { taskId } = await client.start("work");
      void client.ask("tasks/result", { taskId });
      const { id } = await client.next("elicitation/create");
      client.send({ id, result: accept("one") });
      await client.next("elicitation/create");
      dying.hang();
      const other = one.process(register);
      const next = await sessionClient(other);
      const result = next.ask("tasks/result", { taskId });
      const question = await next.next("elicitation/create");
      expect(question.params).toEqual({ ...form("B?"), _meta: { [relatedTask]: { taskId } } });
      await eventually(async () => expect((await other.store.get(taskId, null))?.attempts).toBe(2));
      next.send({ id: question.id, result: accept("two") });
      expect((await result).result).toMatchObject(text("one two"));
    },
  );

  const changed: readonly (readonly [string, (server: McpServer) => void, object])[] = [
    [
      "no longer exists",
      (server) => server.registerTool("other", {}, never),
      { status: "failed", error: { code: -32602 } },
    ],
    [
      "no longer runs as a task",
      (server) => server.registerTool("work", {}, () => text("at once")),
      { status: "completed", result: text("at once") },
    ],
    [
      "has other arguments now",
      (server) =>
        server.registerTool("work", { task: "optional", inputSchema: z.object({ a: z.string() }) }, () => text("x")),
      { status: "completed", result: { isError: true } },
    ],
    [
      "throws an error now",
      (server) =>
        server.registerTool("work", { task: "optional" }, () => {
          throw new Error("broken");
        }),
      { status: "completed", result: { ...text("broken"), isError: true } },
    ],
  ];
  test.each(changed)("a tool that %s", async (_, register, expected) => {
    const one = open();
    const dying = one.process((server) => server.registerTool("work", { task: restartable }, never));
    const { taskId } = await (await modernClient(dying)).start("work");
    dying.hang();
    const client = await modernClient(one.process(register));
    await eventually(async () => expect(await client.get(taskId)).toMatchObject(expected));
  });

  test.each(["2026-07-28", "2025-11-25"])(
    "%s: the answers that a tool got before its task are there again",
    async (revision) => {
      const one = open();
      const config = {
        task: restartable,
        inputRequests: () => ({ who: { method: "elicitation/create" as const, params: form("Who?") } }),
      };
      const dying = one.process((server) => server.registerTool("greet", config, never));
      let taskId: unknown;
      if (revision === "2026-07-28") {
        const client = await modernClient(dying);
        const asked = await client.call("greet");
        const created = await client.call("greet", undefined, {
          inputResponses: { who: accept("Ada") },
          requestState: asked.result?.["requestState"],
        });
        taskId = created.result?.["taskId"];
      } else {
        const client = await sessionClient(dying);
        const created = client.start("greet");
        const { id } = await client.next("elicitation/create");
        client.send({ id, result: accept("Ada") });
        ({ taskId } = await created);
      }
      dying.hang();
      const next = one.process((server) =>
        server.registerTool("greet", config, (_context, { who }) => text(JSON.stringify(who))),
      );
      await eventually(async () =>
        expect((await next.store.get(String(taskId), null))?.result).toMatchObject(text(JSON.stringify(accept("Ada")))),
      );
    },
  );

  test("a server that no longer supports the revision of a task fails it", async () => {
    const one = open();
    const dying = one.process((server) => server.registerTool("work", { task: restartable }, never));
    const { taskId } = await (await sessionClient(dying)).start("work");
    dying.hang();
    const revisions = serverSides.filter(({ revision }) => revision === "2026-07-28");
    const next = one.process((server) => server.registerTool("work", { task: restartable }, never), {}, { revisions });
    await eventually(async () => expect(await next.store.get(taskId, null)).toMatchObject({ status: "failed" }));
    expect((await next.store.get(taskId, null))?.statusMessage).toContain("2025-11-25");
  });

  test("a process that goes on after its lease loses its tasks: its handlers are aborted, and their outcome is discarded", async () => {
    const one = open();
    const aborted = gate<unknown>();
    const register =
      (who: string, passed: Promise<void>) =>
      (server: McpServer): void => {
        server.registerTool("work", { task: restartable }, async ({ signal }) => {
          signal.addEventListener("abort", () => who === "first" && aborted.open(signal.reason));
          await passed;
          return text(who);
        });
      };
    const [first, second] = [gate(), gate()];
    const hanging = one.process(register("first", first.passed));
    const { taskId } = await (await modernClient(hanging)).start("work");
    hanging.hang();
    const other = one.process(register("second", second.passed));
    await eventually(async () => expect((await other.store.get(taskId, null))?.attempts).toBe(2));
    hanging.goOn();
    first.open();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const client = await modernClient(other);
    expect((await client.get(taskId)).status).toBe("working");
    second.open();
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("second"));
    expect(hanging.errors).toEqual([]);
  });

  test("a server that closes leaves its tasks to the next one at once", async () => {
    const one = open();
    const closing = one.process((server) => server.registerTool("work", { task: restartable }, never), {
      leaseMs: 3_600_000,
    });
    const { taskId } = await (await modernClient(closing)).start("work");
    await closing.server.close(0);
    const next = one.process((server) => server.registerTool("work", { task: "optional" }, () => text("again")));
    const client = await modernClient(next);
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("again"));
  });

  test("a server that closes ends the tasks that cannot run again", async () => {
    const one = open();
    const closing = one.process((server) => server.registerTool("work", { task: "optional" }, never));
    const { taskId } = await (await modernClient(closing)).start("work");
    await closing.server.close(0);
    const next = one.process(() => undefined, { leaseMs: 60_000 });
    const task = await (await modernClient(next)).get(taskId);
    expect(task).toMatchObject({
      status: "failed",
      error: { code: -32603, message: "The server was closed before the task ended" },
    });
  });

  test("a process that loses a task and gets it back, without having noticed, runs it once more and ends it once", async () => {
    const one = open();
    const results = [gate<string>(), gate<string>(), gate<string>()];
    let starts = 0;
    const attempts: number[] = [];
    const signals: AbortSignal[] = [];
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: restartable }, async (context) => {
        attempts.push(taskOf(context)?.attempts ?? 0);
        signals.push(context.signal);
        return text(await present(results[starts++]).passed);
      });
    };
    const first = one.process(register);
    const { taskId } = await (await modernClient(first)).start("work");
    await eventually(() => expect(starts).toBe(1));
    first.hang();
    const second = one.process(register);
    await eventually(() => expect(starts).toBe(2));
    second.hang();
    // Its first heartbeat may come after the lease of the other one: it claims the task before it looks at its own run.
    first.goOn();
    await eventually(() => expect(starts).toBe(3));
    expect(attempts).toEqual([1, 2, 3]);
    present(results[0]).open("first");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await first.store.get(taskId, null)).toMatchObject({ status: "working", attempts: 3 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
    present(results[2]).open("third");
    await eventually(async () => expect(await first.store.get(taskId, null)).toMatchObject({ status: "completed" }));
    present(results[1]).open("second");
    second.goOn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await first.store.get(taskId, null))?.result).toMatchObject(text("third"));
  });

  test("a client of 2025-11-25 that reads a task of a process that has died is notified of its changes and asked its questions", async () => {
    const one = open();
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: restartable }, async (context) =>
        text(String((await context.elicit("x", form("X?"))).content?.["value"])),
      );
    };
    const dying = one.process(register);
    const before = await sessionClient(dying);
    const { taskId } = await before.start("work");
    await before.get(taskId);
    await before.next("elicitation/create");
    dying.hang();
    const next = one.process(register);
    const client = await sessionClient(next);
    expect((await client.get(taskId)).status).toBe("input_required");
    const question = await client.next("elicitation/create");
    client.send({ id: question.id, result: accept("after") });
    await client.reaches(taskId, "completed");
    const seen = (await client.next("notifications/tasks/status")).params;
    expect(seen?.["taskId"]).toBe(taskId);
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject(text("after"));
  });

  test("a server registers tools asynchronously before it takes over tasks", async () => {
    const one = open();
    const closing = one.process((server) => server.registerTool("work", { task: restartable }, never));
    const { taskId } = await (await modernClient(closing)).start("work");
    await closing.server.close(0);
    const next = one.process(() => undefined, { leaseMs: 400 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    next.server.registerTool("work", { task: "optional" }, () => text("again"));
    const client = await modernClient(next);
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("again"));
  });

  test("middleware sees requests that run again", async () => {
    const one = open();
    const dying = one.process((server) => server.registerTool("work", { task: restartable }, never));
    const { taskId } = await (await modernClient(dying)).start("work");
    dying.hang();
    const seen: string[] = [];
    const middleware: McpServerOptions["middleware"] = [
      ({ method }, next) => {
        seen.push(method);
        return next();
      },
    ];
    const next = one.process(
      (server) => server.registerTool("work", { task: "optional" }, () => text("again")),
      {},
      { middleware },
    );
    await eventually(async () => expect(await next.store.get(taskId, null)).toMatchObject({ status: "completed" }));
    expect(seen).toEqual(["tools/call"]);
  });

  test("another process answers, cancels and reads the tasks of a living one", async () => {
    const one = open();
    const aborted = gate<unknown>();
    const register = (server: McpServer): void => {
      server.registerTool("ask", { task: "optional" }, async (context) =>
        text(String((await context.elicit("x", form("X?"))).content?.["value"])),
      );
      server.registerTool("wait", { task: "optional" }, ({ signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        return never();
      });
    };
    const options = { leaseMs: 60_000 };
    const [here, there] = [one.process(register, options), one.process(register, options)];
    const [client, other] = [await modernClient(here), await modernClient(there)];
    const { taskId } = await client.start("ask");
    const { taskId: waiting } = await client.start("wait");
    await other.reaches(taskId, "input_required");
    await other.ask("tasks/update", { taskId, inputResponses: { q1: accept("from there") } });
    expect((await other.reaches(taskId, "completed"))["result"]).toMatchObject(text("from there"));
    await other.ask("tasks/cancel", { taskId: waiting });
    expect(await aborted.passed).toMatchObject({ code: "REQUEST_CANCELLED" });
  });
});
