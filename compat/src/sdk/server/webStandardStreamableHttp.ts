import type { HandleRequestOptions, SessionHttpTransportOptions } from "../../server/session-http-transport.js";
import { toResponse } from "../../server/http-reply.js";
import { SdkHttpTransport } from "./session-http-transport.js";

export type { EventId, EventStore, StreamId } from "../../server/event-store.js";
export type { HandleRequestOptions } from "../../server/session-http-transport.js";
export type WebStandardStreamableHTTPServerTransportOptions = SessionHttpTransportOptions;

/** Streamable HTTP for one session, or for one request without a session, with the requests of the Web platform. */
export class WebStandardStreamableHTTPServerTransport extends SdkHttpTransport {
  /**
   * Handles a request of the client.
   * @throws Error (a rejection) for a second request without sessions
   */
  async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    return toResponse(await this.serve(request, options));
  }
}
