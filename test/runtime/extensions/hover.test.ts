import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root, strictest } from "../../support/typecheck.js";

/** The name after `^` marks a position. */
const marked = `
import type { Extension } from "@mcpwright/protocol/contract";
import { Client } from "@mcpwright/runtime/client";
import { McpServer } from "@mcpwright/runtime/server";
interface RankParams { query: string }
interface RankResult { order: string[] }
interface RankedResult { resultType: "ranked" }
interface RankRequests {
  /** Ranks the tools. */
  "tools/rank": { params: RankParams; result: RankResult };
}
interface RankTypes {
  readonly clientRequests: RankRequests;
  readonly clientNotifications: object;
  readonly serverRequests: object;
  readonly serverNotifications: object;
  readonly alternatives: { "tools/call": RankedResult };
  readonly clientSettings: object;
  readonly serverSettings: object;
}
declare const rank: Extension<RankTypes>;
const ^plain = new McpServer({ name: "a", version: "1" });
const ^ranking = new McpServer({ name: "a", version: "1" }, { extensions: [rank] });
ranking.server.handle({ ^"tools/rank": (^params) => ({ order: [params.query] }) });
const ^client = new Client({ name: "a", version: "1" }, { extensions: [rank] });
const ^ranked = await client.^request("tools/rank", { query: "a" });
const ^called = await client.callTool({ name: "a" });
const ^listed = await client.listTools();
export { plain, ranked, called, listed };
`;

const file = join(root, "test/runtime/extensions/hovered.ts");
const text = marked.replaceAll("^", "");
const positions = [...marked.matchAll(/\^/g)].map(({ index }, before) => index - before);

const service = ts.createLanguageService({
  getCompilationSettings: () => ({ ...strictest, skipLibCheck: true }),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const found = path === file ? text : ts.sys.readFile(path);
    return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
  },
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  readFile: (path) => ts.sys.readFile(path),
});

const places = [
  ["a server", "const plain: McpServer<AnyRevisions, AnyExtensions>", ""],
  ["a server with an extension", "const ranking: McpServer<AnyRevisions, readonly [Extension<RankTypes>]>", ""],
  ["a handler", "(params: ParamsInput<RankParams>, context: ServerContext<", "Ranks the tools."],
  ["params of a handler", "(parameter) params: ParamsInput<RankParams>", ""],
  ["a client", "const client: Client<AnyRevisions, readonly [Extension<RankTypes>]>", ""],
  ["a result", "const ranked: RankResult", ""],
  ["request", "params: ParamsInput<RankParams>, options?: SendOptions", "Sends a request of any method"],
  ["the result of a tool", "const called: CompleteCallToolResult | RankedResult", ""],
  ["a list", "const listed: ListToolsResult", ""],
] as const;

test.each(places.map((place, at) => [...place, positions[at] ?? -1] as const))(
  "%s: what an editor shows",
  (_, shown, doc, at) => {
    const found = service.getQuickInfoAtPosition(file, at);
    expect(ts.displayPartsToString(found?.displayParts)).toContain(shown);
    expect(ts.displayPartsToString(found?.documentation)).toContain(doc);
  },
);

test("the marked code compiles", () => {
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
});
