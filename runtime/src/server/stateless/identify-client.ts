import type { Side } from "@mcpwright/protocol/contract";
import {
  INITIALIZE,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  SERVER_DISCOVER,
} from "@mcpwright/protocol/names";
import type { Implementation, LoggingLevel } from "../../authoring.js";
import type { Revisions } from "../../connection/revisions.js";
import { ErrorCode, ProtocolError, UnsupportedProtocolVersionError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { JSONRPCRequest, Meta } from "../../jsonrpc/message-types.js";
import type { RequestChecks } from "../../transport/request-checks.js";
import type { ClientDescription } from "../client-description.js";

/**
 * Identifies the client of a request that names its revision and capabilities in the metadata.
 * @throws ProtocolError -32602 naming the metadata that is missing or has the wrong type; the revision's code for an
 *   unsupported version; -32601 for `initialize`
 */
export function identifyByMeta(
  revisions: Revisions,
  meta: Meta,
  request: JSONRPCRequest,
  gate: RequestChecks | undefined,
): ClientDescription {
  // A client that sends `initialize` here confuses the eras: every rejection contains the supported revisions.
  if (request.method === INITIALIZE)
    throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${INITIALIZE}`, { supported: revisions.ids });
  const version = meta[META_PROTOCOL_VERSION];
  const capabilities = meta[META_CLIENT_CAPABILITIES];
  if (typeof version !== "string") throw invalidMetaError(META_PROTOCOL_VERSION, "must be a string");
  if (!isObject(capabilities)) throw invalidMetaError(META_CLIENT_CAPABILITIES, "must be an object");
  gate?.checkVersion(version);
  const side = revisions.stateless.get(version);
  if (!side) {
    // The version is supported, but only after a handshake, so handshake-era revisions are not listed.
    const supported = revisions.ids.includes(version) ? [...revisions.stateless.keys()] : revisions.ids;
    throw new UnsupportedProtocolVersionError(revisions.unsupportedVersionCode, supported, version.slice(0, 100));
  }
  gate?.checkMethod(request, side);
  return {
    side,
    capabilities,
    // The params predicate, which runs next, checks these two.
    info: meta[META_CLIENT_INFO] as Implementation | undefined,
    logLevel: meta[META_LOG_LEVEL] as LoggingLevel | undefined,
    session: undefined,
  };
}

/**
 * Checks the metadata of a request whose params are invalid.
 * @throws ProtocolError -32602 naming the first invalid key
 */
export function checkMeta({ receives }: Side, meta: Meta = {}): void {
  // The params of this method contain only metadata.
  const fits = receives.requests[SERVER_DISCOVER]?.params;
  if (!fits || fits({ _meta: meta })) return;
  const least = { [META_PROTOCOL_VERSION]: meta[META_PROTOCOL_VERSION], [META_CLIENT_CAPABILITIES]: {} };
  for (const key of Object.keys(meta))
    if (!fits({ _meta: { ...least, [key]: meta[key] } }))
      throw invalidMetaError(key.slice(0, 100), "does not match the schema");
}

function invalidMetaError(key: string, problem: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `Invalid params: _meta["${key}"] ${problem}`);
}
