import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../../runtime/src/jsonrpc/errors.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import {
  call,
  clientInfo,
  clientOf,
  handshakeEra,
  initialize,
  modern,
  openOf,
  R1,
  R2,
  R3,
  R4,
  R5,
  serve,
  serveSession,
} from "./connection-ends.js";
import { error, notification, request, result, type Message } from "./wire.js";

const tool = ({ name }: { name: string }) =>
  name === "hang"
    ? new Promise(() => undefined)
    : name === "later"
      ? Promise.resolve({ content: [] })
      : { content: [] };

async function session() {
  const heard: unknown[] = [];
  const served = await serveSession(
    R2,
    {},
    {
      "tools/call": tool,
      "notifications/roots/list_changed": () => heard.push("roots"),
    },
  );
  return { ...served, heard };
}

/** Returns the single message that was sent: a batch. */
function batchOf(sent: readonly Message[]): Message[] {
  expect(sent).toHaveLength(1);
  expect(Array.isArray(sent[0])).toBe(true);
  return sent[0] as unknown as Message[];
}

const changed = notification("notifications/roots/list_changed");

describe("an R2 server responds to a batch with a batch", () => {
  const rows: readonly [string, unknown[], unknown[]][] = [
    ["one request", [request(1, "ping")], [result(1)]],
    ["requests and a notification", [request(1, "ping"), changed, request("1", "ping")], [result(1), result("1")]],
    [
      "responses in the order in which they are ready",
      [call(1, R2, "later"), request(2, "ping")],
      [result(2), result(1, { content: [] })],
    ],
    [
      "an error and a result",
      [request(1, "no/such"), request(2, "ping")],
      [error(1, -32601, "Method not found: no/such"), result(2)],
    ],
    [
      "initialize is rejected in a batch",
      [request(1, "initialize", { protocolVersion: R2, capabilities: {}, clientInfo }), request(2, "ping")],
      [error(1, -32600, "Invalid Request: already initialized"), result(2)],
    ],
    ["the same id twice, with synchronous handlers", [request(1, "ping"), request(1, "ping")], [result(1), result(1)]],
    [
      "the same id twice, with the first handler still running",
      [call(1, R2, "later"), request(1, "ping")],
      [error(1, -32600, "Invalid Request: id is in use"), result(1, { content: [] })],
    ],
  ];
  test.each(rows)("%s", async (_, batch, answers) => {
    const { wire, connection } = await session();
    wire.receive(batch);
    expect(batchOf(await wire.rest())).toEqual(answers);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("sends an error for an invalid member, and handles the others", async () => {
    const { wire, heard } = await session();
    wire.receive([1, { id: 5, method: "ping" }, { jsonrpc: "2.0", id: 6, method: 7 }, changed, request(2, "ping")]);
    const answers = batchOf(await wire.rest());
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [5, -32600],
      [6, -32600],
      [2, undefined],
    ]);
    expect(heard).toEqual(["roots"]);
  });

  test("sends no response to a batch of notifications", async () => {
    const { wire, heard } = await session();
    wire.receive([changed, changed, notification("notifications/unknown")]);
    expect(await wire.rest()).toEqual([]);
    expect(heard).toEqual(["roots", "roots"]);
  });

  test("omits the response of a cancelled request without delaying the others", async () => {
    const { wire, connection } = await session();
    wire.receive([call(1, R2, "hang"), request(2, "ping")]);
    expect(await wire.rest()).toEqual([]);
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    expect(batchOf(await wire.rest())).toEqual([result(2)]);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("a later member of the same batch cancels a request", async () => {
    const { wire } = await session();
    wire.receive([call(1, R2, "hang"), notification("notifications/cancelled", { requestId: 1 }), request(2, "ping")]);
    expect(batchOf(await wire.rest())).toEqual([result(2)]);
  });

  test("sends nothing when all requests are cancelled", async () => {
    const { wire } = await session();
    wire.receive([call(1, R2, "hang"), call(2, R2, "hang")]);
    wire.receive([1, 2].map((requestId) => notification("notifications/cancelled", { requestId })));
    expect(await wire.rest()).toEqual([]);
  });

  test("keeps the responses of two batches apart", async () => {
    const { wire } = await session();
    wire.receive([call(1, R2, "later"), request(2, "ping")]);
    wire.receive([request(3, "ping")]);
    expect(await wire.rest()).toEqual([[result(3)], [result(2), result(1, { content: [] })]]);
  });

  test("limits the length of a batch", async () => {
    const { wire, errors } = await serveSession(R2, { limits: { batchLength: 2 } });
    wire.receive([request(1, "ping"), changed, request("3", "ping")]);
    const message = "Invalid Request: the batch has more than 2 messages";
    expect(batchOf(await wire.rest())).toEqual([error(1, -32600, message), error("3", -32600, message)]);
    expect(errors).toMatchObject([{ code: -32600 }]);
    wire.receive([request(1, "ping"), request(2, "ping")]);
    expect(batchOf(await wire.rest())).toEqual([result(1), result(2)]);
  });

  test("reports an empty batch", async () => {
    const { wire, errors } = await session();
    wire.receive([]);
    expect(await wire.rest()).toEqual([]);
    expect(errors).toMatchObject([{ code: -32600, message: "Invalid Request: the batch is empty" }]);
  });
});

describe("responses in a batch settle their requests", () => {
  test("at a client", async () => {
    const { client, wire } = await clientOf(R2);
    const asked = [1, 2, 3].map(() => client.request("tools/list", undefined));
    wire.take();
    wire.receive([result(2, { tools: [2] }), error(3, -1), request(9, "ping"), result(1, { tools: [1] })]);
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: { tools: [1] } },
      { value: { tools: [2] } },
      { reason: { code: -1 } },
    ]);
    // Only the request in the batch gets a response.
    expect((await wire.rest()).map((sent) => Array.isArray(sent))).toEqual([true]);
  });

  test("also after a member whose hook throws", async () => {
    const { client, wire, errors } = await clientOf(R2);
    const onProgress = () => {
      throw new Error("thrown by the hook");
    };
    const asked = client.request("tools/list", undefined, { onProgress });
    const [{ id = 0 } = {}] = wire.take();
    wire.receive([
      notification("notifications/progress", { progressToken: id, progress: 1 }),
      request(9, "ping"),
      result(id, { tools: [] }),
    ]);
    expect(await asked).toEqual({ tools: [] });
    expect(batchOf(await wire.rest())).toMatchObject([{ id: 9 }]);
    expect(errors.map(({ message }) => message)).toEqual(["thrown by the hook"]);
  });

  test("at a server", async () => {
    const { wire } = await serveSession(
      R2,
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          both: await Promise.all([ctx.listRoots("a"), ctx.listRoots("b")]),
        }),
      },
      { roots: {} },
    );
    wire.receive(call(1, R2));
    const questions = await wire.rest();
    wire.receive(questions.map(({ id }) => result(id ?? "", { roots: [{ uri: `file:///${String(id)}` }] })));
    expect(await wire.next()).toEqual(
      result(1, { content: [], both: questions.map(({ id }) => ({ roots: [{ uri: `file:///${String(id)}` }] })) }),
    );
  });
});

