import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { MethodHandlers } from "../../../runtime/src/connection/dispatch-table.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { Server, type ServerConnection, type ServerContext } from "../../../runtime/src/server.js";

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

/** The state that the connection keeps; it must be empty at the end. */
interface Kept {
  readonly inflight: ReadonlyMap<unknown, unknown>;
  readonly pending: { readonly size: number };
}

const ids = [1, 2, "1", "2"] as const;
type Id = (typeof ids)[number];

type Step =
  /** The peer sends a request; how its handler ends is set later. */
  | { readonly kind: "ask" | "cancel" | "finish" | "fail" | "progress"; readonly id: Id }
  /** We send a request; the `nth` of our open requests gets some response or is aborted. */
  | { readonly kind: "send" }
  | { readonly kind: "answer"; readonly nth: number; readonly how: "result" | "error" | "both" | "neither" | "twice" }
  | { readonly kind: "abort" | "told"; readonly nth: number }
  | { readonly kind: "stray"; readonly id: unknown }
  | { readonly kind: "close" };

const nth = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(
      "ask" as const,
      "ask" as const,
      "cancel" as const,
      "finish" as const,
      "fail" as const,
      "progress" as const,
    ),
    id: fc.constantFrom(...ids),
  }),
  fc.record({ kind: fc.constant("send" as const) }),
  fc.record({
    kind: fc.constant("answer" as const),
    nth,
    how: fc.constantFrom("result" as const, "error" as const, "both" as const, "neither" as const, "twice" as const),
  }),
  fc.record({ kind: fc.constantFrom("abort" as const, "told" as const), nth }),
  fc.record({ kind: fc.constant("stray" as const), id: fc.constantFrom<unknown>(-1, 0, "none", null, {}, 1.5, 1_000) }),
);
/** Sometimes the connection ends, with requests in progress. */
const steps = fc
  .tuple(fc.array(step, { maxLength: 40, size: "max" }), fc.option(fc.nat({ max: 40 })))
  .map(([all, end]): readonly Step[] =>
    end === null ? all : [...all.slice(0, end), { kind: "close" }, ...all.slice(end)],
  );

interface Handled {
  readonly resolve: (result: object) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: (progress: number) => void;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server in a session with a raw client, and the messages that each has received. */
async function open() {
  const handled = new Map<string, Handled>();
  const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} }, onerror: () => undefined });
  server.handle<MethodHandlers>({
    "tools/call": ({ name }: { name: string }, context: ServerContext) =>
      new Promise((resolve, reject) =>
        handled.set(name, { resolve, reject, progress: (progress) => context.progress({ progress }) }),
      ),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const received: Message[] = [];
  near.onmessage = (message) => void received.push(message as Message);
  await near.start();
  const connection = await server.connect(far);
  // Every message is sent as its JSON text.
  const raw = (message: unknown): void => near.send({ toJSON: () => message } as never);
  const send = (message: object): void => raw({ jsonrpc: "2.0", ...message });
  const capabilities = { roots: {} };
  const clientInfo = { name: "c", version: "1" };
  send({ id: "open", method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo } });
  send({ method: "notifications/initialized" });
  await settled();
  received.length = 0;
  return { connection, handled, received, raw, send, close: () => near.close() };
}

