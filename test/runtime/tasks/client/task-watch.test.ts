import type { InputRequest } from "../../../../runtime/src/client/client-request-handlers.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RemoteError, SdkError } from "../../../../runtime/src/jsonrpc/errors.js";
import { TaskWatch } from "../../../../runtime/src/tasks/client/task-watch.js";
import type { StateListener, TaskPort } from "../../../../runtime/src/tasks/client/task-port.js";
import type { Task } from "../../../../runtime/src/client.js";
import type { TaskState } from "../../../../runtime/src/tasks/client/task-state.js";

const start = Date.parse("2026-08-01T00:00:00Z");

/** A state that was reached `at` milliseconds after the creation. */
function state(
  status: Task["status"],
  at = 0,
  more: Partial<Task> = {},
  rest: Omit<TaskState, "task"> = {},
): TaskState {
  const lastUpdatedAt = new Date(start + at).toISOString();
  return {
    task: {
      taskId: "t",
      status,
      createdAt: new Date(start).toISOString(),
      lastUpdatedAt,
      ttlMs: null,
      pollIntervalMs: 1_000,
      ...more,
    },
    ...rest,
  };
}

const completed = (at: number): TaskState => state("completed", at, {}, { outcome: { result: { content: [] } } });

const unknown = new RemoteError(-32602, "Task not found");

/** A server that responds with the next state of a script at each poll, and repeats the last one. */
class FakePort implements TaskPort {
  readonly taskId = "t";
  readonly polledAt: number[] = [];
  readonly handled: string[] = [];
  readonly answers: [string, object][] = [];
  listener: StateListener | undefined;
  isActive = false;
  answering: (request: InputRequest, signal: AbortSignal) => Promise<object> = () =>
    Promise.resolve({ action: "accept" });
  answer: TaskPort["answer"] = (key, answer) => {
    this.answers.push([key, answer]);
    return Promise.resolve();
  };
  readonly callHook = (hook: () => unknown): void => void hook();

  constructor(
    readonly script: (TaskState | Error)[],
    readonly getOutcome?: (() => Promise<unknown>) | undefined,
  ) {}

  get(): Promise<TaskState> {
    this.polledAt.push(performance.now());
    const [next = completed(9)] = this.script.length > 1 ? this.script.splice(0, 1) : this.script;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  }

  handleInput(request: InputRequest, signal: AbortSignal): Promise<object> {
    this.handled.push(request.method);
    return this.answering(request, signal);
  }

