import type { Failure } from "./messages.js";

/** The processes that a fault can affect: a server and all its clients, or one client. */
export type Scope = { readonly server: string } | { readonly client: string };

export interface Fault {
  readonly kind: string;
  readonly scope: Scope;
  /** Whether the fault must not cause failures. */
  readonly isHarmless: boolean;
  readonly from: number;
  to: number;
}

/** How long after a fault it can still cause failures: streams are reopened, sessions are replaced. */
const graceMs = 6_000;

/** Codes of failures that no fault can explain. */
const inexcusable: ReadonlySet<string> = new Set(["WRONG", "UNTYPED", "INVALID_MESSAGE", "INVALID_CONFIGURATION"]);

/** The steps, faults and failures of a run. */
export class EventLog {
  readonly faults: Fault[] = [];
  readonly failures: Failure[] = [];
  readonly done = new Map<string, number>();
  /** Problems of processes, not of requests. */
  readonly violations: string[] = [];

  add(tally: Readonly<Record<string, number>>): void {
    for (const [what, count] of Object.entries(tally)) this.done.set(what, (this.done.get(what) ?? 0) + count);
  }

  /** Returns the fault that explains a failure, if there is one. */
  excuse(failure: Failure): Fault | undefined {
    if (inexcusable.has(failure.code)) return undefined;
    return this.faults.find(({ isHarmless, scope, from, to }) => {
      if (isHarmless) return false;
      const isAffected = "server" in scope ? scope.server === failure.server : scope.client === failure.client;
      return isAffected && failure.to >= from && failure.from <= to + graceMs;
    });
  }

  get unexcused(): Failure[] {
    return this.failures.filter((failure) => !this.excuse(failure));
  }

  get requests(): number {
    return [...this.done].reduce((sum, [, count]) => sum + count, 0);
  }
}
