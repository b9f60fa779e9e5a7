import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import { McpServer } from "../../runtime/src/server/core.js";
import {
  type AppendOptions,
  type Backplane,
  type LogPage,
  MemoryBackplane,
  type ReadOptions,
} from "../../runtime/src/backplane.js";
import { Recorder } from "../../runtime/src/testing.js";
import { type Exchanged, reach, recordedFetch } from "./http.js";
import { R3, R4 } from "./messages.js";
import { nodeCount, serve, type SharedOptions } from "./nodes.js";
import { object, text } from "./servers/setup.js";

const waits = [10, 30, 20];

/** A backplane for the option of that name, where nodes share none. */
const ownBackplane = (): Backplane | undefined => (nodeCount === 1 ? new MemoryBackplane() : undefined);

/** Runs between one close of a stream and the next. */
type Meanwhile = (round: number) => Promise<unknown>;

/** A server with long calls, during which it closes streams and clients reconnect. */
function worker(meanwhile: Meanwhile, onAbort: () => void, options: SharedOptions): McpServer {
  const server = new McpServer(
    { name: "worker", version: "1" },
    { revisions: serverSides, conversions, capabilities: { logging: {} }, ...options },
  );
  // Closes its stream three times, and sends progress while the stream is closed.
  server.registerTool("work", { inputSchema: object({ name: "string" }) }, async ({ name }, ctx) => {
    ctx.signal.addEventListener("abort", onAbort);
    for (const [at, retryMs] of waits.entries()) {
      ctx.http?.closeSSE?.(retryMs);
      await meanwhile(at + 1);
      ctx.progress({ progress: at + 1, total: waits.length, message: name });
    }
    return text(`${name}: ${ctx.http?.closeSSE ? "in parts" : "in one"}`);
  });
  // The same with the stream for messages that belong to no request.
  server.registerTool("tell", {}, async (ctx) => {
    for (const [at, retryMs] of waits.entries()) {
      ctx.http?.closeStandaloneSSE?.(retryMs);
      server.sendToolListChanged();
      await meanwhile(at + 1);
    }
    return text("told");
  });
  server.registerTool("quick", {}, () => text("quick"));
  return server;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Circumstances {
  /** Default: that of the nodes. */
  readonly backplane?: Backplane | undefined;
  readonly meanwhile?: Meanwhile;
  /** Number of streams closed at a time; the work continues when the client has reopened all of them. */
  readonly streams?: number;
}

/** A client with a session at the worker server. */
async function working(revision: string, { backplane, streams, meanwhile = () => pause(20) }: Circumstances) {
  const backForAll = async (round: number): Promise<void> => {
    while (gets().length < 1 + (streams ?? 0) * round) await pause(2);
  };
  let aborted = 0;
  const during = streams === undefined ? meanwhile : backForAll;
  const onAbort = (): void => {
    aborted++;
  };
  const served = await serve((shared) => worker(during, onAbort, backplane ? { ...shared, backplane } : shared));
  const recorder = new Recorder();
  const errors: Error[] = [];
  const delays: number[] = [];
  const recorded = recordedFetch();
  let changes = 0;
  const client = new Client(
    { name: "patient", version: "1" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      conversions,
      trace: recorder.trace,
      onerror: (error) => void errors.push(error),
    },
  );
  onTestFinished(() => client.close());
  client.onChanged("tools", () => changes++);
  const transport = reach(served, {
    fetch: recorded.fetch,
    reconnectionScheduler: (reconnect, ms) => {
      delays.push(ms);
      const timer = setTimeout(reconnect, ms);
      return () => clearTimeout(timer);
    },
  });
  await client.connect(transport);
  const gets = (): readonly Exchanged[] => recorded.exchanged.filter(({ method }) => method === "GET");
  await expect.poll(() => gets().length).toBe(1);
  return {
    client,
    served,
    errors,
    /** The delays before streams were reopened. */
    delays,
    recorder,
    aborted: () => aborted,
    gets,
    changes: () => changes,
    calls: (name: string) => recorder.find("out", { method: "tools/call", params: { name } }).length,
    work: async (name: string): Promise<readonly [result: unknown, heard: unknown[]]> => {
      const heard: unknown[] = [];
      const { content } = await client.callTool(
        { name: "work", arguments: { name } },
        { onProgress: ({ progress, message }) => void heard.push(`${message ?? ""} ${progress}`) },
      );
      return [(content[0] as { text?: string }).text, heard];
    },
  };
}

describe("2025-11-25, with a backplane: streams that the server closes three times", () => {
  // At several nodes, the order to close a stream can arrive there before the stream is open again.
  const atOneNode = nodeCount === 1 ? ["two calls and the session's stream"] : [];
  test.each(atOneNode)("%s: no message is lost, repeated or mixed up, and no reconnection is early", async () => {
    const { client, work, changes, ...seen } = await working(R4, { backplane: ownBackplane(), streams: 3 });
    const told = client.callTool({ name: "tell" });
    const results = await Promise.all([work("a"), work("b")]);
    expect(results).toEqual(["a", "b"].map((name) => [`${name}: in parts`, [1, 2, 3].map((at) => `${name} ${at}`)]));
    expect((await told).content).toEqual([{ type: "text", text: "told" }]);
    await expect.poll(changes).toBe(3);

    expect(seen.aborted()).toBe(0);
    expect(seen.errors).toEqual([]);
    expect([seen.calls("work"), seen.calls("tell")]).toEqual([2, 1]);
    // Each message arrived once: three progress notifications per call, and three changes.
    expect(seen.recorder.find("in", "notifications/progress")).toHaveLength(6);
    expect(seen.recorder.find("in", "notifications/tools/list_changed")).toHaveLength(3);
    // Each of three streams was reopened three times, with an event id, and after the delay that the server set.
    const again = seen.gets().filter(({ headers }) => headers.has("last-event-id"));
    expect(again).toHaveLength(9);
    expect(new Set(again.map(({ headers }) => headers.get("last-event-id"))).size).toBe(9);
    expect(again.every(({ status }) => status === 200)).toBe(true);
    const wished = [...waits, ...waits, ...waits].sort((a, b) => a - b);
    const waited = [...seen.delays].sort((a, b) => a - b);
    expect(waited).toHaveLength(wished.length);
    for (const [at, ms] of wished.entries()) expect(waited[at]).toBeGreaterThanOrEqual(ms);
  });

  test("a call whose events are no longer stored fails with the server's error; other calls continue", async () => {
    let lost: string | undefined;
    class Forgetful extends MemoryBackplane {
      override append(log: string, ...entry: [string, AppendOptions]): string {
        // The first stream that a request opens.
        if (log.startsWith("events:") && !/\.g\d+$/.test(log)) lost ??= log;
        return super.append(log, ...entry);
      }

      override read(log: string, options: ReadOptions): LogPage {
        return log === lost ? { entries: [], hasGap: true } : super.read(log, options);
      }
    }
    const backplane = new Forgetful();
    const { client, work, ...seen } = await working(R4, { backplane });
    const first = work("a");
    first.catch(() => undefined);
    await expect.poll(() => lost).toBeDefined();
    const second = work("b");
    await expect(first).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 400 } });
    expect((await second)[0]).toBe("b: in parts");
    expect((await client.callTool({ name: "quick" })).content).toEqual([{ type: "text", text: "quick" }]);
    expect(seen.gets().filter(({ status }) => status === 400)).toHaveLength(1);
    expect(seen.calls("work")).toBe(2);
  });
});

