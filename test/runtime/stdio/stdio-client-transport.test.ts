import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";
import { StdioClientTransport, type StdioServerParameters } from "../../../runtime/src/stdio/stdio-client-transport.js";
import { DEFAULT_INHERITED_ENV_VARS } from "../../../runtime/src/stdio/default-environment.js";
import { fixture } from "./bundled.js";

const ping: JSONRPCMessage = { jsonrpc: "2.0", id: 1, method: "ping" };

/** A client of the fixture that misbehaves in these ways, and the resulting events. */
function client(ways: readonly string[], parameters: Partial<StdioServerParameters> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fixture("server.mjs"), ...ways],
    stderr: "ignore",
    shutdown: { stdinMs: 1_000, termMs: 1_000 },
    ...parameters,
  });
  const events: unknown[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const happened = (event: unknown): void => {
    events.push(event);
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
  };
  transport.onmessage = happened;
  transport.onerror = (error) => happened({ code: (error as Error & { code: unknown }).code });
  transport.onclose = (error) => happened(`closed: ${error?.message ?? "without error"}`);
  onTestFinished(() => transport.close());
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      if (events.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { transport, events, until };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const name = `"${process.execPath}"`;

describe("a server that exits", () => {
  const table: readonly (readonly [name: string, ways: readonly string[], expected: readonly unknown[]])[] = [
    ["on start", ["exit=7"], [`closed: The server ${name} exited with code 7`]],
    ["on a message", ["exit-on-message=0"], [`closed: The server ${name} exited with code 0`]],
    [
      "within a message",
      ["truncate"],
      [{ jsonrpc: "2.0", method: "whole" }, `closed: The server ${name} exited with code 3 in the middle of a message`],
    ],
    ["its output", ["close-output", "deaf"], [`closed: The server ${name} closed its input or output`]],
  ];

  test.each(table)("%s", async (_name, ways, expected) => {
    const { transport, events, until } = client(ways, { shutdown: { stdinMs: 50, termMs: 50 } });
    await transport.start();
    void transport.send(ping);
    await until(expected.length);
    expect(events).toEqual(expected);
    expect(transport.pid).toBeNull();
    expect(() => transport.send(ping)).toThrow("not running");
  });

  test("on a signal", async () => {
    const { transport, events, until } = client(["ready"]);
    let data: unknown;
    const { onclose } = transport;
    transport.onclose = (error) => {
      data = (error as Error & { data: unknown }).data;
      onclose?.(error);
    };
    await transport.start();
    await until(1);
    process.kill(transport.pid ?? 0, "SIGKILL");
    await until(2);
    expect(events).toEqual(["ready", `closed: The server ${name} was ended by SIGKILL`]);
    expect(data).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("on the first message is restarted, and its standard error continues", async () => {
    const { transport, events, until } = client(["ready", "noise", "exit-on-message=0"], { stderr: "pipe" });
    const noise = textOf(transport.stderr as AsyncIterable<Uint8Array>);
    await transport.start();
    await expect(transport.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
    await until(1);
    void transport.send(ping);
    await until(2);
    await transport.start();
    await until(3);
    await transport.close();
    const closed = `closed: The server ${name} exited with code 0`;
    expect(events).toEqual(["ready", closed, "ready", "closed: without error"]);
    expect((await noise).match(/FATAL: nothing is wrong/g)).toHaveLength(4_000);
  });
});

describe("close", () => {
  // Steps that the server should not need have long limits, as a busy machine may take long to end a process.
  const table: readonly (readonly [
    name: string,
    ways: readonly string[],
    stderr: string,
    shutdown: { readonly stdinMs: number; readonly termMs: number },
    least: number,
  ])[] = [
    [
      "first ends the input",
      ["ready", "note-stdin", "note-sigterm"],
      "end of input\n",
      { stdinMs: 20_000, termMs: 20_000 },
      0,
    ],
    [
      "then sends SIGTERM",
      ["ready", "stay", "note-stdin", "note-sigterm"],
      "end of input\nSIGTERM\n",
      { stdinMs: 300, termMs: 20_000 },
      300,
    ],
    [
      "then sends SIGKILL",
      ["ready", "stay", "note-stdin", "ignore-sigterm"],
      "end of input\nSIGTERM\n",
      { stdinMs: 300, termMs: 300 },
      600,
    ],
  ];

  test.each(table)("%s", async (_name, ways, stderr, shutdown, least) => {
    const { transport, events, until } = client(ways, { stderr: "pipe", shutdown });
    const output = textOf(transport.stderr as AsyncIterable<Uint8Array>);
    await transport.start();
    await until(1);
    const { pid } = transport;
    const start = performance.now();
    await Promise.all([transport.close(), transport.close()]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(least - 5);
    expect(isAlive(pid ?? 0)).toBe(false);
    expect(await output).toBe(stderr);
    expect(events).toEqual(["ready", "closed: without error"]);
  });

  test("while the server starts ends it too", async () => {
    const { transport, events } = client(["stay"], { shutdown: { stdinMs: 10, termMs: 500 } });
    await Promise.all([transport.start(), transport.close()]);
    expect([transport.pid, events]).toEqual([null, ["closed: without error"]]);
  });

  test("delays the next start", async () => {
    const { transport, until } = client(["ready", "stay"], { shutdown: { stdinMs: 100, termMs: 500 } });
    await transport.start();
    await until(1);
    const before = transport.pid ?? 0;
    const closing = transport.close();
    await transport.start();
    expect([isAlive(before), isAlive(transport.pid ?? 0)]).toEqual([false, true]);
    await closing;
  });

  test("delivers queued messages", async () => {
    const { transport } = client([], { stderr: "pipe", args: ["-e", "process.stdin.pipe(process.stderr)"] });
    const output = textOf(transport.stderr as AsyncIterable<Uint8Array>);
    await transport.start();
    void transport.send(ping);
    await transport.close();
    expect(JSON.parse(await output)).toEqual(ping);
  });
});

describe("start", () => {
  const missing: readonly (readonly [name: string, parameters: StdioServerParameters])[] = [
    ["a command that does not exist", { command: "no-such-command" }],
    ["a directory that does not exist", { command: process.execPath, cwd: "/no/such/directory" }],
    ["a file that is not executable", { command: fixture("server.mjs") }],
    ["a command with a null byte", { command: "a\0b" }],
  ];

  test.each(missing)("rejects %s", async (_name, parameters) => {
    const transport = new StdioClientTransport(parameters);
    const failure = transport.start();
    await expect(failure).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await expect(failure).rejects.toThrow(
      `Cannot start "${parameters.command}" in ${parameters.cwd ?? process.cwd()} (`,
    );
    await expect(failure).rejects.toThrow("check that");
    await transport.close();
  });

  test("passes the server a safe environment, the given variables and the directory", async () => {
    const secret = "MCPWRIGHT_SECRET";
    process.env[secret] = "secret";
    process.env["TERM"] = "() { :; }";
    onTestFinished(() => {
      Reflect.deleteProperty(process.env, secret);
    });
    const { transport, events, until } = client(["environment"], { env: { ASKED: "for" }, cwd: "/" });
    await transport.start();
    await until(1);
    const { environment, cwd, pid } = events[0] as { environment: Record<string, string>; cwd: string; pid: number };
    expect([environment["ASKED"], environment["PATH"], environment["TERM"]]).toEqual([
      "for",
      process.env["PATH"],
      undefined,
    ]);
    const allowed = new Set([...DEFAULT_INHERITED_ENV_VARS, "ASKED"]);
    expect(Object.keys(environment).filter((variable) => !allowed.has(variable))).toEqual([]);
    expect([cwd, pid]).toEqual(["/", transport.pid]);
  });
});

test("starts a server without a shell: its arguments arrive as they are", async () => {
  const args = ["$HOME", "`id`", "; exit 7", "* | cat", "a b", '"', "'", "\\", ""];
  const prints = "console.log(JSON.stringify(process.argv.slice(1)))";
  const { transport, events, until } = client([], { args: ["-e", prints, "--", ...args] });
  await transport.start();
  await until(1);
  expect(events[0]).toEqual(args);
});

describe("while it runs", () => {
  test("output on standard error has no effect", async () => {
    const { transport, events, until } = client(["noise"]);
    await transport.start();
    void transport.send(ping);
    await until(1);
    expect(events).toEqual([ping]);
  });

  test("split messages are joined, and an invalid line is reported", async () => {
    const { transport, events, until } = client(["pieces"]);
    await transport.start();
    await until(2);
    expect(events).toEqual([{ code: -32700 }, { text: "é😀\u2028" }]);
  });

  test("a server that does not read: send returns a promise, and the queue is bounded", async () => {
    const { transport, events, until } = client(["deaf", "ready"], {
      maxQueuedBytes: 1_000_000,
      shutdown: { stdinMs: 10, termMs: 500 },
    });
    await transport.start();
    await until(1);
    let waiting: Promise<void> | undefined;
    expect(() => {
      for (;;) waiting = transport.send({ ...ping, params: { text: "x".repeat(10_000) } });
    }).toThrow("The peer reads too slowly");
    await waiting;
    expect(events).toEqual(["ready", expect.stringMatching("closed: The peer reads too slowly")]);
  });

  test("standard error can be read before the start", async () => {
    const { transport, until } = client(["noise", "ready"], { stderr: "pipe" });
    const first = once(transport.stderr ?? process.stdin, "data") as Promise<[Buffer]>;
    await transport.start();
    await until(1);
    expect((await first).toString()).toContain("FATAL: nothing is wrong 0");
  });
});

test("a response that is nested too deeply fails only its call", async () => {
  const serves = `
    const deep = (levels) => (levels === 0 ? 0 : [deep(levels - 1)]);
    const results = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "deep", version: "1" } },
      "tools/list": { tools: [], more: deep(999) },
    };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
    });`;
  const errors: Error[] = [];
  const subject = new Client({ name: "buyer", version: "1" }, { onerror: (error) => void errors.push(error) });
  onTestFinished(() => subject.close());
  await subject.connect(new StdioClientTransport({ command: process.execPath, args: ["-e", serves] }), {
    era: "handshake",
  });
  await expect(subject.listTools()).rejects.toMatchObject({
    code: "INVALID_MESSAGE",
    message: "the response cannot be read: The message is nested deeper than 1000 levels",
  });
  await subject.ping();
  expect(errors).toEqual([]);
});
