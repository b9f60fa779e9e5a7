import { describe, expect, test } from "vitest";
import { UrlElicitationRequiredError } from "../../../runtime/src/index.js";
import { inputRequired, McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import { connect, eras, errorOf, info, text } from "./pair.js";

const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const elicitation = { capabilities: { elicitation: {} } };

describe("a failing user interface fails the tool, and the model gets the reason", () => {
  const server = new McpServer(info);
  const ask = () => ({ q: inputRequired.elicit(form) });
  server.registerTool("asked before", { inputRequests: ask }, () => text("never"));
  server.registerTool("asked by result", {}, (context) =>
    context.inputResponses ? text("never") : inputRequired({ inputRequests: ask() }),
  );
  server.registerTool("awaited", {}, async (context) => {
    await context.elicit("q", { mode: "form", ...form });
    return text("never");
  });

  test.each(["asked before", "asked by result", "awaited"])("%s", async (name) => {
    const { client } = await connect(server, "2025-11-25", elicitation, (host) =>
      host.setRequestHandler("elicitation/create", () => {
        throw new Error("no window");
      }),
    );
    expect(await client.callTool({ name })).toMatchObject({ isError: true, content: [{ text: "Internal error" }] });
  });
});

describe("a required URL, from tools, prompts and resources", () => {
  const server = new McpServer(info);
  const visit = (): never => {
    throw new UrlElicitationRequiredError([
      { mode: "url", message: "Sign in", url: "https://example.com/in", elicitationId: "e1" },
    ]);
  };
  server.registerTool("t", {}, visit);
  server.registerPrompt("p", {}, visit);
  server.registerResource("r", new ResourceTemplate("x://{id}"), {}, visit);

  test.each([
    [
      "tool",
      (client: Awaited<ReturnType<typeof connect>>["client"]) =>
        client.callTool({ name: "t" }, { allowInputRequired: true }),
    ],
    [
      "prompt",
      (client: Awaited<ReturnType<typeof connect>>["client"]) =>
        client.getPrompt({ name: "p" }, { allowInputRequired: true }),
    ],
    [
      "resource",
      (client: Awaited<ReturnType<typeof connect>>["client"]) =>
        client.readResource({ uri: "x://1" }, { allowInputRequired: true }),
    ],
  ])("%s: is an input request in the stateless era", async (_kind, call) => {
    const { client } = await connect(server, "2026-07-28", { capabilities: { elicitation: { url: {} } } });
    const outcome = await call(client);
    expect(outcome).toMatchObject({
      resultType: "input_required",
      inputRequests: { e1: { method: "elicitation/create", params: { mode: "url", url: "https://example.com/in" } } },
    });
    // This result must not be cached.
    expect(outcome).not.toHaveProperty("ttlMs");
  });

  test("a client that cannot open URLs gets the capability that it lacks", async () => {
    const { client } = await connect(server, "2026-07-28");
    const refusal = { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } };
    expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject(refusal);
    expect(await errorOf(client.getPrompt({ name: "p" }))).toMatchObject(refusal);
    expect(await errorOf(client.readResource({ uri: "x://1" }))).toMatchObject(refusal);
  });
});

test("a list of several pages is as fresh as its oldest page, and as private as its most private one", async () => {
  const server = new McpServer(info, {
    pageSize: 1,
    cacheHints: { "tools/list": { ttlMs: 500, cacheScope: "public" } },
  });
  for (const name of ["a", "b"]) server.registerTool(name, {}, () => text(name));
  const { client } = await connect(server, "2026-07-28");
  expect(await client.listTools()).toMatchObject({
    ttlMs: 500,
    cacheScope: "public",
    tools: [{ name: "a" }, { name: "b" }],
  });
});

test.each(eras)("%s: a server that has exited is not alive", async (revision) => {
  const { client } = await connect(new McpServer(info), revision);
  const alive = await client.isAlive();
  await client.close();
  expect([alive, await client.isAlive()]).toEqual([true, false]);
});

test("results do not name a server that hides its name", async () => {
  const server = new McpServer(info, { includeServerInfo: false });
  server.registerTool("t", {}, () => text("t"));
  const { client } = await connect(server, "2026-07-28");
  expect(await client.callTool({ name: "t" })).toEqual({ resultType: "complete", ...text("t") });
});
