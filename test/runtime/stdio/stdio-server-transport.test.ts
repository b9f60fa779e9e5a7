import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";
import { StdioServerTransport } from "../../../runtime/src/stdio/stdio-server-transport.js";
import type { StdioOptions } from "../../../runtime/src/stdio/options.js";
import { bundledServerTransport, fixture } from "./bundled.js";

const module = bundledServerTransport();
const text = (value: unknown): JSONRPCMessage => ({ jsonrpc: "2.0", method: "text", params: { value } });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** An open transport, its events, and the streams behind it. */
async function open<Output extends Writable>(stdout: Output, options?: StdioOptions) {
  const stdin = new PassThrough();
  const transport = new StdioServerTransport(stdin, stdout, options);
  const events: unknown[] = [];
  transport.onmessage = (message) => void events.push(message);
  transport.onerror = (error) => void events.push(`error: ${error.message}`);
  transport.onclose = (error) => void events.push(`closed: ${error?.message ?? "without error"}`);
  await transport.start();
  onTestFinished(() => transport.close());
  return { stdin, stdout, transport, events };
}

/** Keeps the writes it gets; `stuck` never finishes one. */
class Sink extends Writable {
  readonly writes: string[] = [];
  stuck = false;
  release: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk.toString());
    if (this.stuck) this.release = done;
    else done();
  }
}

describe("reading", () => {
  test("the end of the input closes the transport without an error", async () => {
    const { stdin, events } = await open(new Sink());
    stdin.end("1\n2\n");
    await once(stdin, "close");
    expect(events).toEqual([1, 2, "closed: without error"]);
  });

  test("an unreadable message is reported, and the next message is read", async () => {
    const { stdin, events } = await open(new Sink(), { maxMessageBytes: 10 });
    stdin.write('oops\n"12345678901234567890"\n3\n');
    await turn();
    expect(events).toEqual([
      expect.stringMatching(/^error: Parse error: /),
      "error: The message is longer than 10 bytes",
      3,
    ]);
  });

  test("a truncated message at the end is reported and not parsed", async () => {
    const { stdin, events } = await open(new Sink());
    stdin.end("1\n23");
    await once(stdin, "close");
    expect(events).toEqual([
      1,
      "error: The stream ended within a message, after 2 bytes of it",
      "closed: without error",
    ]);
  });

  test("a failing input closes the transport with the error", async () => {
    const { stdin, events } = await open(new Sink());
    stdin.destroy(new Error("broken"));
    await turn();
    expect(events).toEqual(["closed: broken"]);
  });

  test("input with an encoding is read, too", async () => {
    const { stdin, events } = await open(new Sink());
    stdin.setEncoding("utf8");
    stdin.write('"é"\n');
    await turn();
    expect(events).toEqual(["é"]);
  });
});

describe("writing", () => {
  test("the messages of one turn are one write", async () => {
    const { transport, stdout } = await open(new Sink());
    const answer = async (at: number): Promise<void> => {
      for (let awaits = 0; awaits < at; awaits++) await Promise.resolve();
      await transport.send(text(at));
    };
    await Promise.all(Array.from({ length: 64 }, (_, at) => answer(at)));
    await turn();
    expect(stdout.writes).toHaveLength(1);
    expect(stdout.writes[0]?.split("\n")).toHaveLength(65);
  });

  test("a message that cannot be printed throws, and the others are sent", async () => {
    const { transport, stdout } = await open(new Sink());
    void transport.send(text(1));
    expect(() => transport.send(text(1n))).toThrow(TypeError);
    void transport.send(text(2));
    await turn();
    expect(stdout.writes).toEqual([`${JSON.stringify(text(1))}\n${JSON.stringify(text(2))}\n`]);
  });

  test("a slow reader: send returns a promise, reading pauses, and both resume", async () => {
    const { transport, stdin, stdout, events } = await open(new Sink({ highWaterMark: 10 }));
    stdout.stuck = true;
    expect(transport.send(text("fill"))).toBeUndefined();
    await turn();
    const waiting = transport.send(text("more"));
    expect(waiting).toBeInstanceOf(Promise);
    stdin.write("1\n");
    await turn();
    expect([stdin.isPaused(), events]).toEqual([true, []]);
    stdout.stuck = false;
    stdout.release?.();
    await waiting;
    await turn();
    expect([stdin.isPaused(), events]).toEqual([false, [1]]);
    expect(stdout.writes).toHaveLength(2);
  });

  test("a reader that stops reading: the queue is bounded", async () => {
    const { transport, stdout, events } = await open(new Sink(), { maxQueuedBytes: 1_000_000 });
    stdout.stuck = true;
    const waiting: unknown[] = [];
    expect(() => {
      for (;;) waiting.push(transport.send(text("x".repeat(10_000))));
    }).toThrow("The peer reads too slowly: 1000000 bytes are queued (option maxQueuedBytes)");
    expect(waiting.length).toBeLessThanOrEqual(101);
    expect(events).toEqual(["closed: The peer reads too slowly: 1000000 bytes are queued (option maxQueuedBytes)"]);
    expect(() => transport.send(text("late"))).toThrow("not open");
    await Promise.all(waiting);
    await transport.close();
    expect(stdout.destroyed).toBe(true);
  });

  test("a closed reader closes the transport", async () => {
    const { transport, stdout, events } = await open(new PassThrough());
    stdout.destroy();
    void transport.send(text(1));
    await turn();
    expect(events).toEqual([expect.stringMatching(/^closed: .*destroyed/)]);
  });

  test("close writes the queued messages and ends the streams", async () => {
    const { transport, stdin, stdout } = await open(new Sink());
    void transport.send(text("last"));
    await transport.close();
    expect(stdout.writes.join("")).toBe(`${JSON.stringify(text("last"))}\n`);
    expect([stdout.writableEnded, stdin.destroyed]).toEqual([true, true]);
  });
});

