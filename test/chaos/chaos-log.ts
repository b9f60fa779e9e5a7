import type { Period, Violation } from "./client-checker.js";
import type { Failure, FailureName, Tally } from "./observations.js";

export type FaultKind = "node killed" | "Redis restarted" | "failed over";

export interface Fault {
  readonly kind: FaultKind;
  readonly from: number;
  to: number;
  /** The first moment whose writes are lost, when some are. */
  lostSince?: number;
}

/** How long after a fault requests can still fail by it: a dead node is noticed after 15 seconds, and looked for every 5. */
const graceMs = 25_000;
/** How far apart the clocks of observers are, with the time that messages take. */
const slackMs = 500;

/** The faults that cause a failure, by its name. */
const causes: Readonly<Record<FailureName, readonly FaultKind[]>> = {
  "connection ended": ["node killed", "Redis restarted", "failed over"],
  "503 with Retry-After": ["Redis restarted", "failed over"],
  "session lost": ["failed over"],
  // A node can also give a request up, because the backplane has failed.
  "the node of the request has died": ["node killed", "Redis restarted", "failed over"],
  "a message was not stored": ["Redis restarted", "failed over"],
  "the backplane failed": ["Redis restarted", "failed over"],
  "gap announced": ["failed over"],
  "the answer to a question was lost": ["Redis restarted", "failed over"],
  "the response was lost": ["failed over"],
};

/** Everything that happened in a run. */
export class ChaosLog {
  readonly faults: Fault[] = [];
  readonly failures: Failure[] = [];
  /** What clients have seen. Some of it is announced: writes were lost. */
  readonly observed: Violation[] = [];
  /** What the driver has found. */
  readonly problems: string[] = [];
  readonly tally = new Map<string, number>();
  /** What nodes have reported to `onerror`, without names and numbers. */
  readonly reports = new Map<string, number>();
  readonly #executed = new Set<string>();

  add(tally: Tally): void {
    for (const [what, count] of Object.entries(tally)) this.tally.set(what, (this.tally.get(what) ?? 0) + count);
  }

  addReport(text: string): void {
    const kind = text.replace(/[0-9a-f]{8}-[0-9a-f-]+/g, "…").replace(/\d+/g, "N");
    this.reports.set(kind, (this.reports.get(kind) ?? 0) + 1);
  }

  /** Notes calls that were carried out: none may be twice. */
  addExecuted(nonces: readonly string[]): void {
    for (const nonce of nonces) {
      if (this.#executed.has(nonce)) this.problems.push(`a call was carried out twice: ${nonce}`);
      this.#executed.add(nonce);
    }
  }

  /** Whether the documents name a failure, and a fault explains it. */
  isExplained({ name, revision, from, to }: Failure): boolean {
    if (name === undefined) return false;
    // Writes of the time of the call were lost.
    if (name === "the response was lost")
      return this.faults.some(
        ({ to: end, lostSince }) => lostSince !== undefined && overlap([from, to], [lostSince, end]),
      );
    // A stream of HTTP+SSE, and its session, end with their node.
    const kinds: readonly FaultKind[] = revision === "2024-11-05" ? [...causes[name], "node killed"] : causes[name];
    return this.faults.some((fault) => kinds.includes(fault.kind) && to >= fault.from && from <= fault.to + graceMs);
  }

  /** Whether the documents announce a loss: a failover has lost writes of that time, or an update was not written yet. */
  isAnnounced({ isLoss, rule, periods: [period, ...others] }: Violation): boolean {
    if (!isLoss || !period) return false;
    return this.faults.some(({ from, to, lostSince }) => {
      // A session is lost with its record, which is written when it is opened.
      const written: Period = rule === "a session was lost" ? [period[0], period[0]] : period;
      if (rule === "an update is missing" && overlap(period, [from, to])) return true;
      return lostSince !== undefined && [written, ...others].some((one) => overlap(one, [lostSince, to]));
    });
  }

  get unexplained(): Failure[] {
    return this.failures.filter((failure) => !this.isExplained(failure));
  }

  get violations(): Violation[] {
    return this.observed.filter((violation) => !this.isAnnounced(violation));
  }
}

function overlap([from, to]: Period, [start, end]: Period): boolean {
  return to >= start - slackMs && from <= end + slackMs;
}