  cancel(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  readResult(result: unknown): Record<string, unknown> {
    return result as Record<string, unknown>;
  }

  subscribe(listener: StateListener): { readonly isActive: boolean; close(): void } {
    this.listener = listener;
    const isActive = (): boolean => this.isActive;
    return {
      get isActive() {
        return isActive();
      },
      close: () => void (this.listener = undefined),
    };
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow(port: FakePort, first: TaskState = state("working")): TaskWatch {
  return new TaskWatch(port, first).start();
}

describe("a watched task", () => {
  test("is polled by its interval, never sooner, until it has ended", async () => {
    const port = new FakePort([state("working", 1), state("working", 2, { pollIntervalMs: 5_000 }), completed(3)]);
    const begun = performance.now();
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    const [first = 0, second = 0, third = 0] = port.polledAt.map((at) => at - begun);
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(first).toBeLessThanOrEqual(1_101);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(5_000);
    expect(port.polledAt).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
    expect(port.listener).toBeUndefined();
  });

  test.each([
    [undefined, 1_000],
    [0, 100],
    [1, 100],
    [250, 250],
  ])("with the interval %s is polled after %s ms", async (pollIntervalMs, expected) => {
    const first = state("working");
    const { pollIntervalMs: _, ...rest } = first.task;
    const task = pollIntervalMs === undefined ? rest : { ...rest, pollIntervalMs };
    const port = new FakePort([completed(1)]);
    const begun = performance.now();
    const watch = follow(port, { task });
    await vi.advanceTimersByTimeAsync(2_000);
    await watch.result;
    expect((port.polledAt[0] ?? 0) - begun).toBeGreaterThanOrEqual(expected);
    expect((port.polledAt[0] ?? 0) - begun).toBeLessThanOrEqual(expected * 1.1 + 1);
  });

  test("that has ended already is not polled", async () => {
    const port = new FakePort([]);
    await expect(follow(port, completed(0)).result).resolves.toEqual({ content: [] });
    expect(port.polledAt).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("reports each change of status or message once, and its end", async () => {
    const port = new FakePort([
      state("working", 1, { statusMessage: "half" }),
      state("working", 2, { statusMessage: "half" }),
      completed(3),
    ]);
    const watch = new TaskWatch(port, state("working"));
    const seen: unknown[] = [];
    watch.onChange((task) => seen.push(task && [task.status, task.statusMessage]));
    watch.start();
    await vi.advanceTimersByTimeAsync(10_000);
    await watch.result;
    expect(seen).toEqual([["working", undefined], ["working", "half"], ["completed", undefined], undefined]);
  });

  test.each([
    [
      "failed with the error of its request",
      state("failed", 1, {}, { outcome: { error: new RemoteError(-5, "no", 7) } }),
      { name: "RemoteError", code: -5, message: "no", data: 7 },
    ],
    [
      "cancelled",
      state("cancelled", 1, { statusMessage: "by Ann" }),
      { code: "TASK_CANCELLED", message: "the task was cancelled: by Ann", taskId: "t" },
    ],
    ["not known to its server", unknown, { code: "TASK_NOT_FOUND", taskId: "t", cause: unknown }],
    ["refused by its server", new RemoteError(-32021, "missing"), { code: -32021 }],
    ["unreadable", new SdkError("INVALID_RESULT", "bad"), { code: "INVALID_RESULT" }],
  ])("that is %s rejects", async (_name, last, error) => {
    const watch = follow(new FakePort([last]));
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(watch.result).rejects.toMatchObject(error);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("expires by its ttlMs with a last poll, even with a long interval", async () => {
    const port = new FakePort([state("working", 0, { ttlMs: 3_000, pollIntervalMs: 60_000 })]);
    const begun = performance.now();
    const watch = follow(port, state("working", 0, { ttlMs: 3_000, pollIntervalMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(3_100);
    await expect(watch.result).rejects.toMatchObject({ code: "TASK_EXPIRED", taskId: "t" });
    expect(watch.hasEnded).toBe(true);
    expect(port.polledAt.map((at) => at - begun)).toEqual([3_000]);
  });

  test("that its server has deleted after its ttlMs has expired", async () => {
    const watch = follow(new FakePort([unknown]), state("working", 0, { ttlMs: 500 }));
    await vi.advanceTimersByTimeAsync(600);
    await expect(watch.result).rejects.toMatchObject({ code: "TASK_EXPIRED" });
  });

  test("lives longer when its server extends its ttlMs, and ends in time", async () => {
    const port = new FakePort([
      state("working", 1, { ttlMs: 10_000 }),
      state("working", 2, { ttlMs: 10_000 }),
      completed(3),
    ]);
    const watch = follow(port, state("working", 0, { ttlMs: 1_500 }));
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
  });

  test("does not depend on the wall clock: neither a skew of the server's nor a jump changes its expiry", async () => {
    const port = new FakePort([state("working", 1, { ttlMs: 5_000 })]);
    const watch = follow(port, state("working", 0, { ttlMs: 5_000 }));
    await vi.advanceTimersByTimeAsync(2_000);
    vi.setSystemTime(start + 1e12);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(watch.hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(watch.result).rejects.toMatchObject({ code: "TASK_EXPIRED" });
  });

  test("survives polls that fail, with longer pauses", async () => {
    const lost = new SdkError("RESPONSE_LOST", "lost");
    const port = new FakePort([
      lost,
      new RemoteError(-32603, "busy"),
      new SdkError("HTTP_ERROR", "503", { status: 503 }),
      completed(1),
    ]);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(port.polledAt).toHaveLength(4);
  });

  test.each([
    new SdkError("NOT_CONNECTED", "closed"),
    new SdkError("HTTP_ERROR", "403", { status: 403 }),
    new SdkError("UNAUTHORIZED", "log in"),
  ])("is given up when a poll can never succeed: %s", async (error) => {
    const port = new FakePort([error]);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(watch.result).rejects.toBe(error);
    expect(port.polledAt).toHaveLength(1);
    expect(watch.hasEnded).toBe(false);
  });

  test("is given up after eight failed polls in a row", async () => {
    const lost = new SdkError("REQUEST_TIMEOUT", "late");
    const port = new FakePort([lost]);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(600_000);
    await expect(watch.result).rejects.toBe(lost);
    expect(port.polledAt).toHaveLength(8);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that is stopped ends at once, and its port is left alone", async () => {
    const port = new FakePort([state("working", 1)]);
    const watch = follow(port);
    watch.stop(new Error("enough"));
    await expect(watch.result).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(port.polledAt).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a watched task whose server pushes states", () => {
  test("is polled once by its interval, then only for safety", async () => {
    const port = new FakePort([state("working", 1)]);
    port.isActive = true;
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(port.polledAt).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(port.polledAt).toHaveLength(1);
    port.listener?.onState(completed(2));
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is polled by its interval again after a gap", async () => {
    const port = new FakePort([completed(1)]);
    port.isActive = true;
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(1_500);
    port.isActive = false;
    port.listener?.onGap();
    await vi.advanceTimersByTimeAsync(1_101);
    await expect(watch.result).resolves.toEqual({ content: [] });
  });

  test("never goes back: an older state is ignored, and so is everything after the end", async () => {
    const port = new FakePort([state("working", 1)]);
    const watch = new TaskWatch(port, state("working", 0));
    const seen: unknown[] = [];
    watch.onChange((task) => seen.push(task?.status));
    watch.start();
    const { listener } = port;
    listener?.onState(state("input_required", 5));
    listener?.onState(state("working", 4));
    listener?.onState(completed(6));
    listener?.onState(state("cancelled", 7));
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(seen).toEqual(["working", "input_required", "completed", undefined]);
  });

  test("takes a pushed end while a poll is in progress", async () => {
    const port = new FakePort([]);
    port.get = () => new Promise(() => undefined);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(1_200);
    port.listener?.onState(completed(2));
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("input requests of a watched task", () => {
  const asks = (at: number, ...keys: string[]): TaskState =>
    state("input_required", at, {}, { inputRequests: Object.fromEntries(keys.map((key) => [key, { method: key }])) });

  test("are answered once each, as they appear", async () => {
    const port = new FakePort([
      asks(1, "a"),
      asks(1, "a"),
      asks(2, "a", "b"),
      state("working", 3),
      asks(4, "c"),
      completed(5),
    ]);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(port.handled).toEqual(["a", "b", "c"]);
    expect(port.answers.map(([key]) => key)).toEqual(["a", "b", "c"]);
  });

  test("are no longer handled when the task does not need the answer, or has ended", async () => {
    const signals: AbortSignal[] = [];
    const port = new FakePort([asks(1, "a", "b"), asks(2, "b"), state("cancelled", 3)]);
    port.answering = (_request, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    };
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect(watch.result).rejects.toMatchObject({ code: "TASK_CANCELLED" });
    expect(port.answers).toEqual([]);
  });

  test("that cannot be answered end the watch", async () => {
    const port = new FakePort([asks(1, "a")]);
    port.answering = () => Promise.reject(new Error("no handler"));
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(watch.result).rejects.toThrow("no handler");
    expect(watch.hasEnded).toBe(false);
  });

  test("are answered again when the answer was lost, and not when it was rejected", async () => {
    const port = new FakePort([asks(1, "a"), asks(1, "a"), asks(1, "a"), completed(2)]);
    const errors = [new SdkError("RESPONSE_LOST", "lost")];
    const { answer } = port;
    port.answer = (key, value) => {
      const error = errors.shift();
      return error ? Promise.reject(error) : answer(key, value);
    };
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(port.answers).toHaveLength(1);
  });

  test("whose answer the server rejects end the watch, unless the task has gone on", async () => {
    const refusal = new RemoteError(-32602, "malformed");
    for (const [next, outcome] of [
      [asks(1, "a"), { error: refusal }],
      [completed(2), { result: { content: [] } }],
      [unknown, { error: expect.objectContaining({ code: "TASK_NOT_FOUND" }) as Error }],
    ] as const) {
      const port = new FakePort([asks(1, "a"), next]);
      port.answer = () => Promise.reject(refusal);
      const watch = follow(port);
      await vi.advanceTimersByTimeAsync(10_000);
      const settled = await watch.result.then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      expect(settled).toEqual(outcome);
    }
  });
});

describe("a watched task whose outcome is requested separately", () => {
  test("gets it when it has ended", async () => {
    const getOutcome = vi.fn(() => Promise.resolve({ content: [] }));
    const port = new FakePort([state("working", 1), state("completed", 2)], getOutcome);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(getOutcome).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("gets the error of its request", async () => {
    const error = new RemoteError(-7, "no", { a: 1 });
    const watch = follow(new FakePort([state("failed", 2)], () => Promise.reject(error)));
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(watch.result).rejects.toBe(error);
  });

  test("requests it while input is required, once, and goes on polling", async () => {
    let resolve!: (value: unknown) => void;
    const getOutcome = vi.fn(() => new Promise((done) => (resolve = done)));
    const port = new FakePort([state("input_required", 1)], getOutcome);
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(getOutcome).toHaveBeenCalledOnce();
    expect(port.polledAt.length).toBeGreaterThanOrEqual(4);
    resolve({ content: [] });
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("was cancelled, although the request for its outcome failed first", async () => {
    const port = new FakePort([state("input_required", 1), state("cancelled", 2)], () =>
      Promise.reject(new RemoteError(-32603, "cancelled")),
    );
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(watch.result).rejects.toMatchObject({ code: "TASK_CANCELLED" });
  });

  test("gets it although the response was lost", async () => {
    const outcomes = [new SdkError("RESPONSE_LOST", "lost"), new SdkError("SESSION_LOST", "lost")];
    const port = new FakePort([state("completed", 1)], () => {
      const error = outcomes.shift();
      return error ? Promise.reject(error) : Promise.resolve({ content: [] });
    });
    const watch = follow(port);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(watch.result).resolves.toEqual({ content: [] });
    expect(vi.getTimerCount()).toBe(0);
  });
});
