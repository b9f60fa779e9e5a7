import type { LogPage, MemoryBackplane } from "../../runtime/src/backplane.js";
import type { HttpEndpoint, Responder } from "../../runtime/src/http-server/host-adapter.js";
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

/** Sends some responses a second time, to the next client. */
class ConfusesClients extends Node {
  #last = "";

  override get endpoint(): HttpEndpoint {
    const { endpoint } = this.handler;
    return {
      maxBodyBytes: endpoint.maxBodyBytes,
      writeTimeoutMs: endpoint.writeTimeoutMs,
      receiveHead: (request, responder) => endpoint.receiveHead(request, responder),
      rejectTooLarge: (request, responder) => endpoint.rejectTooLarge(request, responder),
      receiveText: (request, body, responder) => endpoint.receiveText(request, body, this.#mixUp(responder)),
      receiveMessage: (request, message, responder) => endpoint.receiveMessage(request, message, responder),
    };
  }

  #mixUp(responder: Responder): Responder {
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
  SwapsEntries,
  LosesEntries,
  IgnoresVersions,
  KeepsDeletedSessions,
  KeepsValues,
  ExpiresEarly,
  ConfusesSessions,
};

/** Wrong backplanes and nodes, by name: a simulation must find each. */
export const mutants: readonly (readonly [name: string, subject: Subject])[] = [
  ...Object.entries(stores).map(([name, Store]): [string, Subject] => [
    name,
    { newStore: (simulation) => new Store(simulation) },
  ]),
  [
    "ConfusesClients",
    {
      newStore: (simulation) => new SharedStore(simulation),
      newNode: (...given) => new ConfusesClients(...given),
    },
  ],
];