describe("without batch support, a batch is rejected as a whole", () => {
  const batch = [request(1, "ping"), changed];
  const message = "Invalid Request: this revision does not support batches";
  test.each([
    // An error without id is allowed only in some revisions.
    [R1, []],
    [R3, []],
    [R4, [{ jsonrpc: "2.0", error: { code: -32600, message } }]],
  ])("by a server in a session of %s", async (revision, answers) => {
    const { wire, errors } = await serveSession(revision);
    wire.receive(batch);
    expect(await wire.rest()).toEqual([error(1, -32600, message)]);
    wire.receive([changed]);
    expect(await wire.rest()).toEqual(answers);
    expect(errors).toMatchObject(Array(2).fill({ code: -32600, message }));
  });

  test("by a server in a session of R2, when a member names its own revision", async () => {
    const { wire } = await serveSession(R2);
    wire.receive([request(1, "tools/call", modern({ name: "t" }))]);
    expect(JSON.stringify(await wire.rest())).toContain(message);
  });

  test("by a server before initialize, even if it supports R2", async () => {
    const { wire } = await serve();
    const opening = request(1, "initialize", { protocolVersion: R2, capabilities: {}, clientInfo });
    wire.receive([opening]);
    const early = "Invalid Request: a batch needs a session whose revision supports batches";
    expect(await wire.rest()).toEqual([error(1, -32600, early)]);
    wire.receive([request(1, "tools/call", modern({ name: "t" }))]);
    expect(await wire.rest()).toEqual([error(1, -32600, early)]);
    expect((await initialize(wire, R2)).result).toBeDefined();
  });

  test.each([...handshakeEra.filter((revision) => revision !== R2), R5])("by a client of %s", async (revision) => {
    const { client, wire, errors } = await clientOf(revision);
    const asked = client.request("tools/list", undefined);
    wire.take();
    wire.receive([result(1, { tools: [] })]);
    expect(client.waiting).toBe(1);
    expect(errors).toMatchObject([{ code: -32600 }]);
    wire.receive(result(1, { tools: [] }));
    expect(await asked).toEqual({ tools: [] });
  });
});

test("a runtime never sends a batch of its own requests", async () => {
  const { client, wire } = await clientOf(R2);
  void Promise.allSettled([1, 2, 3].map(() => client.request("tools/list", undefined)));
  expect(wire.take().map((sent) => Array.isArray(sent))).toEqual([false, false, false]);
});

test("rejects the requests of an unreadable batch, and the pending requests that it responds to", async () => {
  const { wire } = await session();
  const refusal = new ProtocolError(-32600, "too deep");
  wire.onerror?.(refusal, [call(1, R2), notification("notifications/initialized"), call(2, R2)]);
  expect(wire.take()).toMatchObject([
    { id: 1, error: { code: -32600, message: "too deep" } },
    { id: 2, error: { code: -32600, message: "too deep" } },
  ]);

  const { client, wire: far } = await clientOf(R2);
  const asked = [1, 2].map(() => client.request("tools/list", undefined));
  const ids = far.take().flatMap(({ id }) => id ?? []);
  far.onerror?.(
    refusal,
    ids.map((id) => result(id, {})),
  );
  for (const one of asked)
    await expect(one).rejects.toMatchObject({
      code: "INVALID_MESSAGE",
      message: "the response cannot be read: too deep",
    });
});
