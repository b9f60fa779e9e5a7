/** The process of an HTTP server, which injects faults into itself on request: `node --expose-gc http-server.mjs`. */
import { jump } from "./clock.js";
import { closeSync, openSync } from "node:fs";
import { heldBytes } from "../../bench/shared/held-bytes.js";
import type { Endpoint } from "../../runtime/src/http-server/endpoint.js";
import { serveHttp } from "../../runtime/src/node.js";
import { MemoryBackplane } from "../../runtime/src/backplane.js";
import { SdkError } from "../../runtime/src/index.js";
import { serveHostile } from "../hostile/http-subject.js";
import type { FromServer, ToServer } from "./messages.js";
import { failureOf } from "./model.js";
import { soakServer } from "./soak-server.js";

/** A backplane whose disk can be full. */
class Store extends MemoryBackplane {
  isFull = false;

  override append(...entry: Parameters<MemoryBackplane["append"]>): string {
    if (this.isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    return super.append(...entry);
  }
}

/** Is this the error that the tool `fail` throws? A server reports each error of a tool, with its stack. */
function isOfFailingTool({ message }: Error): boolean {
  const nonce = message.split(" ")[1];
  return nonce !== undefined && message === failureOf(nonce);
}

const reports: Record<string, number> = {};
const unexpected: string[] = [];
const report = (error: Error): void => {
  const { code } = error as { code?: unknown };
  const kind = typeof code === "string" || typeof code === "number" ? String(code) : error.name;
  reports[kind] = (reports[kind] ?? 0) + 1;
  // The server rejects an expired state, and a jump of the clock can make it expire.
  const isKnown =
    error instanceof SdkError ||
    typeof code === "number" ||
    error.message.startsWith("requestState of") ||
    isOfFailingTool(error);
  const { cause } = error as { cause?: { code?: unknown } };
  const isOfSystem = /^(ENOSPC|ECONNRESET|EPIPE|ERR_STREAM|ABORT)/.test(String(code ?? cause?.code));
  if (!isKnown && !isOfSystem && unexpected.length < 20) unexpected.push(error.stack ?? String(error));
};

const backplane = new Store();
const { server, calls } = soakServer(report, backplane);
const served = await serveHttp(server, {
  resumption: { ttlMs: 30_000 },
  keepAliveMs: 1_000,
  retryInterval: 50,
  sessions: { idleMs: 60_000 },
});
const hostile = await serveHostile();

/** The number of descriptors to open if the system sets no limit. */
const mostDescriptors = 5_000;
const taken: number[] = [];
function exhaust(): void {
  try {
    while (taken.length < mostDescriptors) taken.push(openSync("/dev/null", "r"));
  } catch {
    // No descriptor is left.
  }
}

function tell(message: FromServer): void {
  process.send?.(message);
}

process.on("message", (message: ToServer) => {
  switch (message.type) {
    case "jump":
      return jump(message.monotonicMs, message.dateMs);
    case "store":
      backplane.isFull = message.full;
      return;
    case "descriptors":
      if (message.exhausted) return exhaust();
      for (const descriptor of taken.splice(0)) closeSync(descriptor);
      return;
    case "close":
      process.off("disconnect", orphaned);
      void Promise.all([served.close(), hostile.close()]).then(() => process.disconnect());
      return;
    case "state":
      void state();
  }
});

/** The driver's process has ended. */
function orphaned(): void {
  process.exit(1);
}
process.on("disconnect", orphaned);

async function state(): Promise<void> {
  const heapBytes = await heldBytes();
  const sockets = await new Promise<number>((resolve) => served.server.getConnections((_, count) => resolve(count)));
  const connections = server.server.connections.size;
  const exchanges = (served.handler.endpoint as Endpoint).requestCount;
  const { total } = calls;
  const running = [...calls.running].map(
    ({ method, params, signal, client }) =>
      `${client.side.revision} ${method} ${JSON.stringify(params)} ${String(signal.aborted)}`,
  );
  hostile.reports.length = 0;
  tell({
    type: "state",
    state: { heapBytes, connections, exchanges, sockets, calls: total, running, reports, unexpected },
  });
}

tell({ type: "ready", port: Number(served.url.port), hostilePort: hostile.port });
