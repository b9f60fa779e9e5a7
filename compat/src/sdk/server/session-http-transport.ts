import { SessionHttpTransport, type SessionHttpTransportOptions } from "../../server/session-http-transport.js";
import type { ReceivedRequest } from "../../server/received-request.js";
import type { AuthInfo } from "../messages.js";
import type { MessageExtraInfo, RequestInfo, Transport } from "../shared/transport.js";

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

  protected override extraOf({ headers, url }: ReceivedRequest, authInfo: AuthInfo | undefined): MessageExtraInfo {
    let requestInfo: RequestInfo | undefined;
    return {
      authInfo,
      // Few programs read it.
      get requestInfo() {
        return (requestInfo ??= { headers: Object.fromEntries(headers), url: new URL(url) });
      },
    };
  }
}
