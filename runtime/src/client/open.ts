import { SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { timerMs, unref } from "../engine/timer-ms.js";
import { ProtocolError, SdkError } from "../engine/errors.js";
import { isSdkError } from "../engine/messages.js";
import type { CallOptions } from "../engine/pending.js";
import { noCommonRevision, openByHandshake, versionsIn } from "../handshake/opening.js";
import { discover, type Verdict } from "../per-request/opening.js";
import type { Revisions } from "../server/revisions.js";
import type { ClientConnection } from "./connection.js";

/** The two ways in which a connection may open. */
export type Era = "handshake" | "stateless";

export interface OpenOptions extends CallOptions {
  /** Skips the probe: the era is known, from an earlier connection to the same server. A wrong one is found out. */
  readonly era?: Era;
  /** Milliseconds after which a server that does not answer the probe is taken for one of the handshake era. Default 1,500. */
  readonly probeTimeoutMs?: number;
}

/**
 * Finds out which era a server belongs to, and opens the connection accordingly (MCP 2026-07-28, versioning).
 * @param connect makes a connection over the same transport, and opens it; again, when the server went away on the probe
 * @throws SdkError `NO_COMMON_REVISION` when the server's era is none of this client's
 */
export async function openConnection(
  connect: () => Promise<ClientConnection>,
  revisions: Revisions,
  { era, probeTimeoutMs = 1_500, ...options }: OpenOptions,
): Promise<ClientConnection> {
  let connection = await connect();
  try {
    if (era === "handshake" || revisions.stateless.size === 0) {
      await openByHandshake(connection, revisions, options).catch(async (error: unknown) => {
        // The verdict was made before the server was upgraded.
        if (revisions.stateless.size === 0 || !versionsIn(error)) throw error;
        if ((await discover(connection, revisions, options)) === "handshake") throw error;
      });
      return connection;
    }
    const probe = discover(connection, revisions, options);
    probe.catch(() => undefined); // it may come when nobody waits any more
    const patience = connection.transport.alwaysAnswers ? [] : [silence(probeTimeoutMs)];
    const found = await Promise.race([probe, ...patience])
      .then((early) => (early === "silent" ? openAnyway(connection, revisions, probe, probeTimeoutMs, options) : early))
      .catch((error: unknown) => {
        if (isSdkError(error, "CONNECTION_CLOSED")) return "gone" as const;
        throw error;
      });
    if (found !== "agreed") {
      if (revisions.handshake.length === 0)
        throw new SdkError(
          "NO_COMMON_REVISION",
          `the server does not answer ${SERVER_DISCOVER}: it speaks revisions that open with a handshake, and this client has none of them`,
        );
      if (found === "gone") connection = await connect();
      await openByHandshake(connection, revisions, options);
    }
    return connection;
  } catch (error) {
    await connection.close().catch((failure: unknown) => connection.report(failure));
    const theirs = versionsIn(error);
    throw theirs?.some((version) => revisions.ids.includes(version)) === false
      ? noCommonRevision(revisions.ids, theirs, error)
      : error;
  }
}

/**
 * Finds out what a server speaks that is another one by now.
 * @param changed called when that is the other era
 * @returns whether it can still be talked to
 */
export async function renegotiate(
  connection: ClientConnection,
  revisions: Revisions,
  changed: () => Promise<void>,
): Promise<boolean> {
  const { agreement } = connection;
  try {
    if ((await discover(connection, revisions)) === "agreed") return true;
    if (!connection.transport.alwaysAnswers || revisions.handshake.length === 0) return false;
    await openByHandshake(connection, revisions);
  } finally {
    // What was agreed on holds until something else is.
    if (agreement && connection.agreement === agreement) connection.speak(agreement.side);
  }
  await changed().catch((error: unknown) => connection.report(error));
  return true;
}

/**
 * Nothing has come back yet: try the handshake as well. Of two answers the first one counts, and a late answer to the probe
 * where the handshake is refused.
 */
async function openAnyway(
  connection: ClientConnection,
  revisions: Revisions,
  probe: Promise<Verdict>,
  patienceMs: number,
  options: CallOptions,
): Promise<Verdict> {
  if (revisions.handshake.length === 0) return probe;
  const handshake = openByHandshake(connection, revisions, options).then(() => "agreed" as const);
  const probed = probe.then(
    (found) => (found === "agreed" ? found : handshake),
    () => handshake,
  );
  try {
    return await Promise.race([handshake, probed]);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const late = await Promise.race([probe, silence(patienceMs)]).catch(() => undefined);
    if (late !== "agreed") throw error;
    return late;
  }
}

function silence(ms: number): Promise<"silent"> {
  return new Promise((resolve) => {
    // A program that is done meanwhile need not wait for it.
    unref(setTimeout(resolve, timerMs(ms), "silent" as const));
  });
}