describe("opening", () => {
  test("rejects a second start, and a second transport on the same output", async () => {
    const { transport, stdout } = await open(new Sink());
    await expect(transport.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
    const other = new StdioServerTransport(new PassThrough(), stdout);
    await expect(other.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
  });

  test("rejects input that has ended", async () => {
    const stdin = Readable.from([]).resume();
    await once(stdin, "close");
    await expect(new StdioServerTransport(stdin, new Sink()).start()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });

  test("throws when a message is sent before the start", () => {
    const transport = new StdioServerTransport(new PassThrough(), new Sink());
    expect(() => transport.send(text(1))).toThrow("not open");
  });
});

describe("a process", () => {
  test("redirects other writes to standard output to standard error, until it is closed", async () => {
    const child = promisify(execFile)(process.execPath, [fixture("stdout.mjs"), module]);
    const { stdout, stderr } = await child;
    expect(stdout).toBe('before\n{"second":"ALREADY_CONNECTED"}\nafter true\nwrapped by somebody else\n');
    expect(stderr).toBe("log\nwrite\ncallback\ndiverted again\n");
  });

  test("survives a host that closes both pipes", async () => {
    const script = `
      const { StdioServerTransport } = await import(${JSON.stringify(module)});
      const transport = new StdioServerTransport();
      transport.onmessage = () => {
        console.log("to stderr");
        process.stdout.write("to stderr");
        for (let i = 0; i < 100; i++) transport.send({ big: "x".repeat(10_000) });
      };
      transport.onclose = (error) => {
        process.exitCode = error?.code === "EPIPE" ? 42 : 1;
        console.log("late");
        process.stdout.write("late");
      };
      await transport.start();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.write("1\n");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(42);
  });

  test("can open its streams again", async () => {
    const script = `
      const { StdioServerTransport } = await import(${JSON.stringify(module)});
      const transport = new StdioServerTransport();
      transport.onmessage = async (message) => {
        await transport.send(message);
        await transport.close();
        await transport.start();
      };
      await transport.start();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    for (const message of ["[1]", "[2]", "[3]"]) {
      child.stdin.write(`${message}\n`);
      expect(await once(child.stdout, "data")).toEqual([Buffer.from(`${message}\n`)]);
    }
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("exits when the transport is closed while the peer reads slowly", async () => {
    const script = `
      const { StdioServerTransport } = await import(${JSON.stringify(module)});
      const transport = new StdioServerTransport();
      await transport.start();
      transport.send({ big: "x".repeat(1_000_000) });
      setTimeout(() => transport.close(), 50);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    setTimeout(() => child.stdout.resume(), 300);
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("exits when its input has ended", async () => {
    const script = `
      const { StdioServerTransport } = await import(${JSON.stringify(module)});
      const transport = new StdioServerTransport();
      transport.onmessage = (message) => transport.send(message);
      await transport.start();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stdin.end("{}\n[]\n");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(output).toBe("{}\n[]\n");
  });
});

test("writes with fake timers, too", async () => {
  const { setTimeout: realTimeout } = globalThis;
  const { stdout, transport } = await open(new Sink());
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  void transport.send(text(1));
  await new Promise((resolve) => realTimeout(resolve, 20));
  expect(stdout.writes).toHaveLength(1);
});
