/** Required URL elicitations, in the handshake era. */
import { expect, test, vi } from "vitest";
import { type Client, type ClientOptions, RemoteUrlElicitationRequiredError } from "../../../../runtime/src/client.js";
import { RemoteError } from "../../../../runtime/src/index.js";
import { connectClient, R4 } from "../../connection/connection-ends.js";
import { error, idle, notification, result } from "../../connection/wire.js";

const wanted = (id: string) => ({ mode: "url", message: "Sign in", url: `https://x.test/${id}`, elicitationId: id });
const refusal = (id: string | number, ...ids: string[]) =>
  error(id, -32042, "visit first", { elicitations: ids.map(wanted) });
const done = (elicitationId: unknown) => notification("notifications/elicitation/complete", { elicitationId });

async function visiting(
  action: "accept" | "decline" | "cancel" = "accept",
  options: ClientOptions = { capabilities: { elicitation: { url: {} } } },
  revision = R4,
) {
  const ends = await connectClient(revision, options);
  const seen: unknown[] = [];
  if (options.capabilities?.elicitation)
    ends.client.setRequestHandler("elicitation/create", (params) => {
      seen.push(params);
      return { action };
    });
  const called = ends.client.callTool({ name: "t" });
  called.catch(() => undefined);
  const { id = "" } = await ends.wire.next();
  return { ...ends, seen, called, id };
}

test("the user visits the URL; once it is complete, the request is sent again under a new id", async () => {
  const { wire, seen, called, id } = await visiting();
  wire.receive(refusal(id, "a", "b"));
  await idle();
  expect(seen).toEqual([wanted("a"), wanted("b")]);
  // The URL elicitations themselves get no response.
  expect(wire.take()).toEqual([]);
  wire.receive(done("b"));
  wire.receive(done("unknown"));
  wire.receive(done(5));
  wire.receive(done("b"));
  expect(await wire.rest()).toEqual([]);
  wire.receive(done("a"));
  const retry = await wire.next();
  expect(retry).toMatchObject({ method: "tools/call", params: { name: "t" } });
  expect(retry.id).not.toBe(id);
  wire.receive(result(retry.id ?? "", { content: [] }));
  expect(await called).toMatchObject({ content: [] });
});

test("the host can report completion as well", async () => {
  const { wire, client, id } = await visiting();
  wire.receive(refusal(id, "a"));
  await idle();
  client.completeElicitation("nothing");
  client.completeElicitation("a");
  expect((await wire.next()).method).toBe("tools/call");
});

test("only once: a second error is passed to the caller", async () => {
  const { wire, called, id } = await visiting();
  wire.receive(refusal(id, "a"));
  await idle();
  wire.receive(done("a"));
  wire.receive(refusal((await wire.next()).id ?? "", "a"));
  await expect(called).rejects.toMatchObject({ code: -32042 });
});

test.each<[string, Parameters<typeof visiting>, unknown[]]>([
  ["the user declines", ["decline"], ["a"]],
  ["the user dismisses it", ["cancel"], ["a"]],
  ["the client lacks the URL mode", ["accept", { capabilities: { elicitation: {} } }], []],
  ["the client lacks elicitation", ["accept", {}], []],
  ["the revision lacks this error", ["accept", { capabilities: { elicitation: { url: {} } } }, "2025-06-18"], []],
])("the caller gets the error when %s", async (_, setUp, asked) => {
  const { wire, called, id, seen } = await visiting(...setUp);
  wire.receive(refusal(id, "a"));
  await expect(called).rejects.toMatchObject({ code: -32042, data: { elicitations: [wanted("a")] } });
  expect(seen).toHaveLength(asked.length);
  expect(await wire.rest()).toEqual([]);
});

test.each<[string, unknown]>([
  ["no data", undefined],
  ["a value that is not a list", { elicitations: {} }],
  ["an empty list", { elicitations: [] }],
  ["a form", { elicitations: [{ mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } }] }],
  ["a URL without id", { elicitations: [{ mode: "url", message: "m", url: "https://x.test" }] }],
  ["null", { elicitations: [null] }],
])("the caller gets the error when its data has %s", async (_, data) => {
  const { wire, called, id, seen } = await visiting();
  wire.receive(error(id, -32042, "visit first", data));
  await expect(called).rejects.toMatchObject({ name: "RemoteError", code: -32042 });
  expect(seen).toEqual([]);
});

