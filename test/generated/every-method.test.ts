import { setImmediate as delivered } from "node:timers/promises";
import type { Connection, HandlerContext, HandlerMap, NotificationMessage, Side } from "@mcpwright/protocol/contract";
import { describe, expect, test } from "vitest";
import type { NotificationModel, ProtocolModel, RequestModel } from "../../generator/shared/model/protocol.js";
import { collect } from "../support/collect.js";
import { connectionPair, type ConnectionPair } from "../support/connection-double.js";
import { instanceMaker, type JsonObject } from "../../generator/pipeline/emit/corpus/instances.js";
import { published, type PublishedRevision, type StubEntry } from "../support/protocol.js";

const identity = { clientInfo: { name: "caller", version: "3.1" }, clientCapabilities: { roots: {} } };
const roles = (["client", "server"] as const).map((sender) => ({ sender }));

describe.each(published)("$revision", (revision) => {
  describe.each(roles)("sent by the $sender", ({ sender }) => {
    const { receiver, row, connect, instances, stubs, exercised, model } = conversation(revision, sender);
    const requests = Object.keys(receiver.receives.requests);
    const notifications = Object.keys(receiver.receives.notifications);

    test("there is exactly one stub for each message that the other side receives, and one more for paged ones", () => {
      const sentBy = (...kinds: readonly StubKind[]): readonly string[] =>
        stubs.filter(({ kind }) => kinds.includes(kind)).map(({ method }) => method);
      const streams = requests.filter((method) => receiver.receives.requests[method]?.stream);
      const paged = requests.filter((method) => row(method).pages !== undefined);
      expect(sentBy("request", "stream").toSorted()).toEqual(requests.toSorted());
      expect(sentBy("stream").toSorted()).toEqual(streams.toSorted());
      expect(sentBy("pages").toSorted()).toEqual(paged.toSorted());
      expect(sentBy("notification").toSorted()).toEqual(notifications.toSorted());
    });

    test.each(requests)("%s: sends every shape of params and returns every shape of every result", async (method) => {
      const request = findRequest(model, sender, method);
      const send = stubs.find((stub) => stub.kind !== "pages" && stub.method === method);
      const paramsShapes = shapesOfParams(request, instances, receiver);
      const results = shapesOfResults(request, model, instances);
      expect(results.length).toBeGreaterThan(0);
      for (let at = 0; at < Math.max(paramsShapes.length, results.length); at++) {
        const result = results[at % results.length];
        const params = paramsFor(request, result, paramsShapes.slice(at % paramsShapes.length), paramsShapes);
        const seen: unknown[] = [];
        const { here, handle } = connect();
        handle({
          [method]: async (received: unknown, context: HandlerContext) => {
            seen.push(received);
            const first = receiver.receives.requests[method]?.stream?.acknowledged;
            if (first !== undefined) await context.notify(first, acknowledgement(model, first, instances));
            return result;
          },
        });
        const answer = send?.call(here, params);
        expect(await (send?.kind === "stream" ? (answer as { result: unknown }).result : answer)).toEqual(result);
        expect(seen).toEqual([completed(params, receiver)]);
      }
    });

    test.each(requests.filter((method) => row(method).pages !== undefined))("%s: yields the items of every page", async (method) => {
      const request = findRequest(model, sender, method);
      const [whole] = instances.full(request.result.type) as readonly JsonObject[];
      const items = whole?.[row(method).pages ?? ""];
      const cursors: unknown[] = [];
      const { here, handle } = connect();
      handle({
        [method]: (params?: { readonly cursor?: string }) => {
          cursors.push(params?.cursor);
          const { nextCursor: _, ...last }: JsonObject = { ...whole, ...ownTag(model) };
          return params?.cursor === undefined ? { ...last, nextCursor: "second" } : last;
        },
      });
      const all = stubs.find((stub) => stub.kind === "pages" && stub.method === method)?.call(here);
      expect(items).not.toEqual([]);
      expect(await collect(all as AsyncIterable<unknown>)).toEqual([items, items].flat());
      expect(cursors).toEqual([undefined, "second"]);
    });

    test.each(notifications)("%s arrives at its handler", async (method) => {
      const notification = findNotification(model, sender, method);
      const notify = stubs.find((stub) => stub.kind === "notification" && stub.method === method);
      for (const params of shapesOfParams(notification, instances)) {
        const { here, handle, unheard } = connect();
        const heard: unknown[] = [];
        handle({ [method]: (received: unknown) => void heard.push(received) });
        await notify?.call(here, params);
        await delivered();
        expect(heard).toEqual([params]);
        expect(unheard).toEqual([]);
      }
    });

    const [carrier] = Object.keys(receiverOf(sender === "client" ? "server" : "client", revision).receives.requests);
    test.each(carrier === undefined ? [] : notifications)("%s that is related to a request arrives at that request", async (method) => {
      const notify = stubs.find((stub) => stub.kind === "notification" && stub.method === method);
      const asked = findRequest(model, sender === "client" ? "server" : "client", carrier ?? "");
      const [params] = shapesOfParams(findNotification(model, sender, method), instances).slice(-1);
      const { here, there, unheard } = connect();
      const related: NotificationMessage[] = [];
      here.handle({
        [asked.method]: async (_: unknown, { requestId }: HandlerContext) => {
          await notify?.call(here, params, requestId);
          return {};
        },
      });
      const [question] = shapesOfParams(asked, instances).slice(-1);
      await there.request(asked.method, question as object, { onNotification: (found) => related.push(found) });
      expect(related).toEqual([{ method, params }]);
      expect(unheard).toEqual([]);
    });

    test("every function that the package exports for this side was called", () => {
      const exported = Object.keys(revision[sender]).filter((name) => !name.startsWith("handle"));
      expect([...exercised].sort()).toEqual(exported.sort());
      expect(Object.keys(revision[sender])).toContain(sender === "client" ? "handleClient" : "handleServer");
    });
  });
});

