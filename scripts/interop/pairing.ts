import type { Outcome } from "../../test/interop/target.js";

/** One of our sides and a peer, over one transport. */
export interface Pairing {
  /** The peer, as the table names it. */
  readonly peer: string;
  /** What the peer is. */
  readonly role: "server" | "client";
  readonly transport: string;
  /** The revisions that the peer speaks there. */
  readonly revisions: readonly string[];
  readonly knownGaps: readonly KnownGap[];
  readonly tryIt: (revision: string) => Promise<readonly Outcome[]>;
  /** The same with an official client in the place of ours. */
  readonly control?: () => Promise<readonly Outcome[]>;
}

/** What a peer cannot do. It has to say so, or to show it, in each run. */
export interface KnownGap {
  readonly feature: string;
  /** Default: all. */
  readonly revisions?: readonly string[];
  /** For readers. */
  readonly what: string;
  /** What the problem must read like. */
  readonly evidence: RegExp;
  /** It hangs on how messages travel, and may not show. Default: it has to. */
  readonly sometimes?: boolean;
}

/** What came of one feature, at one revision, between one of our sides and a peer. */
export interface Cell extends Outcome {
  readonly pairing: Pairing;
  readonly revision: string;
  /** Explains the problem; absent: we are at fault, or do not know. */
  readonly knownGap?: KnownGap;
}

/** Tries a pairing at a revision, and sets what comes against what is known of the peer. */
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
      return { ...cell, problem: `it works now, though the peer was known not to have it: ${lack.what}` };
    if (theirs !== undefined && !theirs.some((other) => other.feature === feature && other.problem !== undefined))
      return { ...cell, problem: `${problem}; with an official client it works` };
    return lack.evidence.test(problem) ? { ...cell, problem, knownGap: lack } : { ...cell, problem };
  });
}

export function hasFailed({ problem, knownGap: lack }: Cell): boolean {
  return problem !== undefined && lack === undefined;
}
