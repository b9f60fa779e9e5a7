import { expect, onTestFinished, test, vi } from "vitest";
import {
  PostMessageTransport,
  type PostMessageOptions,
} from "../../../../runtime/src/apps/bridge/post-message-transport.js";
import { FrameLimits } from "../../../../runtime/src/apps/host/frame-limits.js";
import type { JSONRPCMessage } from "../../../../runtime/src/jsonrpc/message-types.js";
import { FakeWindow, twoWindows } from "../windows.js";

const note: JSONRPCMessage = { jsonrpc: "2.0", method: "note" };

/** The end of a host: what it gets from a window, and what it reports. */
async function hostEnd(options: Partial<PostMessageOptions> = {}) {
  const windows = twoWindows();
  const transport = new PostMessageTransport({ peer: windows.appInHost, receiver: windows.host, ...options });
  const seen: unknown[] = [];
  transport.onmessage = (message) => void seen.push(message);
  const errors: Error[] = [];
  const refused: unknown[] = [];
  transport.onerror = (error, received) => {
    errors.push(error);
    refused.push(received);
  };
  const closed = vi.fn();
  transport.onclose = closed;
  await transport.start();
  return { ...windows, transport, seen, errors, refused, closed };
}

test("it carries messages between two windows", async () => {
  const { host, app, appInHost, hostInApp } = twoWindows();
  const a = new PostMessageTransport({ peer: appInHost, receiver: host, origin: "null" });
  const b = new PostMessageTransport({ peer: hostInApp, receiver: app });
  const seen: unknown[] = [];
  a.onmessage = (message) => void seen.push(message);
  b.onmessage = (message) => {
    seen.push(message);
    b.send({ jsonrpc: "2.0", method: "back" });
  };
  await Promise.all([a.start(), b.start()]);
  a.send(note);
  await expect.poll(() => seen).toEqual([note, { jsonrpc: "2.0", method: "back" }]);
  expect(app.sent[0]?.targetOrigin).toBe("*");
  expect(host.sent[0]?.targetOrigin).toBe("https://host.example");
  const closed = vi.fn();
  a.onclose = closed;
  await a.close();
  await a.close();
  expect(closed).toHaveBeenCalledOnce();
  b.send(note);
  await Promise.resolve();
  expect(seen).toHaveLength(2);
});

test("messages of other windows are never delivered: they are counted, and the first is reported", async () => {
  const { host, transport, seen, errors } = await hostEnd();
  const stranger = new FakeWindow("https://host.example");
  for (let times = 0; times < 3; times++) host.receive({ ...note, id: times }, "null", stranger);
  host.receive(note, "null", null);
  host.receive({ type: "hot reload" }, "null", stranger);
  expect(seen).toEqual([]);
  expect(transport.ignored).toEqual({ window: 4, origin: 0, format: 0 });
  expect(errors.map(({ message }) => message)).toEqual([
    "a message was ignored, because it came from another window; further ones are only counted",
  ]);
  expect(stranger.sent).toEqual([]);
});

test("messages that another transport of the page waits for are not reported", async () => {
  const { host, transport, errors } = await hostEnd();
  const other = twoWindows();
  const second = new PostMessageTransport({ peer: other.appInHost, receiver: host });
  await second.start();
  host.receive(note, "null", other.appInHost);
  expect(transport.ignored.window).toBe(0);
  expect(errors).toEqual([]);
});

test("messages of another origin than the expected one are ignored", async () => {
  const { host, appInHost, transport, seen, errors } = await hostEnd({ origin: "https://sandbox.example" });
  host.receive(note, "https://evil.example", appInHost);
  host.receive(note, "https://evil.example", appInHost);
  expect(seen).toEqual([]);
  host.receive(note, "https://sandbox.example", appInHost);
  expect(seen).toEqual([note]);
  expect(transport.ignored).toEqual({ window: 0, origin: 2, format: 0 });
  expect(errors).toHaveLength(1);
});

