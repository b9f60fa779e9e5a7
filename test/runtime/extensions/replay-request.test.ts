import { describe, expect, test } from "vitest";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { markOf, replayRequest, type RecordedRequest } from "../../../runtime/src/server/replay-request.js";
import { clientInfo, R1, R4, R5, serve, serverSide } from "../connection/connection-ends.js";

const recorded = (
  revision: string,
  params: object = { name: "t", _meta: { "com.example/a": 1 } },
): RecordedRequest => ({
  method: "tools/call",
  params: params as RecordedRequest["params"],
  revision,
  capabilities: { elicitation: {} },
  info: clientInfo,
  principal: { issuer: "https://auth.example.com", subject: "ada" },
});

describe("replayRequest", () => {
  test.each([R1, R4, R5])("runs a recorded request of %s as that of the same client", async (revision) => {
    const seen: unknown[] = [];
    const { server, errors } = await serve(
      { middleware: [({ method }, next) => (seen.push(method), next())] },
      {
        "tools/call": (params: { name: string }, context: ServerContext) => {
          const { client, principal, session } = context;
          seen.push([params.name, context._meta["com.example/a"], markOf(context)]);
          seen.push([
            client.side.revision,
            client.capabilities,
            client.info,
            principal?.subject,
            session !== undefined,
          ]);
          context.progress({ progress: 1 });
          return { content: [] };
        },
      },
    );
    const response = await replayRequest(server, recorded(revision), "task 1");
    expect(response).toMatchObject({ result: { content: [] } });
    expect(seen).toEqual([
      "tools/call",
      ["t", 1, "task 1"],
      [revision, { elicitation: {} }, clientInfo, "ada", revision !== R5],
    ]);
    expect(server.connections.size).toBe(1);
    expect(errors).toEqual([]);
  });

  test("returns the error of a request that is no longer valid", async () => {
    const { server } = await serve({}, { "tools/call": () => ({ content: [] }) });
    const response = await replayRequest(server, recorded(R5, { name: 5 }), undefined);
    expect(response).toMatchObject({ error: { code: -32602 } });
  });

  test("rejects a revision that the server no longer supports", async () => {
    const { server } = await serve({ revisions: [serverSide(R5)] });
    await expect(replayRequest(server, recorded(R4), undefined)).rejects.toMatchObject({
      code: "NOT_IN_THIS_REVISION",
    });
  });

  test("fails requests of the handler to its client", async () => {
    const failures: unknown[] = [];
    const { server } = await serve();
    server.handle({
      "tools/call": async (_params, { elicit }) => {
        await elicit("k", { message: "a?", requestedSchema: { type: "object", properties: {} } }).catch(
          (error: unknown) => failures.push(error),
        );
        return { content: [] };
      },
    });
    await replayRequest(server, recorded(R4), undefined);
    expect(failures).toMatchObject([{ code: "CANNOT_ASK" }]);
  });

  test("rejects when the server is closed meanwhile", async () => {
    const { server } = await serve({}, { "tools/call": () => new Promise(() => undefined) });
    const running = replayRequest(server, recorded(R5), undefined);
    await server.close(0);
    await expect(running).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});