/** Runs the steps together with a model, and compares both after each step. */
async function run(all: readonly Step[]): Promise<void> {
  const { connection, handled, received, send, close } = await open();
  let closed = false;
  let asked = 0;
  /** Requests of the peer in progress: the names of their calls by id. */
  const running = new Map<Id, string>();
  /** Handlers whose requests were cancelled or lost: their outcomes are not sent. */
  const orphans: string[] = [];
  /** The messages that the peer must have received, except progress. */
  const wanted: Message[] = [];
  const progress: (readonly [string, number])[] = [];
  let progressed = 0;
  /** Our own requests: how often each was settled, and the expected outcome. */
  const own: {
    readonly id: number;
    readonly controller: AbortController;
    readonly settled: string[];
    readonly heard: number[];
    wanted: string | undefined;
  }[] = [];
  const waiting = (): typeof own => own.filter((one) => one.wanted === undefined);

  for (const one of all) {
    if (closed && one.kind !== "send" && one.kind !== "finish" && one.kind !== "fail") continue;
    switch (one.kind) {
      case "ask": {
        const name = String(++asked);
        send({ id: one.id, method: "tools/call", params: { name, _meta: { progressToken: name } } });
        if (running.has(one.id)) wanted.push({ id: one.id, error: { code: -32600 } });
        else running.set(one.id, name);
        break;
      }
      case "cancel": {
        send({ method: "notifications/cancelled", params: { requestId: one.id } });
        const name = running.get(one.id);
        if (name !== undefined) orphans.push(name);
        running.delete(one.id);
        break;
      }
      case "finish":
      case "fail": {
        // Handlers of cancelled requests may end in between.
        const orphan = orphans.pop();
        const name = running.get(one.id);
        for (const each of [orphan, closed ? undefined : name]) {
          if (each === undefined) continue;
          if (one.kind === "finish") handled.get(each)?.resolve({ content: [], _meta: { name: each } });
          else handled.get(each)?.reject(new Error("no"));
        }
        if (name === undefined || closed) break;
        running.delete(one.id);
        wanted.push(one.kind === "finish" ? { id: one.id, result: {} } : { id: one.id, error: { code: -32603 } });
        break;
      }
      case "progress": {
        const name = running.get(one.id);
        if (name === undefined) break;
        // No progress is sent for finished requests or for decreasing numbers.
        const names = new Set(running.values());
        for (const [each, { progress: tell }] of handled) if (!names.has(each)) tell(1_000_000);
        handled.get(name)?.progress(++progressed);
        handled.get(name)?.progress(progressed - 1);
        progress.push([name, progressed]);
        break;
      }
      case "send": {
        const controller = new AbortController();
        const entry: (typeof own)[number] = {
          id: own.length + 1,
          controller,
          settled: [],
          heard: [],
          wanted: closed ? "NOT_CONNECTED" : undefined,
        };
        own.push(entry);
        connection
          .request("roots/list", undefined, {
            signal: controller.signal,
            onProgress: ({ progress }) => entry.heard.push(entry.settled.length === 0 ? progress : NaN),
          })
          .then(
            () => entry.settled.push("result"),
            (error: unknown) => entry.settled.push(String((error as { code: string | number }).code)),
          );
        break;
      }
      case "answer": {
        const entry = waiting()[one.nth];
        if (!entry) break;
        const { id } = entry;
        const result = { roots: [] };
        const error = { code: 5, message: "no" };
        if (one.how === "result" || one.how === "twice") send({ id, result });
        if (one.how === "error" || one.how === "twice") send({ id, error });
        if (one.how === "both") send({ id, result, error });
        if (one.how === "neither") send({ id });
        entry.wanted = {
          result: "result",
          twice: "result",
          error: "5",
          both: "INVALID_MESSAGE",
          neither: "INVALID_MESSAGE",
        }[one.how];
        break;
      }
      case "abort": {
        const entry = waiting()[one.nth];
        entry?.controller.abort();
        if (entry) entry.wanted = "20"; // the code of an AbortError
        break;
      }
      case "told":
        send({
          method: "notifications/progress",
          params: { progressToken: own[one.nth]?.id ?? "none", progress: one.nth },
        });
        break;
      case "stray":
        send({ id: one.id, result: {} });
        send({ method: "notifications/cancelled", params: { requestId: one.id } });
        break;
      case "close":
        await close();
        closed = true;
        for (const entry of waiting()) entry.wanted = "CONNECTION_CLOSED";
        orphans.push(...running.values());
        running.clear();
    }
    await settled();
  }

  const seen = received.filter(({ method }) => method === undefined);
  expect(
    seen.map(({ id, result, error }) => (result ? { id, result: {} } : { id, error: { code: error?.code } })),
  ).toEqual(wanted);
  const told = received.filter(({ method }) => method === "notifications/progress");
  expect(told.map(({ params }) => [params?.["progressToken"], params?.["progress"]])).toEqual(progress);

  if (!closed) await close();
  for (const entry of waiting()) entry.wanted = "CONNECTION_CLOSED";
  await settled();
  expect(own.map((entry) => entry.settled)).toEqual(own.map((entry) => [entry.wanted]));
  // Progress increases, and ends with the request.
  for (const { heard } of own) expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
  expect(own.flatMap(({ heard }) => heard)).not.toContain(NaN);
  const { inflight, pending } = connection as ServerConnection & Kept;
  expect([inflight.size, pending.size]).toEqual([0, 0]);
}