type StubKind = "request" | "stream" | "pages" | "notification";

interface Stub {
  readonly kind: StubKind;
  readonly method: string;
  call(connection: Connection, ...rest: unknown[]): unknown;
}

function conversation(revision: PublishedRevision, sender: Side["role"]) {
  const receiver = receiverOf(sender, revision);
  const exercised = new Set<string>();
  const stubs = Object.entries(revision[sender])
    .filter(([name]) => !name.startsWith("handle"))
    .map(([name, run]): Stub => {
      const call = (connection: Connection, ...rest: unknown[]): unknown => {
        exercised.add(name);
        return run(connection, ...rest);
      };
      return { ...whatItSends(run), call };
    });
  const entry = receiver.role === "client" ? revision.client : revision.server;
  const handleAll = entry[receiver.role === "client" ? "handleClient" : "handleServer"] as unknown as (
    connection: Connection,
    handlers: HandlerMap,
  ) => void;
  return {
    receiver,
    stubs,
    exercised,
    model: revision.model,
    instances: instanceMaker(revision.model),
    row: (method: string) => {
      const row = revision.entry[`${sender}Side`].receives.results[method];
      if (!row) throw new Error(`${method} has no result row`);
      return row;
    },
    connect: () => {
      const pair: ConnectionPair = connectionPair(revision.entry, identity);
      const [here, there] = sender === "client" ? [pair.client, pair.server] : [pair.server, pair.client];
      return { here, there, unheard: pair.unheard, handle: (handlers: HandlerMap) => handleAll(there, handlers) };
    },
  };
}

/** Calls a stub with a connection that is not connected. */
function whatItSends(run: StubEntry[string]): { readonly kind: StubKind; readonly method: string } {
  const sent: { readonly kind: StubKind; readonly method: string }[] = [];
  const never = new Promise<never>(() => undefined);
  const record = (kind: StubKind, method: string): Promise<never> => {
    sent.push({ kind, method });
    return never;
  };
  const stream = { acknowledged: never, result: never, close: () => never, [Symbol.asyncIterator]: () => never };
  const started = run(
    {
      request: (method) => record("request", method),
      listen: (method) => ({ ...stream, result: record("stream", method) }) as never,
      notify: (method) => record("notification", method),
      handle: () => undefined,
    },
    {},
  );
  const pages = typeof started === "object" && started !== null && "next" in started;
  if (pages) void (started as AsyncGenerator).next();
  const [only, ...rest] = sent;
  if (!only || rest.length > 0) throw new Error(`${run.name} sends ${sent.length} messages`);
  return { ...only, kind: pages ? "pages" : only.kind };
}

