/** A server behind the gateway: its tools crash, hang, stall, flood and change it on request. */
import { z } from "zod";
import { serverSides } from "../../../generated/server-sides.js";
import { McpServer } from "../../../runtime/src/server.js";

export const stateUri = "soak://state";

/** What identifies a call: results, questions and progress repeat it. */
export function labelOf({ client, id, payload }: { client: string; id: number; payload: string }): string {
  return `${client} ${id} ${payload}`;
}

const call = z.object({ client: z.string(), id: z.number(), payload: z.string(), ms: z.number() });
const answer = (text: string) => ({ content: [{ type: "text" as const, text }] });
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** @param revision the only one that it speaks; default: all */
export function upstreamServer(revision?: string): McpServer {
  const server = new McpServer(
    { name: "upstream", version: "1.0.0" },
    {
      ...(revision !== undefined && { revisions: serverSides.filter((side) => side.revision === revision) }),
      capabilities: { logging: {} },
      onerror: () => undefined,
    },
  );
  server.registerTool("echo", { inputSchema: call }, async (args, { signal, progress }) => {
    progress({ progress: 1, message: labelOf(args) });
    if (args.ms > 0) await sleep(args.ms, signal);
    return answer(labelOf(args));
  });
  server.registerTool("ask", { inputSchema: call }, async (args, { elicit }) => {
    const { content } = await elicit("word", {
      mode: "form",
      message: labelOf(args),
      requestedSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    });
    return answer(`${labelOf(args)} ${String((content as { word?: unknown } | undefined)?.word)}`);
  });
  server.registerTool("hang", { inputSchema: call }, async (_args, { signal }) => {
    await sleep(600_000, signal);
    return answer("aborted");
  });
  server.registerTool("crash", { inputSchema: call }, ({ ms }) => {
    setTimeout(() => process.exit(1), ms);
    return answer("about to crash");
  });
  server.registerTool("stall", { inputSchema: call }, ({ ms }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return answer("stalled");
  });
  server.registerTool("flood", { inputSchema: call }, async (_args, { log }) => {
    for (let at = 0; at < 2_000; at++) {
      log("error", { at, text: "x".repeat(100) }, "flood");
      server.sendResourceUpdated({ uri: stateUri });
      if (at % 100 === 0) {
        server.sendToolListChanged();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return answer("flooded");
  });
  let extra: { remove(): void } | undefined;
  server.registerTool("flip", { inputSchema: call }, () => {
    extra?.remove();
    extra = extra ? undefined : server.registerTool("extra", {}, () => answer("extra"));
    return answer("flipped");
  });
  server.registerTool("touch", { inputSchema: call }, () => {
    server.sendResourceUpdated({ uri: stateUri });
    return answer("touched");
  });
  server.registerResource("state", stateUri, {}, ({ href }) => ({ contents: [{ uri: href, text: "state" }] }));
  return server;
}