test("for any messages in any order, each request settles once and no state is left", async () => {
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: 300 });
});

const names = ["ping", "tools/call", "tools/list", "roots/list", "initialize", "server/discover", "__proto__", "x"];
const told = ["cancelled", "progress", "initialized", "message", "tools/list_changed", "subscriptions/acknowledged"];
const value = fc.jsonValue({ maxDepth: 3 });
const params = fc.dictionary(
  fc.constantFrom("name", "arguments", "_meta", "requestId", "progressToken", "progress", "__proto__", "uri", "cursor"),
  fc.oneof(value, fc.constant({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" })),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant<unknown>("2.0") }, { weight: 1, arbitrary: value }),
    id: fc.oneof(fc.integer({ min: 0, max: 5 }), value),
    method: fc.oneof(fc.constantFrom(...names), fc.constantFrom(...told.map((name) => `notifications/${name}`)), value),
    params: fc.oneof(params, value),
    result: value,
    error: fc.oneof(value, fc.record({ code: value, message: value })),
  },
  { requiredKeys: ["jsonrpc"] },
);
const anything = fc.array(fc.oneof(message, value, fc.array(message, { maxLength: 3 })), { maxLength: 10 });

describe("after random messages,", () => {
  test("a server in a session responds to the next ping", async () => {
    const { received, send, raw } = await open();
    await fc.assert(
      fc.asyncProperty(anything, async (messages) => {
        for (const one of messages) raw(one);
        await settled();
        received.length = 0;
        send({ id: "alive", method: "ping" });
        await settled();
        expect(received).toEqual([{ jsonrpc: "2.0", id: "alive", result: {} }]);
      }),
      { numRuns: 500 },
    );
  });

  test.each(["handshake", "stateless"] as const)("a client of the %s era gets its next response", async (era) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const sent: Message[] = [];
    const tools = { jsonrpc: "2.0", result: { tools: [], resultType: "complete", ttlMs: 0, cacheScope: "private" } };
    const capabilities = { tools: {} };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } },
      "server/discover": { ...tools.result, supportedVersions: ["2026-07-28"], capabilities },
      "tools/list": tools.result,
    };
    near.onmessage = (received) => {
      const { id, method = "" } = received as Message;
      const result = results[method];
      if (id !== undefined && result) near.send({ jsonrpc: "2.0", id, result });
      else sent.push(received as Message);
    };
    await near.start();
    const client = new Client({ name: "c", version: "1" });
    await client.connect(far, { era });
    await fc.assert(
      fc.asyncProperty(anything, async (messages) => {
        sent.length = 0;
        for (const one of messages) near.send({ toJSON: () => one } as never);
        await settled();
        expect((await client.listTools()).tools).toEqual([]);
        // In the stateless era, clients send only requests and cancellations.
        if (era === "stateless") expect(sent).toEqual([]);
      }),
      { numRuns: 500 },
    );
    await client.close();
  });
});
