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
 * Admits a request that says its own revision and capabilities.
 * @throws ProtocolError -32602 naming the metadata that is missing or mistyped; the revision's code for a version that is
 *   not served; -32601 for `initialize`
 */
export function identifyByMeta(
  revisions: Revisions,
  meta: Meta,
  request: JSONRPCRequest,
  gate: RequestChecks | undefined,
): ClientDescription {
  // Whoever takes this for the other era shall learn from any refusal what is spoken here.
  if (request.method === INITIALIZE)
    throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${INITIALIZE}`, { supported: revisions.ids });
  const version = meta[META_PROTOCOL_VERSION];
  const capabilities = meta[META_CLIENT_CAPABILITIES];
  if (typeof version !== "string") throw invalidMetaError(META_PROTOCOL_VERSION, "must be a string");
  if (!isObject(capabilities)) throw invalidMetaError(META_CLIENT_CAPABILITIES, "must be an object");
  gate?.checkVersion(version);
  const side = revisions.stateless.get(version);
  if (!side) {
    // What only a handshake opens cannot be claimed, so it is no help to name it.
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
 * Finds out whether the metadata has kept a request from being legal.
 * @throws ProtocolError -32602 naming the key
 */
export function checkMeta({ receives }: Side, meta: Meta = {}): void {
  // Its params have nothing but metadata.
  const fits = receives.requests[SERVER_DISCOVER]?.params;
  if (!fits || fits({ _meta: meta })) return;
  const least = { [META_PROTOCOL_VERSION]: meta[META_PROTOCOL_VERSION], [META_CLIENT_CAPABILITIES]: {} };
  for (const key of Object.keys(meta))
    if (!fits({ _meta: { ...least, [key]: meta[key] } }))
      throw invalidMetaError(key.slice(0, 100), "does not have the shape that the schema asks for");
}

function invalidMetaError(key: string, problem: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `Invalid params: _meta["${key}"] ${problem}`);
}
