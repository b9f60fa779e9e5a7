import { expect, test, vi } from "vitest";
import { FrameConnection, type FrameConnectionOptions } from "../../../../runtime/src/apps/bridge/frame-connection.js";
import { ProtocolError, RemoteError } from "../../../../runtime/src/jsonrpc/errors.js";
import { ScriptedEnd } from "../scripted-end.js";

const messages = {
  params: { count: { params: (value: unknown) => typeof value === "object", paramsOptional: false } },
  results: {},
};

async function open(options: Partial<FrameConnectionOptions> = {}, answers: Record<string, unknown> = {}) {
  const { end, other } = await ScriptedEnd.open(answers);
  const errors: Error[] = [];
  const connection = new FrameConnection(other, {
    messages,
    handlers: {},
    onerror: (error) => void errors.push(error),
    ...options,
  });
  await connection.open();
  return { connection, end, errors, other };
}

test.each([
  ["an object that is no message", { text: 7 }],
  ["an id that is no id", { jsonrpc: "2.0", id: {}, method: "count" }],
  ["positional params", { jsonrpc: "2.0", id: 1, method: "count", params: [1] }],
  ["a method that is not a string", { jsonrpc: "2.0", id: 1, method: 5 }],
  ["nothing", { jsonrpc: "2.0" }],
])("%s is reported, and refused if it has an id", async (_name, message) => {
  const { end, errors } = await open();
  void end.transport.send(message as never);
  await expect.poll(() => errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ code: -32600 });
  const hasId = typeof message === "object" && "id" in message && message.id === 1;
  expect(end.received.map(({ error }) => error?.code)).toEqual(hasId ? [-32600] : []);
});

test("a batch is refused", async () => {
  const { end, errors } = await open({ handlers: { count: () => ({}) } });
  void end.transport.send([{ jsonrpc: "2.0", id: 1, method: "count", params: {} }]);
  expect(await end.when(({ id }) => id === 1)).toMatchObject({ error: { code: -32600 } });
  expect(errors).toHaveLength(1);
});

test("responses to no request are ignored", async () => {
  const { connection, end } = await open({}, { ask: { answer: 42 } });
  end.send({ id: 1, result: { early: true } });
  end.send({ id: "1", result: { early: true } });
  end.send({ error: { code: -32700, message: "no id" } });
  await end.request("ping");
  expect(await connection.request("ask", {})).toEqual({ answer: 42 });
});

test("a handler decides on the error of its request; other errors are hidden", async () => {
  const handlers = {
    refuse: () => Promise.reject(new ProtocolError(-32000, "not now", { until: "noon" })),
    pass: () => Promise.reject(new RemoteError(-32001, "secret of another peer")),
    fail: () => {
      throw new Error("secret");
    },
  };
  const { end, errors } = await open({ handlers });
  expect((await end.request("refuse")).error).toEqual({ code: -32000, message: "not now", data: { until: "noon" } });
  expect((await end.request("pass")).error).toEqual({ code: -32603, message: "Internal error" });
  expect((await end.request("fail")).error).toEqual({ code: -32603, message: "Internal error" });
  expect(errors.map(({ message }) => message)).toEqual(["secret of another peer", "secret"]);
});

test("names of inherited members do not name methods", async () => {
  const { end } = await open();
  expect((await end.request("constructor")).error).toMatchObject({ code: -32601 });
  expect((await end.request("toString")).error).toMatchObject({ code: -32601 });
});

test("params are checked", async () => {
  const count = vi.fn(() => ({ total: 1 }));
  const { end } = await open({ handlers: { count, free: () => ({}) } });
  expect((await end.request("count")).error).toEqual({ code: -32602, message: "Invalid params of count" });
  expect(count).not.toHaveBeenCalled();
  expect((await end.request("count", {})).result).toEqual({ total: 1 });
  expect((await end.request("free")).result).toEqual({});
});

test("a result that is not JSON is an error, not silence", async () => {
  const circle: Record<string, unknown> = {};
  circle["circle"] = circle;
  const { end, errors } = await open({ handlers: { circle: () => circle } });
  expect((await end.request("circle")).error).toEqual({ code: -32603, message: "Internal error" });
  expect(errors).toHaveLength(1);
});

test("more requests than allowed are refused, and ids that are in use, too", async () => {
  let release = (): void => undefined;
  const free = new Promise<void>((resolve) => (release = resolve));
  const { end } = await open({ handlers: { wait: () => free }, maxConcurrentRequests: 2 });
  end.send({ id: "a", method: "wait" });
  end.send({ id: "a", method: "wait" });
  expect(await end.when(({ id }) => id === "a")).toMatchObject({ error: { code: -32600 } });
  end.send({ id: "b", method: "wait" });
  expect((await end.request("wait")).error).toMatchObject({ code: 429, message: "More than 2 requests are running" });
  release();
  expect((await end.when(({ id }) => id === "b")).result).toEqual({});
  expect((await end.request("wait")).result).toEqual({});
});

test("a request that its sender cancels gets no response", async () => {
  const aborted = vi.fn();
  const handlers = {
    wait: (_params: never, signal: AbortSignal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          aborted(signal.reason);
          resolve({});
        }),
      ),
  };
  const { end } = await open({ handlers });
  end.send({ id: "a", method: "wait" });
  end.send({ method: "notifications/cancelled", params: { requestId: "a" } });
  expect((await end.request("ping")).result).toEqual({});
  expect(aborted).toHaveBeenCalledWith(expect.objectContaining({ code: "REQUEST_CANCELLED" }));
  expect(end.received).toHaveLength(1);
});

test("a request that gets no response ends after its time", async () => {
  const { connection, end } = await open();
  const late = connection.request("ask", undefined, { timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({
    code: "REQUEST_TIMEOUT",
    message: "ask got no response in 20 ms (option timeoutMs)",
  });
  expect(await end.heard("notifications/cancelled")).toMatchObject({ params: { requestId: 1 } });
});

test("a signal that is aborted already sends nothing", async () => {
  const { connection, end } = await open();
  await expect(connection.request("ask", {}, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
  await end.request("ping");
  expect(end.methods).toEqual([undefined]);
});

test("the end of the connection ends all requests, in both directions", async () => {
  const onclose = vi.fn();
  let reason: unknown;
  const handlers = {
    wait: (_params: never, signal: AbortSignal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          resolve({});
        }),
      ),
  };
  const { connection, end } = await open({ handlers, onclose });
  const asked = connection.request("ask", {});
  end.send({ id: "a", method: "wait" });
  await end.heard("ask");
  await end.transport.close();
  await expect(asked).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(reason).toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(onclose).toHaveBeenCalledOnce();
  expect(connection.isOpen).toBe(false);
  await expect(connection.request("ask", {})).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  await expect(connection.notify("note")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});