describe.each([
  ["2025-06-18, with a backplane", R3, ownBackplane()],
  ...(nodeCount === 1 ? [["2025-11-25, without one", R4, undefined] as const] : []),
] as const)("%s: does not close streams", (_name, revision, backplane) => {
  test("and the client reopens none", async () => {
    const { client, work, changes, ...seen } = await working(revision, { backplane });
    const told = client.callTool({ name: "tell" });
    expect(await Promise.all([work("a"), work("b")])).toEqual(
      ["a", "b"].map((name) => [`${name}: in one`, [1, 2, 3].map((at) => `${name} ${at}`)]),
    );
    await told;
    // A node that is late sends equal changes as one.
    if (nodeCount === 1) await expect.poll(changes).toBe(3);
    else await expect.poll(changes).toBeGreaterThan(0);
    expect([seen.gets().length, seen.delays.length, seen.errors.length]).toEqual([1, 0, 0]);
  });
});

// With several nodes, clients can resume every stream.
if (nodeCount === 1)
  test("a call whose stream breaks before the first event fails, and is not repeated", async () => {
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const { client, served, ...seen } = await working(R4, {
      meanwhile: () => {
        enter();
        return new Promise(() => undefined);
      },
    });
    const call = client.callTool({ name: "work", arguments: { name: "a" } });
    call.catch(() => undefined);
    await entered;
    served.nodes[0]?.handle.server.closeAllConnections();
    await expect(call).rejects.toMatchObject({ code: "SEND_FAILED" });
    expect(seen.calls("work")).toBe(1);
    expect((await client.callTool({ name: "quick" })).content).toEqual([{ type: "text", text: "quick" }]);
  });
