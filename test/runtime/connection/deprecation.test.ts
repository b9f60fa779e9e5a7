/** Deprecated features work, and are reported to `onerror` once per process: so the order of these tests matters. */
import { expect, test } from "vitest";
import { SSEClientTransport } from "../../../runtime/src/client/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, info, text } from "../api/pair.js";
import { fakeServer } from "../http-client/fake-server.js";

const capabilities = { sampling: {}, roots: {}, elicitation: { form: {} } };
const sampled = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" } as const;
const asked = { messages: [], maxTokens: 1 };
const requestedSchema = { type: "object", properties: {} } as const;

async function connected(revision: "2025-11-25" | "2026-07-28", errors?: Error[]) {
  const onerror = errors && ((error: Error) => void errors.push(error));
  const server = new McpServer(info, { capabilities: { logging: {} }, ...(onerror && { onerror }) });
  server.registerTool("t", {}, async (context) => {
    context.log("error", "a message");
    await context.elicit("form", { mode: "form", message: "?", requestedSchema });
    await context.sample("model", asked);
    await context.listRoots("roots");
    return text("ok");
  });
  const { client } = await connect(
    server,
    revision,
    { capabilities, onerror: onerror ?? (() => undefined) },
    (made) => {
      made.setRequestHandler("sampling/createMessage", () => sampled);
      made.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
    },
  );
  return client;
}

test("a revision that does not deprecate them reports nothing", async () => {
  const errors: Error[] = [];
  const client = await connected("2025-11-25", errors);
  await client.setLoggingLevel("error");
  expect(await client.callTool({ name: "t" })).toMatchObject(text("ok"));
  expect(errors).toEqual([]);
});

test("each feature is reported once, with its remedy, and works", async () => {
  const errors: Error[] = [];
  const client = await connected("2026-07-28", errors);
  await client.setLoggingLevel("error");
  for (let round = 0; round < 2; round++) expect(await client.callTool({ name: "t" })).toMatchObject(text("ok"));
  const reported = errors.map(({ message }) => message).sort();
  expect(reported).toMatchObject([
    expect.stringMatching(/^notifications\/message is deprecated\. Write to /),
    expect.stringMatching(/^roots\/list is deprecated\. Pass directories /),
    expect.stringMatching(/^sampling\/createMessage is deprecated\. Call a model /),
  ]);
  expect(errors).toMatchObject(Array(3).fill({ name: "SdkError", code: "DEPRECATED" }));
});

test("SSEClientTransport is reported, too", async () => {
  const server = await fakeServer((_seen, reply) => void reply.events().send({ event: "endpoint", data: "/post" }));
  const errors: Error[] = [];
  for (let round = 0; round < 2; round++) {
    const transport = new SSEClientTransport(server.url);
    transport.onerror = (error) => void errors.push(error);
    await transport.start();
    await transport.close();
  }
  expect(errors).toMatchObject([
    { code: "DEPRECATED", message: expect.stringMatching(/^SSEClientTransport is /) as string },
  ]);
});
