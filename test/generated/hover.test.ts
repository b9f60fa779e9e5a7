import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root, strictest } from "../support/typecheck.js";

/** The name after `^` marks a position. */
const marked = `
import type { Connection } from "@mcpwright/protocol/contract";
import type { ClientRequests, ServerEvent } from "@mcpwright/protocol/2026-07-28";
import { callTool } from "@mcpwright/protocol/2026-07-28/client";
import { handleServer } from "@mcpwright/protocol/2026-07-28/server";
import { checkTool } from "@mcpwright/protocol/2026-07-28/issues";
declare const connection: Connection;
declare const ^event: ServerEvent;
void ^callTool(connection, { ^name: "t", ^_meta: {} });
handleServer(connection, { ^"tools/call": (^params) => ({ content: [{ type: "text", text: params.name }], resultType: "complete" }) });
^checkTool(event);
export type Call = ClientRequests[^"tools/call"];
`;

const file = join(root, "test/generated/hovered.ts");
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
  ["event", "const event: ServerEvent", ""],
  ["callTool", "params: CallToolInput, options?: RequestOptions): Promise<CallToolOutcome>", "Asks the server to run a tool"],
  ["name", "(property) name: string", "A name from"],
  ["_meta", "_meta?: {", "Additional metadata"],
  ["handler", "(params: CallToolRequestParams, context: HandlerContext) => CallToolOutcome | Promise", "Asks the server to run a tool"],
  ["params of the handler", "params: CallToolRequestParams", ""],
  ["checkTool", "checkTool(value: unknown): Issue[]", ""],
  ["row of the method", "params: CallToolRequestParams;", "Asks the server to run a tool"],
] as const;

test.each(places.map((place, at) => [...place, positions[at] ?? -1] as const))("%s: what an editor shows", (_, shown, doc, at) => {
  const found = service.getQuickInfoAtPosition(file, at);
  expect(ts.displayPartsToString(found?.displayParts)).toContain(shown);
  expect(ts.displayPartsToString(found?.documentation)).toContain(doc);
});

test("the marked code compiles", () => {
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
});
