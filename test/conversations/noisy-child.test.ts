import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { bundle, child } from "./transports.js";
import { recordedClient } from "./client.js";
import { R4, stateless } from "./messages.js";

test("a client works with a noisy server, and terminates it on close", async () => {
  const { client, errors } = recordedClient({ capabilities: { elicitation: {} } });
  const questions: string[] = [];
  client.setRequestHandler("elicitation/create", ({ message }) => {
    questions.push(message);
    return { action: "decline" };
  });
  const transport = child({ stderr: "pipe", shutdown: { stdinMs: 100, termMs: 100 } }, "noisy");
  const noise = textOf(transport.stderr as AsyncIterable<Uint8Array>);
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(R4);
  const { structuredContent } = await client.callTool({ name: "ask" });
  expect(structuredContent).toEqual({ action: "decline" });
  expect(questions).toEqual(["Grüße 你好 😀 \u2028 \u2029?"]);
  expect(errors).toMatchObject([{ code: -32700 }]);

  const pid = transport.pid ?? 0;
  let rejections = 0;
  const pending = client.callTool({ name: "ask" }).catch((error: unknown) => {
    rejections++;
    throw error;
  });
  await Promise.all([expect(pending).rejects.toMatchObject({ code: "CONNECTION_CLOSED" }), client.close()]);
  expect(rejections).toBe(1);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  const lines = (await noise).split("\n").filter((line) => !line.startsWith("FATAL"));
  expect(lines).toEqual(["end of input", "SIGTERM", ""]);
});

test("a server reports unreadable input, and continues", async () => {
  const server = spawn(process.execPath, [bundle(), "serve", "workshop"], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  const count = JSON.stringify({ jsonrpc: "2.0", ...stateless("ü😀", "tools/call", { name: "count" }) });

  const unreadable = { jsonrpc: "2.0", error: { code: -32700 } };
  for (const line of ["{", "not JSON", '{"jsonrpc":"2.0","id":1', "\u0000"]) {
    server.stdin.write(`${line}\n`);
    const answer = await next();
    expect(answer).toMatchObject(unreadable);
    expect(answer).not.toHaveProperty("id");
  }
  server.stdin.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
  expect(await next()).toMatchObject(unreadable);

  const bytes = Buffer.from(`\r\n\n${count}\r\n`);
  for (const byte of bytes) server.stdin.write(Buffer.of(byte));
  expect(await next()).toMatchObject({ id: "ü😀", result: { content: [{ text: "1" }] } });

  server.stdin.write(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}\n`);
  expect(await next()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
  server.stdin.end(count);
  const exited = once(server, "exit");
  expect((await lines.next()).done).toBe(true);
  expect(await exited).toEqual([0, null]);
});
