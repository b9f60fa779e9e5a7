/** Servers of several processes that share their tasks in Redis: each test has a client of its own for each process. */
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { McpServer } from "../../../runtime/src/server.js";
import { taskOf } from "../../../runtime/src/tasks.js";
import { RedisTaskStore } from "../../../runtime/src/tasks/redis.js";
import {
  accept,
  eventually,
  form,
  gate,
  modernClient,
  present,
  sessionClient,
  taskServer,
  text,
} from "../../runtime/tasks/server/task-servers.js";
import { RedisServer } from "../redis-server.js";

const leaseMs = 200;
const restartable = { support: "optional", restartable: true } as const;

let redis: RedisServer;
let prefixes = 0;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.remove());

/** Starts processes with the same tasks. `die` cuts one from Redis at once, as a crash would. */
function machine() {
  const prefix = `machine${++prefixes}:`;
  return async (register: (server: McpServer) => void) => {
    const client = createClient({ url: redis.url, disableOfflineQueue: true });
    await client.on("error", () => undefined).connect();
    const store = new RedisTaskStore(client, { prefix });
    const made = taskServer({ leaseMs, store });
    register(made.server);
    let isDead = false;
    const die = (): void => {
      if (!isDead) client.destroy();
      isDead = true;
      store.close();
    };
    // Callbacks run in the reverse order: the server is closed before its store.
    onTestFinished(die);
    onTestFinished(() => made.server.close(0));
    return { ...made, die };
  };
}

const asking = (server: McpServer): void => {
  server.registerTool("work", { task: "optional" }, async (context) => {
    await taskOf(context)?.setStatus("asking");
    const { content } = await context.elicit("a", form("A?"));
    return text(`answer ${String(content?.["value"])}`);
  });
};

describe("a task of 2026-07-28 that one server runs", () => {
  test("is polled and answered at another one", async () => {
    const start = machine();
    const [one, two] = [await start(asking), await start(asking)];
    const { taskId } = await (await modernClient(one)).start("work");
    const client = await modernClient(two);
    const waiting = await client.reaches(taskId, "input_required");
    expect([waiting["statusMessage"], Object.keys(waiting["inputRequests"] as object)]).toEqual(["asking", ["q1"]]);
    await client.ask("tasks/update", { taskId, inputResponses: { q1: accept("one") } });
    const done = await client.reaches(taskId, "completed");
    expect(done["result"]).toMatchObject(text("answer one"));
    expect([one.errors, two.errors]).toEqual([[], []]);
  });

  test("is cancelled at another one, and its handler is aborted", async () => {
    const start = machine();
    const aborted = gate<unknown>();
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: "optional" }, ({ signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        return new Promise<never>(() => undefined);
      });
    };
    const [one, two] = [await start(register), await start(register)];
    const { taskId } = await (await modernClient(one)).start("work");
    const client = await modernClient(two);
    await client.ask("tasks/cancel", { taskId });
    await client.reaches(taskId, "cancelled");
    expect(await aborted.passed).toMatchObject({ code: "REQUEST_CANCELLED" });
  });

  test("runs again at another one when its process dies", async () => {
    const start = machine();
    const runs: unknown[] = [];
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: restartable }, (context) => {
        const { attempts } = present(taskOf(context));
        runs.push(attempts);
        return attempts === 1 ? new Promise<never>(() => undefined) : text("again");
      });
    };
    const [one, two] = [await start(register), await start(register)];
    const { taskId } = await (await modernClient(one)).start("work");
    await eventually(() => expect(runs).toEqual([1]));
    one.die();
    const done = await (await modernClient(two)).reaches(taskId, "completed");
    expect([done["result"], runs]).toMatchObject([text("again"), [1, 2]]);
  });

  test("fails with the reason when its process dies, and its tool cannot run again", async () => {
    const start = machine();
    const [one, two] = [await start(asking), await start(asking)];
    const { taskId } = await (await modernClient(one)).start("work");
    const client = await modernClient(two);
    await client.reaches(taskId, "input_required");
    one.die();
    const { statusMessage } = await client.reaches(taskId, "failed");
    expect(statusMessage).toMatch(/has died, .* cannot run again/);
  });

  test("is taken over at once when its process is closed", async () => {
    const start = machine();
    const register = (server: McpServer): void => {
      server.registerTool("work", { task: restartable }, (context) =>
        present(taskOf(context)).attempts === 1 ? new Promise<never>(() => undefined) : text("again"),
      );
    };
    const [one, two] = [await start(register), await start(register)];
    const { taskId } = await (await modernClient(one)).start("work");
    await one.server.close(0);
    const done = await (await modernClient(two)).reaches(taskId, "completed");
    expect(done["result"]).toMatchObject(text("again"));
  });
});

test("2025-11-25: tasks/result at another server waits for the end of the task", async () => {
  const start = machine();
  const finish = gate();
  const register = (server: McpServer): void => {
    server.registerTool("work", { task: "optional" }, async () => {
      await finish.passed;
      return text("done");
    });
  };
  const [one, two] = [await start(register), await start(register)];
  const { taskId } = await (await sessionClient(one)).start("work");
  const client = await sessionClient(two);
  expect(await client.get(taskId)).toMatchObject({ status: "working" });
  const result = client.ask("tasks/result", { taskId });
  finish.open();
  expect((await result).result).toMatchObject(text("done"));
});