function receiverOf(sender: Side["role"], { entry }: PublishedRevision): Side {
  return sender === "client" ? entry.serverSide : entry.clientSide;
}

function findRequest({ requests }: ProtocolModel, sender: Side["role"], method: string): RequestModel {
  const found = requests.find((request) => request.sender === sender && request.method === method);
  if (!found) throw new Error(`the model has no request ${method} of a ${sender}`);
  return found;
}

function findNotification({ notifications }: ProtocolModel, sender: Side["role"], method: string): NotificationModel {
  const found = notifications.find((notification) => notification.sender === sender && notification.method === method);
  if (!found) throw new Error(`the model has no notification ${method} of a ${sender}`);
  return found;
}

/** Where the connection completes `_meta`, callers may omit it. */
function shapesOfParams(
  { params, paramsOptional }: Pick<RequestModel, "params" | "paramsOptional">,
  instances: ReturnType<typeof instanceMaker>,
  completedBy?: Side,
): readonly unknown[] {
  if (params === undefined) return [undefined];
  const made = [instances.minimal(params), ...instances.full(params)] as readonly JsonObject[];
  const [least] = made;
  const { _meta, ...bare } = least ?? {};
  const short = completedBy?.profile.opening === "stateless" && _meta !== undefined ? [bare] : [];
  return [...(paramsOptional ? [undefined] : []), ...short, ...made];
}

/**
 * The first shape of params that can have this result: some results are possible only when the request has a certain
 * member.
 */
function paramsFor({ result }: RequestModel, answer: unknown, ...shapes: readonly (readonly unknown[])[]): unknown {
  const has = (value: unknown, member: string): boolean => (value as JsonObject | undefined)?.[member] !== undefined;
  if (result.kind !== "presence" || !has(answer, result.member)) return shapes[0]?.[0];
  const asking = shapes.flat().find((params) => has(params, result.onlyWith));
  if (asking === undefined) throw new Error(`no params ask for ${result.alternative}`);
  return asking;
}

function completed(params: unknown, { profile, revision }: Side): unknown {
  if (profile.opening !== "stateless") return params;
  const demanded = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": identity.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": identity.clientCapabilities,
  };
  const { _meta, ...rest } = params as { readonly _meta?: object };
  return { ...rest, _meta: { ...demanded, ..._meta } };
}

function ownTag({ resultTag }: ProtocolModel): object {
  return resultTag ? { [resultTag.member]: resultTag.own } : {};
}

function shapesOfResults(
  { result }: RequestModel,
  model: ProtocolModel,
  instances: ReturnType<typeof instanceMaker>,
): readonly unknown[] {
  const made = (type: string): readonly JsonObject[] =>
    [instances.minimal(type), ...instances.full(type)] as readonly JsonObject[];
  const own = made(result.type).map((value) => ({ ...value, ...ownTag(model) }));
  switch (result.kind) {
    case "single":
      return own;
    case "presence":
      return [...own, ...made(result.alternative)];
    case "tagged": {
      const { member, alternatives } = model.resultTag ?? { member: "", alternatives: [] };
      const others = alternatives.filter(({ value }) => result.alternatives.includes(value));
      expect(others.map(({ value }) => value)).toEqual(result.alternatives);
      const tagged = others.flatMap(({ value, type, atLeastOneOf }) =>
        made(type)
          .filter((instance) => atLeastOneOf.length === 0 || atLeastOneOf.some((name) => name in instance))
          .map((instance) => ({ ...instance, [member]: value })),
      );
      expect(tagged).not.toEqual([]);
      return [...own, ...tagged];
    }
  }
}

function acknowledgement(
  model: ProtocolModel,
  method: string,
  instances: ReturnType<typeof instanceMaker>,
): object {
  const { params } = findNotification(model, "server", method);
  return instances.full(params ?? "")[0] as object;
}
