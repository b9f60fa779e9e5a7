import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../../runtime/src/jsonrpc/errors.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import type { GrantStream } from "../../../runtime/src/server/extension-hooks.js";
import type { ServerExtension } from "../../../runtime/src/server/server-extension.js";
import { modern, serve, subscriptionKey } from "../connection/connection-ends.js";
import { notification, request } from "../connection/wire.js";
import { rankExtension, rankId } from "./rank-extension.js";

async function serveStreams(grantStream: GrantStream<ServerContext>, options: object = {}) {
  const extension: ServerExtension = {
    ...rankExtension,
    attachServer: (server) => {
      server.grantStream = grantStream;
    },
  };
  return serve({
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    extensions: [extension],
    ...options,
  });
}

const declared = { extensions: { [rankId]: {} } };
const listen = (notifications: object): object =>
  request(1, "subscriptions/listen", modern({ notifications }, declared));

/** Grants the queries that begin with "a", and records what happens to the stream. */
function rankStreams() {
  const events: string[] = [];
  let send: ((method: string, params?: object) => void) | undefined;
  const grantStream: GrantStream<ServerContext> = async ({ rankQueries }) => {
    await Promise.resolve();
    if (!Array.isArray(rankQueries)) return undefined;
    const granted = (rankQueries as string[]).filter((query) => query.startsWith("a"));
    return {
      filter: { rankQueries: granted },
      open: (sender) => {
        events.push("open");
        send = sender;
        return () => events.push("end");
      },
    };
  };
  return { events, grantStream, send: (query: string) => send?.("notifications/rank", { query }) };
}

describe("grantStream", () => {
  test("adds members to the acknowledgement, and sends notifications on the stream until its end", async () => {
    const { events, grantStream, send } = rankStreams();
    const { wire } = await serveStreams(grantStream);
    wire.receive(listen({ toolsListChanged: true, rankQueries: ["a", "b"] }));
    expect(await wire.next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true, rankQueries: ["a"] } },
    });
    await expect.poll(() => events).toEqual(["open"]);
    send("a");
    expect(await wire.next()).toEqual(
      notification("notifications/rank", { query: "a", _meta: { [subscriptionKey]: 1 } }),
    );
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    await expect.poll(() => events).toEqual(["open", "end"]);
    send("a");
    expect(await wire.rest()).toEqual([]);
  });

  test("ends with the server, once", async () => {
    const { events, grantStream } = rankStreams();
    const { wire, server } = await serveStreams(grantStream);
    wire.receive(listen({ rankQueries: ["a"] }));
    await wire.next();
    await server.close();
    expect(events).toEqual(["open", "end"]);
    expect(wire.take()).toMatchObject([{ id: 1, result: {} }, { method: "notifications/cancelled" }]);
  });

  test("opens nothing for a client that left while the filter was checked", async () => {
    const { events, grantStream } = rankStreams();
    const { wire } = await serveStreams(grantStream);
    wire.receive(listen({ rankQueries: ["a"] }));
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    expect(await wire.rest()).toEqual([]);
    expect(events).toEqual([]);
  });

  test("leaves other streams as they are", async () => {
    const { events, grantStream } = rankStreams();
    const canSubscribe = (uri: string): boolean => uri === "a:b";
    const { wire } = await serveStreams(grantStream, { canSubscribe });
    wire.receive(listen({ resourceSubscriptions: ["a:b", "a:c"] }));
    expect((await wire.next()).params?.["notifications"]).toEqual({ resourceSubscriptions: ["a:b"] });
    expect(events).toEqual([]);
  });

  test("rejects the request with the error that it throws", async () => {
    const { wire } = await serveStreams(() => {
      throw new ProtocolError(-32021, "no", { requiredCapabilities: { extensions: {} } });
    });
    wire.receive(listen({ rankQueries: ["a"] }));
    expect((await wire.next()).error).toEqual({
      code: -32021,
      message: "no",
      data: { requiredCapabilities: { extensions: {} } },
    });
  });
});
