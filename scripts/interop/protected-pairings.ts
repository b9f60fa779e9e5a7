import type { Outcome } from "../../test/interop/target.js";
import { type Command, startServer } from "./children.js";
import { logInWithInspector } from "./inspector-log-in.js";
import { logInWithPage } from "./inspector-page.js";
import * as lacks from "./known-gaps.js";
import type { KnownGap, Pairing } from "./pairing.js";

const stateless = "2026-07-28";
const newestWithHandshake = "2025-11-25";

/** The features of a log-in of the Inspector with a user. */
const withUser = ["log-in", "second connection", "refresh", "step-up"];

/** What the pairings need to run programs. */
export interface PairingTools {
  /** The Node of the peers. */
  readonly node: string;
  /** The command of a program that is written with a package of a peer. */
  readonly peer: (name: string) => Command;
  /** The command of our protected server. */
  readonly ours: (...args: string[]) => Command;
  readonly talk: (client: Command, target: object) => Promise<readonly Outcome[]>;
  /** Creates a folder for the files of a peer. */
  readonly newFolder: () => string;
}

/** Clients of other implementations that have to log in to our server. */
export function protectedPairings({ node, peer, ours, talk, newFolder }: PairingTools): readonly Pairing[] {
  const pairing = (
    name: string,
    revisions: readonly string[],
    tryAt: (origin: string, revision: string) => Promise<readonly Outcome[]>,
    args: readonly string[],
    knownGaps: readonly KnownGap[] = [],
  ): Pairing => ({
    peer: name,
    role: "client",
    transport: "HTTP",
    revisions,
    knownGaps,
    async tryIt(revision) {
      // Clients negotiate the newest revision. Each run has its own server, because it counts the log-ins.
      const only = revision === stateless ? [] : ["--revision", revision];
      const server = await startServer(ours(...args, ...only));
      return tryAt(server.url, revision).finally(() => server.end());
    },
  });
  const official =
    (program: string, extra: object = {}) =>
    (origin: string, revision: string): Promise<readonly Outcome[]> =>
      talk(peer(`clients/${program}`), { url: `${origin}/mcp`, revision, ...extra });
  const both = [newestWithHandshake, stateless];
  const handshake = [newestWithHandshake];
  return [
    pairing("SDK 1.x, log-in", handshake, official("sdk1-log-in"), [], lacks.sdk1LogIn),
    pairing("SDK 2.x, log-in", both, official("sdk2-log-in"), []),
    pairing("SDK 1.x, log-in at our proxy", handshake, official("sdk1-log-in"), ["--proxy"], lacks.sdk1ProxyLogIn),
    pairing("SDK 2.x, log-in at our proxy", both, official("sdk2-log-in"), ["--proxy"]),
    pairing("SDK 2.x, log-in with DPoP", both, official("sdk2-log-in", { dpop: true }), ["--dpop"]),
    pairing(
      "Inspector, log-in",
      both,
      (origin, revision) => logInWithInspector(node, { origin, revision, home: newFolder() }),
      [],
      lacks.inspectorLogIn,
    ),
    pairing(
      "Inspector, log-in at our proxy",
      both,
      (origin, revision) =>
        // The proxy issues tokens to users only.
        logInWithInspector(node, { origin, revision, home: newFolder() }, withUser),
      ["--proxy"],
      lacks.inspectorLogIn,
    ),
    pairing(
      "Inspector, log-in with DPoP",
      both,
      (origin, revision) => logInWithInspector(node, { origin, revision, home: newFolder() }, ["log-in"]),
      ["--dpop"],
      lacks.inspectorDpop,
    ),
    pairing(
      "Inspector's page, log-in",
      both,
      (origin, revision) => logInWithPage(node, { origin, revision, home: newFolder() }),
      [],
    ),
    pairing(
      "Inspector's page, log-in at our proxy",
      both,
      (origin, revision) => logInWithPage(node, { origin, revision, home: newFolder() }),
      ["--proxy"],
    ),
  ];
}
