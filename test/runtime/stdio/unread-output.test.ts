/** A host that does not read: the server's process ends all the same. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { bundledServerTransport } from "./bundled.js";

const module = bundledServerTransport();

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a server whose output fills the pipe. Resolves when the pipe is full. */
async function start(script: string): Promise<Child> {
  const source = `
    const { StdioServerTransport } = await import(${JSON.stringify(module)});
    const big = { big: "x".repeat(10_000_000) };
    ${script}
    process.stderr.write("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stderr, "data");
  return child;
}

test("after it has closed the transport, as at SIGTERM", async () => {
  const child = await start(`
    const transport = new StdioServerTransport();
    await transport.start();
    transport.send(big);
    process.once("SIGTERM", () => transport.close());`);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("after the end of its input", async () => {
  const child = await start(`
    const transport = new StdioServerTransport();
    await transport.start();
    transport.send(big);
    await new Promise((resolve) => setImmediate(resolve));
    if (!process.stdin.isPaused()) process.exit(3);`);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("after maxQueuedBytes", async () => {
  const child = await start(`
    const transport = new StdioServerTransport(process.stdin, process.stdout, { maxQueuedBytes: 1_000 });
    transport.onclose = ({ code }) => (process.exitCode = code === "LIMIT_EXCEEDED" ? 42 : 1);
    await transport.start();
    transport.send(big);
    await new Promise((resolve) => setImmediate(resolve));
    try { transport.send(big); } catch {}`);
  expect(await once(child, "exit")).toEqual([42, null]);
});

test("but a host that reads slowly gets everything", async () => {
  const child = await start(`
    const transport = new StdioServerTransport();
    await transport.start();
    for (let i = 0; i < 100; i++) transport.send({ big: "x".repeat(70_000) });
    transport.close();`);
  let bytes = 0;
  // Reads for longer than \`close\` waits for a host that does not read.
  for (const until = performance.now() + 2_600; performance.now() < until;) {
    bytes += (child.stdout.read() as Buffer | null)?.length ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.stdout.on("data", (chunk: Buffer) => (bytes += chunk.length));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(bytes).toBe(100 * (70_000 + '{"big":""}\n'.length));
});
