import { describe, expect, test } from "vitest";
import { R5 } from "../../connection/connection-ends.js";
import type { Message } from "../../connection/wire.js";
import { connectTo, RpcFailure, task, TaskServer, until } from "./task-server.js";

const call = { name: "slow" };
const done = { content: [{ type: "text", text: "done" }] };
const subscriptionId = "io.modelcontextprotocol/subscriptionId";

/** A server that pushes the states of tasks. Its own interval is long, so that a poll cannot be mistaken for a push. */
class PushingServer extends TaskServer {
  /** The open streams: id and granted tasks. */
  readonly streams: { readonly id: unknown; readonly taskIds: readonly string[] }[] = [];
  grant = (taskIds: readonly string[]): object => ({ taskIds });
  #count = 0;

  constructor() {
    super(R5);
    this.on["tools/call"] = () =>
      this.created(task("working", 0, { taskId: `t${++this.#count}`, pollIntervalMs: 60_000 }));
    this.on["subscriptions/listen"] = (params, { id }: Message) => {
      const { taskIds } = (params["notifications"] ?? {}) as { taskIds: readonly string[] };
      const notifications = this.grant(taskIds);
      this.streams.push({ id, taskIds });
      this.notify("notifications/subscriptions/acknowledged", { notifications, _meta: { [subscriptionId]: id } });
      return new Promise(() => undefined);
    };
  }

  push(taskId: string, status: "working" | "completed", at: number): void {
    const id = this.streams.findLast(({ taskIds }) => taskIds.includes(taskId))?.id;
    const body = { ...task(status, at, { taskId }), ...(status === "completed" && { result: this.result(done) }) };
    this.notify("notifications/tasks", { ...body, _meta: { [subscriptionId]: id } });
  }
}

describe("a client of a server that pushes the states of tasks", () => {
  test("gets the result without a poll, and ends the stream", async () => {
    const { client, server } = await connectTo(new PushingServer());
    const peer = server as PushingServer;
    const seen: string[] = [];
    const result = client.callTool(call, {
      onStatus: ({ statusMessage, status }) => seen.push(statusMessage ?? status),
    });
    await until(() => peer.streams.length > 0);
    peer.push("t1", "working", 1);
    peer.push("t1", "completed", 2);
    expect(await result).toMatchObject(done);
    expect(seen).toEqual(["working", "completed"]);
    expect(peer.sent("tasks/get")).toEqual([]);
    await until(() => peer.sent("notifications/cancelled").length > 0);
    expect(peer.sent("notifications/cancelled")).toEqual([expect.objectContaining({ requestId: peer.streams[0]?.id })]);
  });

  test("shares one stream among all tasks, and replaces it for new ones", async () => {
    const { client, server } = await connectTo(new PushingServer());
    const peer = server as PushingServer;
    const first = [1, 2, 3].map(() => client.callTool(call));
    await until(() => peer.streams.length > 0);
    expect(peer.streams.map(({ taskIds }) => taskIds)).toEqual([["t1", "t2", "t3"]]);
    peer.push("t1", "completed", 1);
    await first[0];
    const more = client.callTool(call);
    await until(() => peer.streams.length > 1);
    expect(peer.streams[1]?.taskIds).toEqual(["t2", "t3", "t4"]);
    await until(() => peer.sent("notifications/cancelled").length > 0);
    expect(peer.sent("notifications/cancelled")).toEqual([expect.objectContaining({ requestId: peer.streams[0]?.id })]);
    for (const id of ["t2", "t3", "t4"]) peer.push(id, "completed", 1);
    expect(await Promise.all([...first, more])).toHaveLength(4);
    expect(peer.sent("tasks/get")).toEqual([]);
  });

  test.each([
    ["is not granted", (): object => ({})],
    ["is granted for other tasks", (): object => ({ taskIds: [] })],
    [
      "is refused",
      (): object => {
        throw new RpcFailure(-32601);
      },
    ],
  ])("polls when the stream %s, and does not ask again for the same tasks", async (_name, grant) => {
    const peer = new PushingServer();
    const { client } = await connectTo(peer);
    peer.grant = grant;
    peer.script([task("working"), ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => task("working", at)), task("completed", 9)]);
    expect(await client.callTool(call)).toMatchObject(done);
    expect(peer.sent("subscriptions/listen")).toHaveLength(1);
    expect(peer.sent("tasks/get").length).toBeGreaterThan(5);
  });

  test("polls again when the stream ends, and opens another one", async () => {
    const peer = new PushingServer();
    const { client, errors } = await connectTo(peer);
    const result = client.callTool(call);
    await until(() => peer.streams.length > 0);
    peer.onmessage?.({
      jsonrpc: "2.0",
      id: peer.streams[0]?.id,
      result: { resultType: "complete", _meta: { [subscriptionId]: "x" } },
    });
    await until(() => peer.streams.length > 1);
    peer.push("t1", "completed", 1);
    expect(await result).toMatchObject(done);
    expect(errors).toEqual([]);
  });

  test("ignores a push that is not valid", async () => {
    const peer = new PushingServer();
    const { client, errors } = await connectTo(peer);
    const result = client.callTool(call);
    await until(() => peer.streams.length > 0);
    peer.notify("notifications/tasks", {
      taskId: "t1",
      status: "done",
      _meta: { [subscriptionId]: peer.streams[0]?.id },
    });
    peer.push("t1", "completed", 1);
    expect(await result).toMatchObject(done);
    expect(errors).toHaveLength(1);
  });
});
