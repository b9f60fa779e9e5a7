import { describe, expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { checkContents } from "../../../runtime/src/testing.js";
import { connect, eras, info } from "../api/pair.js";

const png = { type: "image", data: "aGk=", mimeType: "image/png" };
const page = { uri: "file:///a", text: "hi", mimeType: "text/plain" };

describe.each(eras)("%s: checkContents", (revision) => {
  async function checked(content: readonly object[], contents: readonly object[] = [page]) {
    const problems: string[] = [];
    const server = new McpServer(info, {
      middleware: [checkContents((problem, method) => void problems.push(`${method} ${problem}`))],
    });
    server.registerTool("t", {}, () => ({ content }) as never);
    server.registerPrompt(
      "p",
      {},
      () => ({ messages: content.map((one) => ({ role: "user", content: one })) }) as never,
    );
    server.registerResource("r", "file:///a", {}, () => ({ contents }) as never);
    const { client } = await connect(server, revision);
    await client.callTool({ name: "t" });
    await client.getPrompt({ name: "p" });
    await client.readResource({ uri: "file:///a" });
    return problems;
  }

  test("accepts valid content", async () => {
    const link = { type: "resource_link", uri: "a:b", name: "b" };
    const contents = [
      page,
      { uri: "a:b", blob: "" },
      { uri: "a:c", blob: "aGk=", mimeType: "text/plain; charset=utf-8" },
    ];
    expect(
      await checked([png, { type: "text", text: "" }, link, { type: "resource", resource: page }], contents),
    ).toEqual([]);
  });

  test.each([
    [{ ...png, data: "no!" }, "/data is not Base64"],
    [{ ...png, data: "aGk" }, "/data is not Base64"],
    [{ ...png, mimeType: "" }, '/mimeType is not a MIME type, such as "image/…"'],
    [{ type: "resource", resource: { ...page, uri: "a b" } }, "/resource/uri is not an absolute URI"],
    [{ type: "resource", resource: { uri: "a:b", text: "" } }, "/resource/mimeType is missing or not a MIME type"],
    [{ type: "resource_link", uri: "nowhere", name: "n" }, "/uri is not an absolute URI"],
  ])("reports %j", async (block, problem) => {
    expect(await checked([block])).toEqual([
      `tools/call /content/0${problem}`,
      `prompts/get /messages/0/content/0${problem}`,
    ]);
  });

  test.each([
    [[], "/contents is empty: throw ResourceNotFoundError if the resource does not exist"],
    [[{ uri: "file:///a", blob: "%" }], "/contents/0/blob is not Base64"],
    [[{ ...page, mimeType: "text" }], "/contents/0/mimeType is missing or not a MIME type"],
  ])("reports contents %j", async (contents, problem) => {
    expect(await checked([], contents)).toEqual([`resources/read ${problem}`]);
  });
});

test("without a function, the request fails and onerror gets the problems", async () => {
  const errors: Error[] = [];
  const server = new McpServer(info, { middleware: [checkContents()], onerror: (error) => void errors.push(error) });
  server.registerTool("t", {}, () => ({ content: [{ ...png, data: "?" }] }) as never);
  const { client } = await connect(server, "2026-07-28");
  await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: -32603 });
  expect(errors).toMatchObject([
    { message: "invalid content in the result of tools/call: /content/0/data is not Base64" },
  ]);
});