test("the caller gets the URLs at once with completeUrlElicitations: false", async () => {
  const options = { capabilities: { elicitation: { url: {} } }, completeUrlElicitations: false } as const;
  const { wire, called, id, seen } = await visiting("accept", options);
  wire.receive(refusal(id, "a", "b"));
  const failure: unknown = await called.catch((reason: unknown) => reason);
  expect(failure).toBeInstanceOf(RemoteUrlElicitationRequiredError);
  expect(failure).toBeInstanceOf(RemoteError);
  expect(failure).toMatchObject({
    name: "RemoteUrlElicitationRequiredError",
    code: -32042,
    message: "visit first",
    elicitations: [wanted("a"), wanted("b")],
    data: { elicitations: [wanted("a"), wanted("b")] },
    cause: { name: "RemoteError", code: -32042 },
  });
  expect(seen).toEqual([]);
  expect(await wire.rest()).toEqual([]);
});

test("two requests that wait for the same elicitation are both sent again", async () => {
  const { client, wire, id } = await visiting();
  void client.callTool({ name: "u" }).catch(() => undefined);
  const other = (await wire.next()).id ?? "";
  wire.receive(refusal(id, "a"));
  wire.receive(refusal(other, "a"));
  await idle();
  wire.receive(done("a"));
  expect((await wire.rest()).map(({ params }) => params?.["name"])).toEqual(["t", "u"]);
});

/** A client whose user answers URLs one by one; `ended` lists the abort reasons of the open ones. */
async function dialogs() {
  const { client, wire } = await connectClient(R4, { capabilities: { elicitation: { url: {} } } });
  const open = new Map<string, (action: "accept" | "decline") => void>();
  const ended: unknown[] = [];
  client.setRequestHandler("elicitation/create", (params, { signal }) => {
    signal.addEventListener("abort", () => ended.push(signal.reason));
    return new Promise((resolve) =>
      open.set((params as { url: string }).url.slice(-1), (action) => resolve({ action })),
    );
  });
  return { client, wire, open, ended };
}

test("when the first of several is declined, the others are aborted", async () => {
  const { client, wire, open, ended } = await dialogs();
  const called = client.callTool({ name: "t" });
  called.catch(() => undefined);
  wire.receive(refusal((await wire.next()).id ?? "", "a", "b"));
  await idle();
  open.get("a")?.("decline");
  await expect(called).rejects.toMatchObject({ code: -32042 });
  expect(ended).toMatchObject([{ code: -32042 }, { code: -32042 }]);
});

test("an unsafe URL counts as declined", async () => {
  const { client, wire, open, ended } = await dialogs();
  const called = client.callTool({ name: "t" });
  called.catch(() => undefined);
  const script = { ...wanted("x"), url: "javascript:alert(1)" };
  wire.receive(error((await wire.next()).id ?? "", -32042, "visit first", { elicitations: [wanted("a"), script] }));
  await expect(called).rejects.toMatchObject({ code: -32042, message: "visit first" });
  expect([...open.keys()]).toEqual(["a"]);
  expect(ended).toHaveLength(1);
});

test.each<[string, (client: Client) => void, object, object]>([
  ["the end of the connection", (client) => void client.close(), {}, { code: "CONNECTION_CLOSED" }],
  ["maxTotalMs", () => undefined, { maxTotalMs: 30 }, { code: "REQUEST_TIMEOUT", data: { maxTotalMs: 30 } }],
])("%s ends the wait and the dialogs", async (_, act, options, reason) => {
  const { client, wire, open, ended } = await dialogs();
  const called = client.callTool({ name: "t" }, options);
  called.catch(() => undefined);
  wire.receive(refusal((await wire.next()).id ?? "", "a", "b"));
  await idle();
  open.get("a")?.("accept");
  await idle();
  act(client);
  await expect(called).rejects.toMatchObject(reason);
  expect(ended).toMatchObject([reason, reason]);
});

test("maxTotalMs covers the call, the elicitation and the repetition", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { client, wire, open } = await dialogs();
  const called = client.callTool({ name: "t" }, { maxTotalMs: 500 });
  called.catch(() => undefined);
  const { id = "" } = await wire.next();
  await vi.advanceTimersByTimeAsync(300);
  wire.receive(refusal(id, "a"));
  await idle();
  open.get("a")?.("accept");
  await vi.advanceTimersByTimeAsync(100);
  client.completeElicitation("a");
  expect(await wire.next()).toMatchObject({ method: "tools/call" });
  await vi.advanceTimersByTimeAsync(150);
  await expect(called).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  vi.useRealTimers();
});

test("an abort ends the wait", async () => {
  const { client, wire } = await connectClient(R4, { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept" }));
  const controller = new AbortController();
  const called = client.callTool({ name: "t" }, { signal: controller.signal });
  called.catch(() => undefined);
  wire.receive(refusal((await wire.next()).id ?? "", "a"));
  await idle();
  controller.abort(new Error("enough"));
  await expect(called).rejects.toThrow("enough");
});
