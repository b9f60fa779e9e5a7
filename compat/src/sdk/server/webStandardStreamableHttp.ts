import {
  type HandleRequestOptions,
  SessionHttpTransport,
  type SessionHttpTransportOptions,
} from "./session-http-transport.js";

export type { EventId, EventStore, HandleRequestOptions, StreamId } from "./session-http-transport.js";
export type WebStandardStreamableHTTPServerTransportOptions = SessionHttpTransportOptions;

/** Streamable HTTP for one session, or for one request without a session, with the requests of the Web platform. */
export class WebStandardStreamableHTTPServerTransport extends SessionHttpTransport {
  /**
   * Handles a request of the client.
   * @throws Error for a second request without sessions
   */
  handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    return this.serve(request, options);
  }
}
