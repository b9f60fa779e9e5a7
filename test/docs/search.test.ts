/** The search of the site: the index is that of VitePress, with the words of `search-words.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { searchedHtml } from "../../docs/.vitepress/search/searched-html.js";
import { searchFuzzily, searchWords } from "../../docs/.vitepress/search/search-words.js";
import { root } from "../cli/command-line.js";

/** Searches texts as the site does, with functions that are passed as text. */
function search(texts: readonly string[], query: string): readonly string[] {
  const tokenize = revived(searchWords);
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], tokenize });
  index.addAll(texts.map((text, id) => ({ id, text })));
  const found = index.search(query, { prefix: true, fuzzy: revived(searchFuzzily) });
  return found.map(({ id }) => texts[id as number] ?? "");
}

/** A function that went through text, as VitePress passes functions to browsers. */
function revived<Value>(value: Value): Value {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- as VitePress does
  return new Function("__name", `return ${String(value)}`)((same: unknown) => same) as Value;
}

const texts = [
  "服务器在启动时注册工具，客户端列出这些工具。",
  "访问令牌过期后，客户端用刷新令牌换取新的令牌。",
  "A gateway passes the requests of clients on to servers, and checks tools/call.",
  "在工具运行时询问用户，见 user-input.md 和 inputRequests。",
];

test.each([
  ["服务器", texts[0]],
  ["访问令牌", texts[1]],
  ["访问", texts[1]],
  ["过期后客户端", texts[1]],
  ["刷新令牌换取", texts[1]],
  ["工具运行时询问", texts[3]],
  ["询问用户", texts[3]],
  ["inputRequests", texts[3]],
  ["inputreq", texts[3]],
  ["gateway", texts[2]],
  ["gatway", texts[2]],
  ["tools/call", texts[2]],
])("%s", (query, first) => {
  expect(search(texts, query)[0]).toBe(first);
});

test("Chinese words are not searched fuzzily: with another character, they are other words", () => {
  expect([searchFuzzily("服务器"), searchFuzzily("server")]).toEqual([false, 0.2]);
});

test("words are split at punctuation, and where scripts meet", () => {
  expect(searchWords("见README的第2节：`tools/call`、input_required。")).toEqual(
    expect.arrayContaining(["README", "2", "tools", "call", "input", "required"]),
  );
});

test("words of a page are found", () => {
  const page = readFileSync(join(root, "docs/zh/guide/servers.md"), "utf8");
  expect(search([page, ...texts.slice(1)], "服务器")[0]).toBe(page);
});

test("of the API reference, only the names are searched", () => {
  const html =
    "<h1>client</h1><p>All about clients.</p><h3>Client</h3><p>Text</p><h4>Parameters</h4><h5>callTool()</h5><p>Calls</p>";
  const render = () => html;
  const env = { path: "", relativePath: "reference/api/client.md", cleanUrls: false };
  expect(searchedHtml("", env, { render })).toBe("<h1>client</h1> <h3>Client</h3> <h5>callTool()</h5> ");
  expect(searchedHtml("", { ...env, relativePath: "guide/clients.md" }, { render })).toBe(html);
});
