import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";

/** The error of a request for an item that is withheld from clients. */
export function withheldError(list: "tools" | "prompts", name: string, server: string): ProtocolError {
  const item = `${list.slice(0, -1)} ${name.slice(0, 200)}`;
  const message = `The ${item} of the server "${server}" is withheld: it differs from what was approved`;
  return new ProtocolError(ErrorCode.InvalidParams, message, { server, reason: "NOT_APPROVED" });
}
