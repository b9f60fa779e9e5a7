import type { Side } from "@mcpwright/protocol/contract";
import { META_SERVER_INFO, SERVER_DISCOVER } from "@mcpwright/protocol/names";
import type { DiscoverResult } from "../authoring.js";
import type { Agreement, ClientConnection } from "../client/connection.js";
import { ErrorCode, RemoteError, SdkError } from "../engine/errors.js";
import { readAnswer } from "../engine/forgive.js";
import { isObject } from "../engine/json-rpc.js";
import type { CallOptions } from "../engine/pending.js";
import { noCommonRevision } from "../handshake/opening.js";
import type { Revisions } from "../server/revisions.js";

/** What a probe has found out: what can be agreed on; `handshake`: the server belongs to the handshake era. */
export type Verdict = Agreement | "handshake";

/**
 * Asks a server what it speaks, in the newest revision of the stateless era.
 * @throws SdkError `NO_COMMON_REVISION`
 * @throws whatever happened to the request, when that says nothing about the era
 */
export async function discover(
  connection: ClientConnection,
  revisions: Revisions,
  options?: CallOptions,
): Promise<Verdict> {
  const [newest] = revisions.perRequest.values();
  if (!newest) return "handshake";
  connection.speak(newest);
  for (let tried: Side = newest, isRetry = false; ; isRetry = true) {
    let answer: unknown;
    try {
      answer = await connection.request(SERVER_DISCOVER, undefined, options);
    } catch (error) {
      if (isForeign(error)) return "handshake";
      const supported = error instanceof RemoteError ? supportedOf(error, newest) : undefined;
      if (!(error instanceof RemoteError) || supported === "fault") throw error;
      if (!supported) return "handshake";
      const next = choose(revisions, supported);
      // When another revision is spoken by now, this answer came too late.
      if (next === "handshake" || isRetry || connection.side !== tried) return "handshake";
      connection.speak((tried = next));
      continue;
    }
    const row = tried.receives.results[SERVER_DISCOVER];
    let discovered: DiscoverResult;
    try {
      if (!row) return "handshake";
      discovered = readAnswer(SERVER_DISCOVER, row, tried.receives, undefined, answer) as unknown as DiscoverResult;
    } catch {
      return "handshake"; // some other server, answering whatever it is asked
    }
    const side = choose(revisions, discovered.supportedVersions);
    if (side === "handshake") return side;
    return {
      side,
      serverCapabilities: discovered.capabilities,
      serverInfo: discovered._meta?.[META_SERVER_INFO],
      instructions: discovered.instructions,
    };
  }
}

/** An HTTP server's answer to what it does not know: no message, nor a failure, nor a demand for authorization. */
export function isForeign(error: unknown): boolean {
  if (!(error instanceof SdkError) || error.code !== "HTTP_ERROR") return false;
  const { status } = error.data as { readonly status: number };
  return status < 300 || (status >= 400 && status < 500 && ![401, 403, 407, 408, 413, 429, 431].includes(status));
}

/** The versions that an error names; `fault`: it says that the server is of this era, and the request was wrong. */
function supportedOf({ code, data }: RemoteError, { profile }: Side): readonly string[] | "fault" | undefined {
  const supported = isObject(data) ? data["supported"] : undefined;
  if (code === profile.unsupportedVersionCode && Array.isArray(supported)) return supported as string[];
  return code === profile.missingCapabilityCode || code === ErrorCode.HeaderMismatch ? "fault" : undefined;
}

function choose(revisions: Revisions, theirs: readonly string[]): Side | "handshake" {
  for (const side of revisions.perRequest.values()) if (theirs.includes(side.revision)) return side;
  if (revisions.handshake.some(({ revision }) => theirs.includes(revision))) return "handshake";
  throw noCommonRevision(revisions.ids, theirs);
}
