import { RemoteError, SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";

/** The versions that the server's error lists as supported. */
export function supportedVersionsIn(error: unknown): readonly string[] | undefined {
  const supported = error instanceof RemoteError && isObject(error.data) ? error.data["supported"] : undefined;
  return Array.isArray(supported) ? (supported as string[]) : undefined;
}

export function noCommonRevisionError(
  ours: readonly string[],
  serverVersions: readonly string[],
  cause?: unknown,
): SdkError {
  const message = `client and server share no revision: this client speaks ${ours.join(", ")}, the server ${serverVersions.join(", ")}`;
  return new SdkError("NO_COMMON_REVISION", message, { ours, theirs: serverVersions }, { cause });
}
