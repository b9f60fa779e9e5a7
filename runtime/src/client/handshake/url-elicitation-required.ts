import { ErrorCode, RemoteError, type UrlElicitation } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";

/**
 * The user must visit URLs before the server can carry out the request: the user has declined, the client does not declare
 * `elicitation: { url: {} }`, or its option `completeUrlElicitations` is `false`. `cause` is the error that the server sent. Before you
 * open a URL, check it with `reviewUrl` (MCP 2025-11-25, client/elicitation).
 */
export class RemoteUrlElicitationRequiredError extends RemoteError {
  override readonly name = "RemoteUrlElicitationRequiredError";

  constructor(
    readonly elicitations: readonly UrlElicitation[],
    cause: RemoteError,
  ) {
    super(cause.code, cause.message, cause.data, { cause });
  }
}

/** Returns an error that has the URLs as a member, if it is about URLs that are complete. */
export function withElicitations(error: unknown): unknown {
  if (!(error instanceof RemoteError) || error.code !== ErrorCode.UrlElicitationRequired) return error;
  const elicitations = isObject(error.data) ? error.data["elicitations"] : undefined;
  return Array.isArray(elicitations) && elicitations.length > 0 && elicitations.every(isUrlElicitation)
    ? new RemoteUrlElicitationRequiredError(elicitations, error)
    : error;
}

function isUrlElicitation(value: unknown): value is UrlElicitation {
  return (
    isObject(value) &&
    value["mode"] === "url" &&
    ["message", "url", "elicitationId"].every((name) => typeof value[name] === "string")
  );
}
