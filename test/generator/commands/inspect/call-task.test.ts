import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { inspectServer, type InspectOptions } from "../../../../generator/commands/inspect/inspect-server.js";
import type { InspectRequest } from "../../../../generator/commands/inspect/inspection.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks.js";
import { cli, startCli } from "../../../cli/command-line.js";
import { urlOf } from "../../shared/sessions/places.js";
import { reports, type ReportsOptions } from "../../shared/sessions/reports.js";
import { refusal } from "../../shared/files/sandbox.js";

const call = (name: string, task = true): InspectRequest => ({ kind: "call", name, arguments: {}, task });

async function called(request: InspectRequest, options: ReportsOptions = {}, more: Partial<InspectOptions> = {}) {
  const told: string[] = [];
  const target = [await urlOf(reports(options))];
  const inspection = await inspectServer({ target, request, tell: (line) => told.push(line), ...more });
  const { content = [] } = inspection.result as { content?: readonly { text: string }[] };
  // The ids of tasks are random.
  const shown = told.map((line) => line.replace(/task \S+:/, "task ID:"));
  return { ...inspection, told: shown, text: content[0]?.text };
}

describe.each([["2026-07-28"], ["2025-11-25"]])("in %s", (revision) => {
  const revisions = [revision];

  test("a call as a task shows each status, and gives the result", async () => {
    const { text, told, task, notes } = await called(call("make-report"), { revisions });
    expect({ text, notes }).toEqual({ text: "as a task", notes: [] });
    expect(told[0]).toMatch(/^task ID: (working|completed)/);
    expect(told.at(-1)).toMatch(/^task ID: completed/);
    expect(task).toMatchObject({ status: "completed", taskId: expect.any(String) as string });
  });

  test("a plain call works when the server answers with a task", async () => {
    const { text, task, told } = await called(call("review", false), { revisions }, { answer: { to: "Ada" } });
    expect(text).toBe("accept");
    expect(task).toMatchObject({ taskId: expect.any(String) as string });
    expect(told).toContain("the server requests input: Send it?");
    expect(told.some((line) => line.startsWith("task ID: input_required"))).toBe(true);
  });

  test("a failed tool is a result", async () => {
    const { result, text } = await called(call("failing"), { revisions });
    expect({ isError: result?.["isError"], text }).toEqual({ isError: true, text: "no paper" });
  });

  test("a tool that does not run as a task gives its result", async () => {
    const { text, told, task } = await called(call("plain"), { revisions });
    expect({ text, task }).toEqual({ text: "plain", task: undefined });
    expect(told).toEqual(["the server ran the tool without a task"]);
  });

  test("Ctrl-C cancels the task", { timeout: 60_000 }, async () => {
    const store = new MemoryTaskStore();
    const url = await urlOf(reports({ revisions, store }));
    const child = startCli(["inspect", url, "--call", "endless", "--task"]);
    let err = "";
    let id: string | undefined;
    child.stderr?.on("data", (chunk: Buffer) => {
      err += String(chunk);
      const [, found] = /task (\S+): working/.exec(err) ?? [];
      if (found !== undefined && id === undefined) {
        id = found;
        child.kill("SIGINT");
      }
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, err: err.split("\n").slice(1, 2) }).toEqual({ code: 130, err: [`cancelling the task ${id}`] });
    expect(err).not.toContain("rror");
    const stored = store.get(id ?? "", null);
    expect(stored?.status).toBe("cancelled");
  });
});

test("in a revision without tasks, a task is refused, and a plain call works", async () => {
  const revision = "2025-06-18";
  expect(await refusal("OUT", called(call("make-report"), {}, { revision }))).toEqual([
    "server-lacks: A call as a task is not possible: revision 2025-06-18 has no tasks",
  ]);
  expect((await called(call("make-report", false), {}, { revision })).text).toBe("at once");
});

test("a task that the server deletes is an error with a hint", async () => {
  const store = new MemoryTaskStore();
  const tell = (line: string): void => {
    const [, id] = /^task (\S+): working/.exec(line) ?? [];
    if (id !== undefined) void store.delete(id, null);
  };
  expect(await refusal("OUT", called(call("endless"), { store }, { tell }))).toEqual([
    "server-task-ended: the call of endless ran as a task, which has no result: the server does not have the task, or no longer",
  ]);
});

test("the command line prints the status on standard error, and the task in JSON", async () => {
  const url = await urlOf(reports());
  const { code, out, err } = await cli("inspect", url, "--call", "make-report", "--task", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    request: { call: "make-report" },
    result: { content: [{ text: "as a task" }] },
    task: { status: "completed" },
  });
  expect(err).toMatch(/^task \S+: /);
  const plain = await cli("inspect", url, "--call", "failing");
  expect(plain).toMatchObject({ code: 1, out: "The tool failed.\nno paper\n" });
});

test("--task requires --call", async () => {
  expect(await cli("inspect", "x", "--task")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--task requires --call.") as string,
  });
});
