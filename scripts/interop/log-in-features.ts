import type { Outcome } from "../../test/interop/target.js";

/** A feature of a log-in, and how to try it. */
export type Feature = readonly [name: string, tryIt: () => Promise<void>];

/** Tries the features one after the other. */
export async function tryFeatures(features: readonly Feature[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [feature, tryIt] of features)
    outcomes.push(
      await tryIt().then(
        () => ({ feature }),
        (error: unknown) => ({ feature, problem: error instanceof Error ? error.message : String(error) }),
      ),
    );
  return outcomes;
}

/** What the authorization server of a protected server has done. */
export class LogInEvents {
  #known = 0;

  /** @param origin that of the protected server */
  constructor(readonly origin: string) {}

  /** The events since the last call. */
  async next(): Promise<readonly string[]> {
    const events = (await (await fetch(`${this.origin}/events`)).json()) as readonly string[];
    const since = events.slice(this.#known);
    this.#known = events.length;
    return since;
  }

  /** Ends the lifetime of all access tokens. */
  async expire(): Promise<void> {
    await fetch(`${this.origin}/expire`, { method: "POST" });
  }
}
