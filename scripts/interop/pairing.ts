import type { Outcome } from "../../test/interop/target.js";

/** One of our sides and a peer, over one transport. */
export interface Pairing {
  /** The name of the peer in the table. */
  readonly peer: string;
  /** The role of the peer. */
  readonly role: "server" | "client";
  readonly transport: string;
  /** The revisions that the peer supports over this transport. */
  readonly revisions: readonly string[];
  readonly knownGaps: readonly KnownGap[];
  readonly tryIt: (revision: string) => Promise<readonly Outcome[]>;
  /** Runs the same features with an official client instead of ours. */
  readonly control?: () => Promise<readonly Outcome[]>;
}

/** A feature that a peer lacks. The output of each run must show it. */
export interface KnownGap {
  readonly feature: string;
  /** The revisions. Default: all. */
  readonly revisions?: readonly string[];
  /** The reason, for the document. */
  readonly what: string;
  /** The pattern that the problem must match. */
  readonly evidence: RegExp;
  /** Whether the feature sometimes works, depending on the timing of messages. Default: `false`. */
  readonly sometimes?: boolean;
}

/** The result of one feature at one revision, between one of our sides and a peer. */
export interface Cell extends Outcome {
  readonly pairing: Pairing;
  readonly revision: string;
  /** The known gap that explains the problem; absent when the problem is ours or not known. */
  readonly knownGap?: KnownGap;
}

/** Runs a pairing at a revision, and compares the problems with the known gaps of the peer. */
export async function tryPairing(
  pairing: Pairing,
  revision: string,
  control: Promise<readonly Outcome[]> | undefined,
): Promise<readonly Cell[]> {
  const outcomes = await pairing
    .tryIt(revision)
    .catch((error: unknown): readonly Outcome[] => [{ feature: "opening", problem: String(error) }]);
  const theirs = await control;
  return outcomes.map(({ feature, problem }): Cell => {
    const cell = { feature, pairing, revision };
    const lack = pairing.knownGaps.find(
      ({ feature: name, revisions }) => name === feature && (revisions?.includes(revision) ?? true),
    );
    if (lack === undefined) return problem === undefined ? cell : { ...cell, problem };
    if (problem === undefined && lack.sometimes) return { ...cell, knownGap: lack };
    if (problem === undefined)
      return { ...cell, problem: `it works, but is listed as a known gap of the peer: ${lack.what}` };
    if (theirs !== undefined && !theirs.some((other) => other.feature === feature && other.problem !== undefined))
      return { ...cell, problem: `${problem}; with an official client it works` };
    return lack.evidence.test(problem) ? { ...cell, problem, knownGap: lack } : { ...cell, problem };
  });
}

export function hasFailed({ problem, knownGap: lack }: Cell): boolean {
  return problem !== undefined && lack === undefined;
}
