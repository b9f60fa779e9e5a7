import {
  ErrorCode,
  ProtocolError,
  RemoteError,
  ResourceNotFoundError,
  SdkError,
  UrlElicitationRequiredError,
} from "../../jsonrpc/errors.js";
// From the entry, which has the classes that its clients throw.
import { RemoteResourceNotFoundError, RemoteUrlElicitationRequiredError } from "../../client.js";

/**
 * Returns the error that a client gets when a server failed: that of the server, or one that names the server and says why it did not
 * respond.
 * @param uri the URI of the request as the client sent it
 */
export function toClientError(error: unknown, server: string, uri?: string): unknown {
  if (error instanceof RemoteUrlElicitationRequiredError)
    return new UrlElicitationRequiredError(error.elicitations, error.message);
  if (error instanceof RemoteResourceNotFoundError && uri !== undefined) return new ResourceNotFoundError(uri);
  if (error instanceof RemoteError) return new ProtocolError(error.code, error.message, error.data, { cause: error });
  if (error instanceof ProtocolError || !(error instanceof SdkError)) return error;
  // The client cancelled the request, so that it does not wait for an error.
  if (error.code === "REQUEST_CANCELLED") return error;
  const data = { server, reason: error.code };
  return new ProtocolError(ErrorCode.InternalError, `The server "${server}" failed: ${error.message}`, data, {
    cause: error,
  });
}

/** Returns the error that a server gets when a client did not answer its question. */
export function toServerError(error: unknown): unknown {
  if (error instanceof RemoteError) return new ProtocolError(error.code, error.message, error.data, { cause: error });
  if (error instanceof ProtocolError || !(error instanceof SdkError)) return error;
  return new ProtocolError(ErrorCode.InternalError, error.message, { reason: error.code }, { cause: error });
}
