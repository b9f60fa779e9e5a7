import { expect, test } from "vitest";
import type { ClientExtension, ClientHost, ClientInternals } from "../../../runtime/src/client.js";
import { connectClient, R4, R5 } from "../connection/connection-ends.js";
import { request, result } from "../connection/wire.js";
import { rankExtension } from "./rank-extension.js";

/** An extension that receives the parts of its clients. */
function attached(attach: (internals: ClientInternals, client: ClientHost) => void): ClientExtension {
  return { ...rankExtension, attachClient: (client, internals) => attach(internals, client) };
}

test("an extension of a client changes requests of the program and their results", async () => {
  const extension = attached(({ requests }) =>
    requests.interceptors.set("tools/call", async (params, options, send) => {
      const { place } = (await send({ ...params, arguments: { changed: true } }, options)) as { place: number };
      return { resultType: "complete", content: [{ type: "text", text: `place ${place}` }] };
    }),
  );
  const { client, wire } = await connectClient(R5, { extensions: [extension] });
  const called = client.callTool({ name: "t" });
  const { id = "", params } = await wire.next();
  expect(params).toMatchObject({ name: "t", arguments: { changed: true } });
  wire.receive(result(id, { resultType: "ranked", place: 3 }));
  expect(await called).toMatchObject({ content: [{ text: "place 3" }] });
});

test("an extension of a client sends requests of its own, whose results keep the form of the revision", async () => {
  let send: ClientInternals["requests"]["sendUnchanged"] | undefined;
  const extension = attached(({ requests }) => (send = requests.sendUnchanged.bind(requests)));
  const { wire } = await connectClient(R4, { extensions: [extension] });
  const listed = send?.("tools/list", {}, { isRaw: true });
  const tool = { name: "t", inputSchema: { type: "object" }, execution: { taskSupport: "required" } };
  wire.receive(result((await wire.next()).id ?? "", { tools: [tool] }));
  expect(await listed).toEqual({ tools: [tool] });
});

test("an extension of a client runs the handlers of the program, and responds itself", async () => {
  const extension = attached(({ requests }) =>
    requests.interceptHandlers(async (params, context, run) =>
      params["message"] === "own" ? { action: "decline" } : { ...(await run(context)), _meta: { seen: true } },
    ),
  );
  const { client, wire } = await connectClient(R4, { capabilities: { elicitation: {} }, extensions: [extension] });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  const ask = async (message: string): Promise<unknown> => {
    wire.receive(
      request(message, "elicitation/create", { message, requestedSchema: { type: "object", properties: {} } }),
    );
    return (await wire.next()).result;
  };
  expect(await ask("run")).toEqual({ action: "accept", content: {}, _meta: { seen: true } });
  expect(await ask("own")).toEqual({ action: "decline" });
});

test("an extension is attached once to each client, before it connects", async () => {
  const clients: unknown[] = [];
  const extension = attached((_internals, { era }) => clients.push(era));
  const { client } = await connectClient(R5, { extensions: [extension] });
  expect(clients).toEqual([undefined]);
  expect(client.era).toBe("stateless");
});