test("without an origin, that of the first JSON-RPC message counts: a window that navigates away is not heard", async () => {
  const { host, appInHost, app, transport, seen } = await hostEnd();
  transport.send(note);
  host.receive("noise", "https://noise.example", appInHost);
  host.receive(note, "https://first.example", appInHost);
  host.receive(note, "https://second.example", appInHost);
  transport.send(note);
  expect(seen).toHaveLength(1);
  expect(transport.ignored).toEqual({ window: 0, origin: 1, format: 1 });
  expect(app.sent.map(({ targetOrigin }) => targetOrigin)).toEqual(["*", "https://first.example"]);
});

test("windows of an opaque origin get messages, too", async () => {
  const { app, transport } = await hostEnd({ origin: "null" });
  transport.send(note);
  expect(app.sent).toEqual([{ message: note, targetOrigin: "*" }]);
});

test.each([["text"], [7], [null], [["2.0"]], [{ jsonrpc: "1.0", method: "note" }], [new Map([["jsonrpc", "2.0"]])]])(
  "values that are not JSON-RPC are ignored: %s",
  async (data) => {
    const { host, appInHost, transport, seen } = await hostEnd();
    host.receive(data, "null", appInHost);
    expect(seen).toEqual([]);
    expect(transport.ignored.format).toBe(1);
  },
);

test("values that JSON does not have do not reach the program", async () => {
  const { host, appInHost, transport, seen, errors } = await hostEnd();
  host.receive({ ...note, params: { map: new Map([[1, 2]]), date: new Date(0), none: undefined } }, "null", appInHost);
  expect(seen).toEqual([{ ...note, params: { map: {}, date: "1970-01-01T00:00:00.000Z" } }]);
  const circle: Record<string, unknown> = { ...note };
  circle["params"] = circle;
  host.receive(circle, "null", appInHost);
  host.receive({ ...note, params: { big: 1n } }, "null", appInHost);
  expect(seen).toHaveLength(1);
  expect(transport.ignored.format).toBe(2);
  expect(errors.map(({ message }) => message)).toEqual([
    "a message was ignored, because it is not a JSON-RPC 2.0 message; further ones are only counted",
  ]);
});

test("a message that is too long is refused with an error for its sender", async () => {
  const { host, appInHost, seen, errors, refused } = await hostEnd({
    limits: new FrameLimits({ maxMessageLength: 100 }),
  });
  const long = { ...note, id: 1, params: { text: "x".repeat(200) } };
  host.receive(long, "null", appInHost);
  expect(seen).toEqual([]);
  expect(errors).toMatchObject([{ code: -32600, message: "The message is longer than 100 characters" }]);
  expect(refused).toEqual([long]);
});

const circular: Record<string, unknown> = { ...note };
circular["params"] = circular;

test.each([
  ["messages", note, 0],
  ["texts", "x", 1],
  ["values that JSON does not have", undefined, 1],
  ["numbers that cannot be serialized", { ...note, params: { big: 1n } }, 1],
  ["circular objects", circular, 1],
])("a peer that sends too many %s in a second is cut off", async (_, data, reports) => {
  const { host, appInHost, seen, errors, closed, transport } = await hostEnd({
    limits: new FrameLimits({ maxMessagesPerSecond: 50 }),
  });
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => clock.mockRestore());
  for (let times = 0; times < 100; times++) host.receive(data, "null", appInHost);
  expect(closed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  expect(seen.length + transport.ignored.format).toBeLessThanOrEqual(50);
  expect(errors).toHaveLength(reports);
  expect(host.listeners).toBe(0);
  expect(() => transport.send(note)).toThrow(expect.objectContaining({ code: "NOT_CONNECTED" }) as Error);
});

test("it cannot be started again", async () => {
  const { transport } = await hostEnd();
  await expect(transport.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
});
