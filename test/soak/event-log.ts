import type { Failure } from "./messages.js";

/** What a fault may affect: a server and all who talk to it, or one client. */
export type Scope = { readonly server: string } | { readonly client: string };

export interface Fault {
  readonly kind: string;
  readonly scope: Scope;
  /** Nothing may fail because of it. */
  readonly isHarmless: boolean;
  readonly from: number;
  to: number;
}

/** How long after a fault its consequences may be felt: streams are opened again, sessions are replaced. */
const graceMs = 6_000;

/** Codes of failures that no fault excuses. */
const inexcusable: ReadonlySet<string> = new Set(["WRONG", "UNTYPED", "INVALID_MESSAGE", "INVALID_CONFIGURATION"]);

/** What was done, what was injected, and what failed. */
export class EventLog {
  readonly faults: Fault[] = [];
  readonly failures: Failure[] = [];
  readonly done = new Map<string, number>();
  /** What is wrong with a process rather than with a request. */
  readonly violations: string[] = [];

  add(tally: Readonly<Record<string, number>>): void {
    for (const [what, count] of Object.entries(tally)) this.done.set(what, (this.done.get(what) ?? 0) + count);
  }

  /** The fault that explains a failure. */
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
