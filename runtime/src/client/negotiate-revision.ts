import { SERVER_DISCOVER } from "@mcpwright/protocol/names";
import type { CallOptions } from "../connection/call-options.js";
import type { Revisions } from "../connection/revisions.js";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { ClientConnection } from "./client-connection.js";
import type { ConnectOptions } from "./connect-options.js";
import { initialize } from "./handshake/negotiate.js";
import { noCommonRevisionError, supportedVersionsIn } from "./negotiation-errors.js";
import { type ProbeResult, probeRevision } from "./stateless/negotiate.js";

/**
 * Finds out which era a server belongs to, and opens the connection accordingly (MCP 2026-07-28, versioning).
 * @param connect makes a connection over the same transport, and opens it; again, when the server went away on the probe
 * @throws SdkError `NO_COMMON_REVISION` when the server's era is none of this client's
 */
export async function negotiateRevision(
  connect: () => Promise<ClientConnection>,
  revisions: Revisions,
  { era, probeTimeoutMs = 1_500, ...options }: ConnectOptions,
): Promise<ClientConnection> {
  let connection = await connect();
  try {
    if (era === "handshake" || revisions.stateless.size === 0) {
      await initialize(connection, revisions, options).catch(async (error: unknown) => {
        // The verdict was made before the server was upgraded.
        if (revisions.stateless.size === 0 || !supportedVersionsIn(error)) throw error;
        if ((await probeRevision(connection, revisions, options)) === "handshake") throw error;
      });
      return connection;
    }
    const probe = probeRevision(connection, revisions, options);
    probe.catch(() => undefined); // it may come when nobody waits any more
    const timeout = connection.transport.alwaysAnswers ? [] : [silenceAfter(probeTimeoutMs)];
    const found = await Promise.race([probe, ...timeout])
      .then((result) =>
        result === "silent" ? raceHandshakeAndProbe(connection, revisions, probe, probeTimeoutMs, options) : result,
      )
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
      await initialize(connection, revisions, options);
    }
    return connection;
  } catch (error) {
    await connection.close().catch((failure: unknown) => connection.report(failure));
    const theirs = supportedVersionsIn(error);
    throw theirs?.some((version) => revisions.ids.includes(version)) === false
      ? noCommonRevisionError(revisions.ids, theirs, error)
      : error;
  }
}

/**
 * Finds out what a server speaks that is another one by now.
 * @param changed called when that is the other era
 * @returns whether it can still be talked to
 */
export async function renegotiateRevision(
  connection: ClientConnection,
  revisions: Revisions,
  changed: () => Promise<void>,
): Promise<boolean> {
  const { negotiated } = connection;
  try {
    if ((await probeRevision(connection, revisions)) === "agreed") return true;
    if (!connection.transport.alwaysAnswers || revisions.handshake.length === 0) return false;
    await initialize(connection, revisions);
  } finally {
    // What was agreed on holds until something else is.
    if (negotiated && connection.negotiated === negotiated) connection.setRevision(negotiated.side);
  }
  await changed().catch((error: unknown) => connection.report(error));
  return true;
}

/**
 * Nothing has come back yet: try the handshake as well. Of two answers the first one counts, and a late answer to the probe
 * where the handshake is refused.
 */
async function raceHandshakeAndProbe(
  connection: ClientConnection,
  revisions: Revisions,
  probe: Promise<ProbeResult>,
  patienceMs: number,
  options: CallOptions,
): Promise<ProbeResult> {
  if (revisions.handshake.length === 0) return probe;
  const handshake = initialize(connection, revisions, options).then(() => "agreed" as const);
  const probed = probe.then(
    (found) => (found === "agreed" ? found : handshake),
    () => handshake,
  );
  try {
    return await Promise.race([handshake, probed]);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const lateResult = await Promise.race([probe, silenceAfter(patienceMs)]).catch(() => undefined);
    if (lateResult !== "agreed") throw error;
    return lateResult;
  }
}

function silenceAfter(ms: number): Promise<"silent"> {
  return new Promise((resolve) => {
    // A program that is done meanwhile need not wait for it.
    unref(setTimeout(resolve, timerDelay(ms), "silent" as const));
  });
}
