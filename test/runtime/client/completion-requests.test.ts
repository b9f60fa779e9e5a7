import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { CompleteRequestParams, CompleteResult } from "../../../runtime/src/authoring.js";
import { completionParams, debounceCompletions } from "../../../runtime/src/client.js";
import { McpServer, rankCompletions } from "../../../runtime/src/server.js";
import { connect, eras, info } from "../api/pair.js";

const ref = { type: "ref/prompt", name: "review" } as const;

describe("the params of a completion request", () => {
  test.each([
    ["nothing is entered", {}, "", undefined],
    ["only the argument is entered", { b: "x" }, "x", undefined],
    ["others are entered", { a: "1", b: "x", c: "2" }, "x", { a: "1", c: "2" }],
    ["others are empty or undefined", { a: "", b: "", c: undefined, d: "1" }, "", { d: "1" }],
  ])("%s", (_what, values, value, others) => {
    expect(completionParams(ref, "b", values)).toEqual({
      ref,
      argument: { name: "b", value },
      ...(others && { context: { arguments: others } }),
    });
  });
});

describe("debounced completion requests", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const params = (value: string) => completionParams(ref, "b", { b: value });

  /** A client whose requests the test answers. */
  function fakeClient() {
    const sent: { value: string; signal: AbortSignal | undefined; answer: (values: string[]) => void }[] = [];
    const complete = (
      { argument }: Pick<CompleteRequestParams, "argument">,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<CompleteResult> =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        const answer = (values: string[]): void => resolve({ resultType: "complete", completion: { values } });
        sent.push({ value: argument.value, signal, answer });
      });
    return { sent, complete };
  }

  test("only the last of several quick calls is sent, after the pause", async () => {
    const { sent, complete } = fakeClient();
    const suggest = debounceCompletions({ complete });
    const first = suggest(params("p"));
    await vi.advanceTimersByTimeAsync(199);
    const second = suggest(params("py"));
    expect(await first).toBeUndefined();
    await vi.advanceTimersByTimeAsync(199);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.map(({ value }) => value)).toEqual(["py"]);
    sent[0]?.answer(["python"]);
    expect(await second).toMatchObject({ completion: { values: ["python"] } });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a later call cancels a request that was sent", async () => {
    const { sent, complete } = fakeClient();
    const suggest = debounceCompletions({ complete }, { delayMs: 10 });
    const first = suggest(params("p"));
    await vi.advanceTimersByTimeAsync(10);
    const second = suggest(params("py"));
    expect(await first).toBeUndefined();
    expect(sent[0]?.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(10);
    sent[1]?.answer(["python"]);
    expect(await second).toMatchObject({ completion: { values: ["python"] } });
  });

  test("an outdated result is dropped even if it arrives", async () => {
    const complete = vi.fn(() =>
      Promise.resolve<CompleteResult>({ resultType: "complete", completion: { values: [] } }),
    );
    const suggest = debounceCompletions({ complete }, { delayMs: 0 });
    const first = suggest(params("p"));
    await vi.advanceTimersToNextTimerAsync();
    expect(await first).toBeDefined();
    const late = suggest(params("p"));
    vi.advanceTimersToNextTimer();
    const last = suggest(params("py"));
    expect(await late).toBeUndefined();
    await vi.advanceTimersToNextTimerAsync();
    expect(await last).toBeDefined();
  });

  test("the caller's signal aborts the pause and the request, and errors are thrown", async () => {
    const { sent, complete } = fakeClient();
    const suggest = debounceCompletions({ complete });
    for (const pause of [0, 200]) {
      const controller = new AbortController();
      const call = expect(suggest(params("p"), { signal: controller.signal })).rejects.toThrow("stop");
      await vi.advanceTimersByTimeAsync(pause);
      controller.abort(new Error("stop"));
      await call;
    }
    expect(sent).toHaveLength(1);
    await expect(suggest(params("p"), { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
    const failing = debounceCompletions({ complete: () => Promise.reject(new Error("no server")) });
    const call = expect(failing(params("p"))).rejects.toThrow("no server");
    await vi.advanceTimersByTimeAsync(200);
    await call;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("ranked completions", () => {
  test.each([
    ["begins", "py", ["puppy", "perl", "Python", "pypy"], ["Python", "pypy", "puppy"]],
    ["empty", "", ["b", "a"], ["b", "a"]],
    ["twice", "a", ["ba", "a", "ba", "a"], ["a", "ba"]],
    ["none", "x", ["a"], []],
  ])("%s", (_what, value, candidates, ranked) => {
    expect(rankCompletions(value, candidates)).toEqual(ranked);
  });
});

test.each(eras)("%s: what is entered reaches the server, and the total is that of all matches", async (revision) => {
  const server = new McpServer(info);
  server.registerPrompt(
    "review",
    {
      argsSchema: z.object({ language: z.string(), framework: z.string() }),
      complete: {
        framework: (value, context) =>
          rankCompletions(
            value,
            Array.from({ length: 150 }, (_, n) => `${String(context.arguments["language"])}-${n}`),
          ),
      },
    },
    () => ({ messages: [{ role: "user", content: { type: "text", text: "" } }] }),
  );
  const { client } = await connect(server, revision);
  const values = { language: "python", framework: "-1" };
  const { completion } = await client.complete(completionParams(ref, "framework", values));
  expect(completion).toMatchObject({ total: 61, hasMore: false });
  expect(completion.values.slice(0, 2)).toEqual(["python-1", "python-10"]);
  const all = await client.complete(completionParams(ref, "framework", { language: "python" }));
  expect(all.completion).toMatchObject({ total: 150, hasMore: true });
  expect(all.completion.values).toHaveLength(100);
});
