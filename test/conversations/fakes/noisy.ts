import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { R4 } from "../messages.js";

/**
 * A server of the handshake era that misbehaves: it writes to stderr, splits messages within characters, prints lines that
 * are not JSON, sends a request during a call, and does not exit on SIGTERM.
 */
export async function playNoisy(): Promise<void> {
  process.on("SIGTERM", () => process.stderr.write("SIGTERM\n"));
  setInterval(() => undefined, 1_000);
  const cry = (): void => void process.stderr.write("FATAL: nothing is wrong\n");
  cry();
  for await (const line of createInterface(process.stdin)) {
    cry();
    const { id, method, result } = JSON.parse(line) as { id?: unknown; method?: string; result?: object };
    if (id === undefined && method === undefined) process.stderr.write(`what is this? ${line}\n`);
    if (method === "server/discover") await write({ id, error: { code: -32601, message: "no" } });
    if (method === "initialize") {
      const serverInfo = { name: "noisy", version: "1" };
      await write({ id, result: { protocolVersion: R4, capabilities: { tools: {} }, serverInfo } });
    }
    if (method === "tools/call") {
      writeSync(1, "this is no JSON\n");
      const message = "Grüße 你好 😀 \u2028 \u2029?";
      const requestedSchema = { type: "object", properties: {} };
      await write({ id: `of ${String(id)}`, method: "elicitation/create", params: { message, requestedSchema } });
    }
    if (result) await write({ id: Number(String(id).slice(3)), result: { content: [], structuredContent: result } });
  }
  process.stderr.write("end of input\n");
  await once(process, "never");
}

/** Writes a message in three chunks, split within multi-byte characters if there are any. */
async function write(message: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const inside = bytes.findIndex((byte) => byte >= 0xf0) + 1 || 10;
  for (const chunk of [bytes.subarray(0, inside), bytes.subarray(inside, inside + 1), bytes.subarray(inside + 1)]) {
    writeSync(1, chunk);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
