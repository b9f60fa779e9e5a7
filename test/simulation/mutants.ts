import type { LogPage, MemoryBackplane } from "../../runtime/src/backplane.js";
import type { HttpEndpoint, HttpRequest, Responder } from "../../runtime/src/http-server/host-adapter.js";
import { requestIds } from "../../runtime/src/jsonrpc/request-ids.js";
import type { Principal } from "../../runtime/src/transport/principal.js";
import { Node } from "./node.js";
import type { Subject } from "./run-seed.js";
import { SharedStore } from "./shared-store.js";

type Given<Method extends "set" | "append" | "read" | "delete"> = Parameters<MemoryBackplane[Method]>;

/** The logs whose entries clients get. */
const isForClients = (log: string): boolean => /^(messages|events):/.test(log);

class DoublesEntries extends SharedStore {
  override append(...given: Given<"append">): string {
    if (isForClients(given[0])) super.append(...given);
    return super.append(...given);
  }
}

/** Writes each change of a list or resource twice. */
class DoublesChanges extends SharedStore {
  override append(...given: Given<"append">): string {
    if (given[0].startsWith("changes:")) super.append(...given);
    return super.append(...given);
  }
}

class SwapsEntries extends SharedStore {
  override read(...given: Given<"read">): LogPage {
    const page = super.read(...given);
    const [first, second, ...others] = page.entries;
    return isForClients(given[0]) && first && second ? { ...page, entries: [second, first, ...others] } : page;
  }
}

class LosesEntries extends SharedStore {
  #count = 0;

  override read(...given: Given<"read">): LogPage {
    const page = super.read(...given);
    const loses = isForClients(given[0]) && page.entries.length > 0 && ++this.#count % 3 === 0;
    return loses ? { ...page, entries: page.entries.slice(1) } : page;
  }
}

class IgnoresVersions extends SharedStore {
  override set(key: string, text: string, { ttlMs }: Given<"set">[2]): string | undefined {
    return super.set(key, text, { ttlMs });
  }
}

class KeepsDeletedSessions extends SharedStore {
  override delete(...given: Given<"delete">): boolean {
    return given[0].startsWith("session:") ? true : super.delete(...given);
  }
}

class KeepsValues extends SharedStore {
  override set(key: string, text: string, options: Given<"set">[2]): string | undefined {
    return super.set(key, text, { ...options, ttlMs: 1e12 });
  }
}

class ExpiresEarly extends SharedStore {
  override set(key: string, text: string, options: Given<"set">[2]): string | undefined {
    return super.set(key, text, { ...options, ttlMs: Math.min(options.ttlMs, 30_000) });
  }
}

class ConfusesSessions extends SharedStore {
  #other: string | undefined;

  override append(log: string, ...more: [string, Given<"append">[2]]): string {
    if (!log.startsWith("messages:")) return super.append(log, ...more);
    const other = this.#other ?? log;
    this.#other = log;
    return super.append(other, ...more);
  }
}

/** Handles what a POST of HTTP+SSE at another node contains twice. */
class DoublesSsePosts extends SharedStore {
  override append(...given: Given<"append">): string {
    if (given[0].startsWith("inbox:") && given[1].includes('"sse-post"')) super.append(...given);
    return super.append(...given);
  }
}

/** Other nodes do not get to know the log level of a session. */
class ForgetsLevels extends SharedStore {
  override set(key: string, text: string, options: Given<"set">[2]): string | undefined {
    const known = key.startsWith("session:") ? text.replace(/"logLevel":"\w+"/, '"logLevel":"info"') : text;
    return super.set(key, known, options);
  }
}

/** A node that changes requests before it serves them. */
abstract class WrongNode extends Node {
  override get endpoint(): HttpEndpoint {
    const { endpoint } = this.handler;
    return {
      maxBodyBytes: endpoint.maxBodyBytes,
      writeTimeoutMs: endpoint.writeTimeoutMs,
      receiveHead: (request, responder) => {
        this.change(request);
        return endpoint.receiveHead(request, responder);
      },
      rejectTooLarge: (request, responder) => endpoint.rejectTooLarge(request, responder),
      receiveText: (request, body, responder) =>
        endpoint.receiveText(request, body && this.changeText(body), this.changeResponse(request, responder)),
      receiveMessage: (request, message, responder) => endpoint.receiveMessage(request, message, responder),
    };
  }

  protected change(_request: HttpRequest): void {
    // By default, nothing is changed.
  }

  protected changeText(text: string): string {
    return text;
  }

  protected changeResponse(_request: HttpRequest, responder: Responder): Responder {
    return responder;
  }
}

/** Serves the sessions of all principals to each. */
class IgnoresOwners extends WrongNode {
  static readonly owners = new Map<string, Principal | undefined>();

  protected override change(request: HttpRequest): void {
    const owner = IgnoresOwners.owners.get(request.header("mcp-session-id") ?? "");
    if (owner) request.principal = owner;
  }

  protected override changeResponse({ principal }: HttpRequest, responder: Responder): Responder {
    const note = ({ "mcp-session-id": id }: Readonly<Partial<Record<string, string>>>): void => {
      if (id !== undefined) IgnoresOwners.owners.set(id, principal);
    };
    const respond = responder.respond.bind(responder);
    const startStream = responder.startStream.bind(responder);
    responder.respond = (status, headers, body) => {
      note(headers);
      respond(status, headers, body);
    };
    responder.startStream = (status, headers) => {
      note(headers);
      return startStream(status, headers);
    };
    return responder;
  }
}

/** Does not handle the last request of a batch. */
class ShortensBatches extends WrongNode {
  protected override changeText(text: string): string {
    const messages: unknown = text.startsWith("[") ? JSON.parse(text) : [];
    const isLong = Array.isArray(messages) && requestIds(messages).length > 1;
    return isLong ? JSON.stringify(messages.slice(0, -1)) : text;
  }
}

/** Sends some responses a second time, to the next client. */
class ConfusesClients extends WrongNode {
  #last = "";

  protected override changeResponse(_request: HttpRequest, responder: Responder): Responder {
    const respond = responder.respond.bind(responder);
    responder.respond = (status, headers, body) => {
      const earlier = this.#last;
      const isOfTool = body?.includes('"content"') === true;
      if (isOfTool) this.#last = body;
      respond(status, headers, isOfTool && earlier ? earlier : body);
    };
    return responder;
  }
}

const stores = {
  DoublesEntries,
  DoublesChanges,
  SwapsEntries,
  LosesEntries,
  IgnoresVersions,
  KeepsDeletedSessions,
  KeepsValues,
  ExpiresEarly,
  ConfusesSessions,
  DoublesSsePosts,
  ForgetsLevels,
};

const nodes = { IgnoresOwners, ShortensBatches, ConfusesClients };

/** Wrong backplanes and nodes, by name: a simulation must find each. */
export const mutants: readonly (readonly [name: string, subject: Subject])[] = [
  ...Object.entries(stores).map(([name, Store]): [string, Subject] => [
    name,
    { newStore: (simulation) => new Store(simulation) },
  ]),
  ...Object.entries(nodes).map(([name, WrongNode]): [string, Subject] => [
    name,
    {
      newStore: (simulation) => new SharedStore(simulation),
      newNode: (...given) => new WrongNode(...given),
    },
  ]),
];
