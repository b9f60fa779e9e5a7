/** What transports read of an HTTP request. Requests of the Web platform have these members; hosts without them make those that are read. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, "get"> & Iterable<[string, string]>;
  /** The body, unless it is already read. */
  readonly body?: Request["body"];
  text(): Promise<string>;
  /** The request of the Web platform, for hosts whose requests are others. */
  readonly web?: Request;
}

/** Returns the request of the Web platform, which handlers get. */
export function webRequestOf(request: ReceivedRequest): Request {
  return request.web ?? (request as Request);
}
