import { describe, expect, test } from "vitest";
import { Client } from "../../../../runtime/src/client.js";
import {
  callToolTask,
  cancelTask,
  getTask,
  listTasks,
  resumeTask,
  tasks,
} from "../../../../runtime/src/tasks/client.js";
import { clientInfo, clientSide, R4, R5 } from "../../connection/connection-ends.js";
import { connectTo, generations, RpcFailure, task, unknownTask, until } from "./task-server.js";

const call = { name: "slow" };
const done = { content: [{ type: "text", text: "done" }] };

describe.each(generations)("a handle of a task of %s", (revision) => {
  test("has its id and its states, and gives the result", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1, { statusMessage: "half" }), task("completed", 2)]);
    const handle = await callToolTask(client, call);
    expect([handle.id, handle.status, handle.task?.ttlMs]).toEqual(["t", "working", null]);
    const seen: unknown[] = [];
    for await (const { status, statusMessage } of handle) seen.push(statusMessage ?? status);
    expect(seen).toEqual(["working", "half", "completed"]);
    expect(handle.status).toBe("completed");
    expect(await handle.result()).toMatchObject(done);
    for await (const { status } of handle) seen.push(status);
    expect(seen).toEqual(["working", "half", "completed", "completed"]);
  });

  test("has the result, and no id, when the server responds with it", async () => {
    const { client, server } = await connectTo(revision);
    server.on["tools/call"] = () => server.result(done);
    const handle = await callToolTask(client, call);
    expect([handle.id, handle.task, handle.status]).toEqual([undefined, undefined, "completed"]);
    expect(await handle.result()).toMatchObject(done);
    await handle.cancel();
    handle.detach();
    for await (const state of handle) throw new Error(`unexpected: ${state.status}`);
    expect(server.methods).not.toContain("tasks/cancel");
  });

  test("does not exist when the call fails", async () => {
    const { client, server } = await connectTo(revision);
    server.on["tools/call"] = () => {
      throw new RpcFailure(-32602, "no such tool");
    };
    await expect(callToolTask(client, call)).rejects.toMatchObject({ code: -32602, message: "no such tool" });
  });

  test("cancels the task, which may complete all the same", async () => {
    for (const last of [task("cancelled", 2), task("completed", 2)]) {
      const { client, server } = await connectTo(revision);
      server.script([task("working"), last]);
      server.on["tasks/cancel"] = () => {
        // Before the extension, servers refuse to cancel a task that has ended.
        if (revision === R4 && last.status === "completed") throw unknownTask;
        return server.result(revision === R4 ? server.task(last) : {});
      };
      const handle = await callToolTask(client, call);
      await handle.cancel();
      if (last.status === "completed") expect(await handle.result()).toMatchObject(done);
      else await expect(handle.result()).rejects.toMatchObject({ code: "TASK_CANCELLED" });
    }
  });

  test("reports that a task ended without a final state to the code that iterates", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), unknownTask]);
    const handle = await callToolTask(client, call);
    const seen: string[] = [];
    const iterated = (async () => {
      for await (const { status } of handle) seen.push(status);
    })();
    await expect(iterated).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
    expect(seen).toEqual(["working"]);
  });

  test("leaves the task to another process, which resumes it from the id alone", async () => {
    const first = await connectTo(revision);
    first.server.script([task("working"), task("working", 1)]);
    const { id = "", ...rest } = await callToolTask(first.client, call).then((handle) => {
      handle.detach();
      return { id: handle.id, result: handle.result() };
    });
    await expect(rest.result).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(first.server.methods).not.toContain("tasks/cancel");

    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1), task("completed", 2)]);
    const statuses: string[] = [];
    const handle = await resumeTask(client, id, { onStatus: ({ status }) => statuses.push(status) });
    expect([handle.id, handle.status]).toEqual(["t", "working"]);
    expect(await handle.result()).toMatchObject(done);
    expect(statuses).toEqual(["working", "completed"]);
    expect(server.methods).not.toContain("tools/call");
  });

  test("of a task that has ended is resumed with its result", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("completed", 2)]);
    expect(await (await resumeTask(client, "t")).result()).toMatchObject(done);
    expect(server.sent("tasks/get")).toHaveLength(1);
  });

  test("cannot be resumed when the server does not have the task", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), unknownTask]);
    await expect(resumeTask(client, "t")).rejects.toMatchObject({ code: "TASK_NOT_FOUND", taskId: "t" });
    await expect(getTask(client, "t")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  test("is cancelled when the signal of a resumed task is aborted", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1)]);
    const controller = new AbortController();
    const handle = await resumeTask(client, "t", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(handle.result()).rejects.toThrow("enough");
    await until(() => server.sent("tasks/cancel").length > 0);
  });

  test("is not needed to read or cancel a task", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1, { ttlMs: 9 })]);
    expect(await getTask(client, "t")).toEqual(task("working", 1, { ttlMs: 9 }));
    await cancelTask(client, "t");
    expect(server.sent("tasks/cancel")).toHaveLength(1);
  });
});

test("tasks are listed where servers list them", async () => {
  const { client, server } = await connectTo(R4);
  const [a, b] = [task("working", 0, { taskId: "a" }), task("failed", 1, { taskId: "b" })];
  server.on["tasks/list"] = ({ cursor }) =>
    cursor === "2" ? { tasks: [server.task(b)] } : { tasks: [server.task(a)], nextCursor: "2" };
  expect(await listTasks(client)).toEqual([a, b]);
  const newer = await connectTo(R5);
  await expect(listTasks(newer.client)).rejects.toMatchObject({ code: "NOT_IN_THIS_REVISION" });
});

test("a task is not cancelled where the server does not offer it", async () => {
  const { client, server } = await connectTo(R4);
  server.script([task("working"), task("completed", 1)]);
  const { serverCapabilities } = client.connection.negotiated ?? {};
  delete (serverCapabilities as { tasks: { cancel?: object } } | undefined)?.tasks.cancel;
  const handle = await callToolTask(client, call);
  await expect(handle.cancel()).rejects.toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
  expect(await handle.result()).toMatchObject(done);
});

test("the functions of tasks need the extension", () => {
  const client = new Client(clientInfo);
  const message = expect.stringContaining("extensions: [tasks()]") as string;
  expect(() => void callToolTask(client, call)).toThrow(
    expect.objectContaining({ code: "INVALID_CONFIGURATION", message }) as Error,
  );
});

test("tasks fit every client whose revisions have them", () => {
  const create = (...revisions: string[]) =>
    new Client(clientInfo, { revisions: revisions.map(clientSide), extensions: [tasks()] });
  create(R4);
  create(R5);
  create(R4, R5);
  create("2024-11-05", R4);
  expect(() => create("2024-11-05")).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error);
});
