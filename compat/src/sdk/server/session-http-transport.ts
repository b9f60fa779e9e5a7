import { SessionHttpTransport, type SessionHttpTransportOptions } from "../../server/session-http-transport.js";
import type { AuthInfo } from "../messages.js";
import type { MessageExtraInfo, Transport } from "../shared/transport.js";

/** Streamable HTTP of version 1, on any host. */
export abstract class SdkHttpTransport extends SessionHttpTransport<MessageExtraInfo> implements Transport {
  constructor(options: SessionHttpTransportOptions = {}) {
    super(options, {
      endsFinished: false,
      onUndeliverable: (error) => {
        throw error;
      },
    });
  }

  protected override extraOf(request: Request, authInfo: AuthInfo | undefined): MessageExtraInfo {
    return { authInfo, requestInfo: { headers: Object.fromEntries(request.headers), url: new URL(request.url) } };
  }
}
