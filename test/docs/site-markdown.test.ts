/** How the site changes Markdown that is written for readers of the repository. */
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { linkTargets } from "../../docs/.vitepress/markdown/link-targets.js";
import { plainBraces } from "../../docs/.vitepress/markdown/plain-braces.js";
import { statedAnchors } from "../../docs/.vitepress/markdown/stated-anchors.js";

type Renderer = Parameters<typeof linkTargets>[0];

/** The HTML of a text on a page of the site. */
function render(text: string, relativePath: string): string {
  const md = new MarkdownIt({ html: true }) as unknown as Renderer;
  for (const plugin of [linkTargets, plainBraces, statedAnchors]) plugin(md);
  return md.render(text, { relativePath }).trim();
}

function targetOf(target: string, page: string): string {
  return render(`[text](${target})`, page).replace(/^<p>|<\/p>$/g, "");
}

test.each([
  ["clients.md#connect", "guide/servers.md", '<a href="clients.md#connect">text</a>'],
  ["#test", "guide/servers.md", '<a href="#test">text</a>'],
  ["https://example.com/", "guide/servers.md", '<a href="https://example.com/">text</a>'],
  ["../README.md", "guide/servers.md", '<a href="../index.md">text</a>'],
  ["guide/servers.md", "index.md", '<a href="guide/servers.md">text</a>'],
  ["guide/servers.md", "zh/index.md", '<a href="guide/servers.md">text</a>'],
  ["../../reference/errors/README.md", "zh/guide/servers.md", '<a href="../../reference/errors/index.md">text</a>'],
  ["../reference/api/README.md", "guide/servers.md", '<a href="../reference/api/README.md">text</a>'],
  ["../../ARCHITECTURE.md#the-pipeline", "guide/x.md", '<a href="../project/architecture.md#the-pipeline">text</a>'],
  ["../../examples/", "guide/servers.md", '<a href="../project/examples/readme.md">text</a>'],
  ["docs/guide/servers.md", "project/readme.md", '<a href="../guide/servers.md">text</a>'],
  ["../docs/guide/servers.md", "project/bench/readme.md", '<a href="../../guide/servers.md">text</a>'],
])("a link to %s on %s", (target, page, html) => {
  expect(targetOf(target, page)).toBe(html);
});

test("files of docs/ that are not pages are loaded by the browser", () => {
  expect(targetOf("2024-11-05-to-2025-03-26.html", "reference/revisions/index.md")).toBe(
    '<a href="/reference/revisions/2024-11-05-to-2025-03-26.html" target="_self">text</a>',
  );
});

test("files outside of docs/ have their path instead of a link", () => {
  expect(targetOf("../../generated/availability.ts", "guide/servers.md")).toBe(
    '<span class="repository-file" title="generated/availability.ts">text</span>',
  );
});

test("headings have the anchors that they state", () => {
  expect(render("## 询问用户 {#ask-the-user}", "zh/guide/servers.md")).toBe('<h2 id="ask-the-user">询问用户</h2>');
  expect(render("## `a` {b}", "guide/servers.md")).toBe("<h2><code>a</code> {b}</h2>");
});

test("Vue reads no expressions in texts", () => {
  expect(render("a {{ b }}", "guide/servers.md")).toBe("<p>a &#123;&#123; b }}</p>");
});
