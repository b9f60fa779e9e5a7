import { StreamableHTTPClientTransport as ModernTransport } from "../../client/streamable-http.js";
import { SdkErrorCode, SdkHttpError } from "../../shared/errors.js";
import type { TransportSendOptions } from "../../shared/transport.js";
import type { JSONRPCMessage } from "../messages.js";
import { standIn } from "../shared/transport-errors.js";

export type {
  StartSSEOptions,
  StreamableHTTPClientTransportOptions,
  StreamableHTTPReconnectionOptions,
} from "../../client/streamable-http.js";

/** The server has responded with a status or content that is not expected. */
export class StreamableHTTPError extends Error {
  override name = "StreamableHTTPError";

  /** @param code the status, or -1 for unexpected content */
  constructor(
    readonly code: number | undefined,
    message: string | undefined,
  ) {
    super(`Streamable HTTP error: ${message}`);
  }
}

/** The texts of version 1, where they differ. */
const texts: Readonly<Partial<Record<SdkErrorCode, string>>> = {
  [SdkErrorCode.ClientHttpAuthentication]: "Server returned 401 after successful authentication",
  [SdkErrorCode.ClientHttpForbidden]: "Server returned 403 after trying upscoping",
};

function toStreamableError(error: unknown): unknown {
  if (!(error instanceof SdkHttpError)) return error;
  const { status, text } = error.data;
  const own =
    status >= 200 && status < 300
      ? new StreamableHTTPError(-1, `Unexpected content: ${String(text)}`)
      : new StreamableHTTPError(status, texts[error.code] ?? error.message);
  return standIn(own, error.cause);
}

/** The client's end of Streamable HTTP. */
export class StreamableHTTPClientTransport extends ModernTransport {
  /** @throws StreamableHTTPError */
  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    try {
      await super.send(message, options);
    } catch (error) {
      throw toStreamableError(error);
    }
  }

  /** @throws StreamableHTTPError */
  override async terminateSession(): Promise<void> {
    try {
      await super.terminateSession();
    } catch (error) {
      throw toStreamableError(error);
    }
  }

  /** @throws StreamableHTTPError */
  override async resumeStream(
    lastEventId: string,
    options?: { onresumptiontoken?: (token: string) => void },
  ): Promise<void> {
    try {
      await super.resumeStream(lastEventId, options);
    } catch (error) {
      throw toStreamableError(error);
    }
  }
}
