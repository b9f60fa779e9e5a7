import type { EventLog } from "./event-log.js";
import type { ServerState } from "./messages.js";
import type { Server, SoakProcesses } from "./soak-processes.js";
import { sleep, waitUntil } from "./wait.js";

/** The allowed growth of a server's memory, for code compiled late and the variation of measurements. */
const toleranceBytes = 2 * 2 ** 20;
const tolerancePerCall = 20;
/** Longer than servers store anything for clients that may reconnect. */
const forgottenMs = 24 * 3_600_000;

type Before = ReadonlyMap<Server["child"], ServerState>;

export async function readServerStates(stage: SoakProcesses): Promise<Before> {
  const held = new Map<Server["child"], ServerState>();
  for (const { child } of stage.servers) held.set(child, await child.state());
  return held;
}

/** Checks that servers keep nothing after all clients have disconnected. Returns the report. */
export async function checkServersReleased(stage: SoakProcesses, ledger: EventLog, before: Before): Promise<string> {
  const lines: string[] = [];
  for (const { name, child } of stage.servers) {
    // Servers keep sessions and events of killed clients until they expire.
    for (let times = 0; times < 2; times++) {
      child.send({ type: "jump", monotonicMs: forgottenMs, dateMs: forgottenMs });
      await sleep(1_500);
    }
    let state = await child.state();
    for (let tries = 0; tries < 60 && !isEmpty(state); tries++) {
      await sleep(500);
      child.send({ type: "jump", monotonicMs: forgottenMs, dateMs: 0 });
      state = await child.state();
    }
    const { heapBytes, connections, exchanges, running, sockets, unexpected, calls, reports } = state;
    if (!isEmpty(state))
      ledger.violations.push(
        `${name} still holds ${connections} connections, ${exchanges} exchanges, ${sockets} sockets, ${running.length} calls: ${running.join("; ")}`,
      );
    for (const report of unexpected) ledger.violations.push(`${name} reported: ${report}`);
    const first = before.get(child);
    if (first) {
      const grown = heapBytes - first.heapBytes;
      const handled = calls - first.calls;
      if (grown > toleranceBytes + handled * tolerancePerCall)
        ledger.violations.push(`${name} holds ${grown} bytes more after ${handled} calls`);
      lines.push(
        `${name}: ${mib(first.heapBytes)} -> ${mib(heapBytes)} after ${handled} calls, ${perCall(grown, handled)}`,
      );
    } else lines.push(`${name}: ${mib(heapBytes)} after ${calls} calls; it was killed`);
    lines.push(`${name} reported: ${JSON.stringify(reports)}`);
  }
  for (const { name, heapBytes } of stage.workers)
    if (heapBytes !== undefined) lines.push(`${name}: ${mib(heapBytes)} at the end`);
  return lines.join("\n");
}

/** Checks that all processes end. */
export async function checkAllEnded(stage: SoakProcesses, ledger: EventLog): Promise<void> {
  for (const { child } of stage.servers) {
    child.send({ type: "close" });
    const problem = await child.end();
    if (problem) ledger.violations.push(problem);
  }
  await waitUntil(() => {
    stage.checkOrphans(10_000);
    return stage.orphans.size === 0;
  }, 10_000);
  stage.checkOrphans(0);
}

function isEmpty({ connections, exchanges, sockets, running }: ServerState): boolean {
  return connections + exchanges + sockets + running.length === 0;
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

function perCall(bytes: number, calls: number): string {
  return `${calls === 0 ? 0 : (bytes / calls).toFixed(1)} bytes per call`;
}
