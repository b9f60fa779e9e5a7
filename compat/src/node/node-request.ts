import type { ReceivedRequest } from "../server/received-request.js";
import { makeWebRequest, methodOf, type NodeIncomingMessageLike, urlOf } from "./web-request.js";
import { disconnectSignal, type NodeServerResponseLike } from "./web-response.js";

/** A request of Node whose body is read. Its request of the Web platform is made when a program reads it. */
export class NodeRequest implements ReceivedRequest {
  readonly headers: ReceivedRequest["headers"];
  #web: Request | undefined;

  constructor(
    readonly incoming: NodeIncomingMessageLike,
    readonly response: NodeServerResponseLike,
    readonly bodyText: string,
    readonly parsedBody: unknown,
  ) {
    this.headers = new NodeHeaders(incoming.headers);
  }

  get method(): string {
    return methodOf(this.incoming);
  }

  get url(): string {
    return urlOf(this.incoming);
  }

  text(): Promise<string> {
    return Promise.resolve(this.bodyText);
  }

  get web(): Request {
    return (this.#web ??= makeWebRequest(
      this.incoming,
      this.bodyText,
      this.parsedBody,
      disconnectSignal(this.response),
    ));
  }
}

/** The headers of Node, whose names are in lower case. */
class NodeHeaders {
  constructor(readonly all: NodeIncomingMessageLike["headers"]) {}

  get(name: string): string | null {
    const value = this.all[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.all).sort()) {
      const value = this.get(name);
      // Pseudo-headers of HTTP/2.
      if (value !== null && !name.startsWith(":")) yield [name, value];
    }
  }
}
