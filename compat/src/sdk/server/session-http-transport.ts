import { SessionHttpTransport, type SessionHttpTransportOptions } from "../../server/session-http-transport.js";
import { lazyMember } from "../../shared/lazy-member.js";
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

  protected override extraOf(request: ReceivedRequest, authInfo: AuthInfo | undefined): MessageExtraInfo {
    return new HttpExtra(request, authInfo);
  }
}

const received: unique symbol = Symbol("request");

class HttpExtra implements MessageExtraInfo {
  declare readonly requestInfo: RequestInfo;
  readonly [received]: ReceivedRequest;

  constructor(
    request: ReceivedRequest,
    readonly authInfo: AuthInfo | undefined,
  ) {
    this[received] = request;
    Object.defineProperty(this, "requestInfo", requestInfo);
  }
}

/** Few programs read it. */
const requestInfo = lazyMember<HttpExtra>("requestInfo", ({ [received]: { headers, url } }) => ({
  headers: Object.fromEntries(headers),
  url: new URL(url),
}));
