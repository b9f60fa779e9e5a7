/** The page of features is complete, and each of its links leads to a place that shows the feature. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "../../scripts/docs/read/read-page.js";
import { root } from "../support/typecheck.js";
import { markdownTables } from "./markdown-tables.js";

/**
 * The features of the official SDK tiers (conformance repository, feature list of the tier audit), each with what its page, test and
 * example must contain.
 */
const features: readonly (readonly [feature: string, evidence: RegExp])[] = [
  ["Tools: list", /listTools|tools\/list/],
  ["Tools: call", /callTool|tools\/call|\.call\(/],
  ["Tools: text results", /type: "text"|textResult|content: \[/],
  ["Tools: image results", /"image"|image/],
  ["Tools: audio results", /"audio"/],
  ["Tools: embedded resources", /type: "resource"/],
  ["Tools: errors", /isError/],
  [
    "Tools: changes of the list",
    /tools\/list_changed|onChanged\("tools"|"tools", "prompts"|kind: "tools"|lists: \["tools"/,
  ],
  ["Resources: list", /listResources|resources\/list|registerResource/],
  ["Resources: read text", /readResource|registerResource/],
  ["Resources: read binary data", /blob/],
  ["Resources: list templates", /ResourceTemplate/],
  ["Resources: read by a template", /ResourceTemplate/],
  ["Resources: subscribe", /subscribeResource|resources\/subscribe/],
  ["Resources: unsubscribe", /unsubscribe/],
  ["Resources: changes of the list", /resources\/list_changed|onChanged|lists: \["/],
  ["Prompts: list", /listPrompts|prompts\/list|registerPrompt/],
  ["Prompts: get a simple one", /registerPrompt/],
  ["Prompts: get one with arguments", /argsSchema/],
  ["Prompts: embedded resources", /type: "resource"/],
  ["Prompts: image content", /type: "image"/],
  ["Prompts: changes of the list", /prompts\/list_changed|onChanged|lists: \["/],
  ["Sampling: create messages", /sampl/i],
  ["Elicitation: forms", /elicit|inputRequests/i],
  ["Elicitation: URLs", /mode: "url"/],
  ["Elicitation: validation by the schema", /content|acceptedContent|校验/i],
  ["Elicitation: default values", /default|默认/],
  ["Elicitation: enum values", /enum|choices|选项/],
  ["Elicitation: completion", /completeElicitation|elicitation\/complete/],
  ["Roots: list", /roots/i],
  ["Roots: changes of the list", /roots\/list_changed/],
  ["Logging: send messages", /\blog\(|notifications\/message/],
  ["Logging: set the level", /setLoggingLevel|logging\/setLevel/],
  ["Completion: argument of a resource", /complete/],
  ["Completion: argument of a prompt", /complete/],
  ["Ping: ping", /\.ping\(/],
  ["Transports: Streamable HTTP, client", /StreamableHTTPClientTransport/],
  ["Transports: Streamable HTTP, server", /http/i],
  ["Transports: HTTP+SSE, client", /SSEClientTransport/],
  ["Transports: HTTP+SSE, server", /legacySse|legacy/i],
  ["Transports: stdio, client", /StdioClientTransport/],
  ["Transports: stdio, server", /serveStdio/],
  ["Protocol: progress", /progress/i],
  ["Protocol: cancellation", /signal|cancel/i],
  ["Protocol: pages of lists", /nextCursor/],
  ["Protocol: negotiation of capabilities", /capabilities/],
  ["Protocol: negotiation of the revision", /getNegotiatedProtocolVersion|revisions/],
  ["Protocol: JSON Schema 2020-12", /JSON Schema|2020-12/],
];

const english = "docs/reference/features.md";
const rows = (page: string) =>
  markdownTables(readFileSync(join(root, page), "utf8"))[0]?.rows.map((row) => Object.values(row)) ?? [];

/** The text that a link leads to: a file, or the section of a page. @throws when it leads nowhere */
function textAt(link: string, page: string): { readonly path: string; readonly text: string } {
  const [, target = ""] = /^\[[^\]]+\]\(([^)]+)\)$/.exec(link) ?? [];
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? page : normalize(join(dirname(page), file));
  if (target === "" || !existsSync(join(root, path)) || !statSync(join(root, path)).isFile())
    throw new Error(`${link} leads to no file: ${path}`);
  const text = readFileSync(join(root, path), "utf8");
  return { path, text: anchor === undefined ? text : sectionOf(text, anchor, path) };
}

function sectionOf(text: string, anchor: string, path: string): string {
  const { headings } = readPage(path, text);
  const index = headings.findIndex((heading) => heading.anchor === anchor);
  const [heading, next] = [
    headings[index],
    headings.slice(index + 1).find(({ level }) => level <= (headings[index]?.level ?? 0)),
  ];
  if (!heading) throw new Error(`${path} has no #${anchor}`);
  return text
    .split("\n")
    .slice(heading.line - 1, next ? next.line - 1 : undefined)
    .join("\n");
}

test("the page has a complete row for each feature, in order", () => {
  expect(rows(english).map(([number, feature]) => [number, feature])).toEqual(
    features.map(([feature], index) => [String(index + 1), feature]),
  );
  expect(rows(english).filter((cells) => cells.length !== 6 || cells.includes(""))).toEqual([]);
});

describe.each([english, "docs/zh/reference/features.md"])("%s", (page) => {
  const table = rows(page);

  test.each(features.map(([feature, evidence], index) => [feature, evidence, table[index] ?? []] as const))(
    "%s",
    (_, evidence, [, , , document = "", tested = "", example = ""]) => {
      const [doc, check, program] = [document, tested, example].map((link) => textAt(link, page));
      expect(doc?.path).toMatch(/^docs\/.*\.md$/);
      expect(check?.path).toMatch(/^test\/.*\.test\.ts$/);
      // The code of pages is compiled and run by the test of documents.
      expect(program?.path).toMatch(/^(?:examples\/.*\.ts|docs\/.*\.md)$/);
      if (program?.path.endsWith(".md")) expect(program.text).toMatch(/^```ts$|^\| zod/m);
      for (const place of [doc, check, program]) expect(evidence.test(place?.text ?? ""), place?.path).toBe(true);
    },
  );
});
