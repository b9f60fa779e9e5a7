/** The documentation for models: a list of all pages, and all pages in one file. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listedSections } from "../../scripts/docs/llms/index-page.js";
import { docsForModels, writeDocsForModels } from "../../scripts/docs/llms/llms.js";
import { RepositoryPages } from "../../scripts/docs/read/repository-pages.js";
import { translatedPages } from "../../scripts/docs/translations/compare-with-records.js";

const root = join(import.meta.dirname, "../..");
const handWritten = translatedPages(new RepositoryPages(root).pages).filter((page) => page !== "docs/README.md");

test("docs/README.md lists every hand-written page", () => {
  const { index } = docsForModels(root);
  expect(handWritten.filter((page) => !index.includes(`](${page.slice("docs/".length)})`))).toEqual([]);
});

test("the full text has every hand-written page once, after the README", () => {
  const { full } = docsForModels(root);
  const pages = Array.from(full.matchAll(/^<!-- page: (.+) -->$/gm), ([, page = ""]) => page);
  expect(pages[0]).toBe("README.md");
  expect(pages.slice(1).sort()).toEqual(handWritten.map((page) => page.slice("docs/".length)).sort());
  expect(full).toContain(readFileSync(join(root, "docs/guide/servers.md"), "utf8").trim());
});

test("the list has a title and a purpose for each page", () => {
  const { index } = docsForModels(root);
  expect(index).toMatch(/^# mcpwright\n\n> mcpwright is a TypeScript SDK for the Model Context Protocol/);
  expect(index).toContain("- [Servers](guide/servers.md): build a server\n");
  for (const line of index.split("\n").filter((one) => one.startsWith("- ")))
    expect(line).toMatch(/^- \[.+\]\([\w/.-]+\.md\): .+$/);
});

test("pages are in the first list that names them", () => {
  const list = (title: string, ...rows: string[]): string =>
    `## ${title}\n\n| to | read |\n| -- | ---- |\n${rows.join("\n")}\n`;
  const sections = listedSections(
    list("Do", "| serve | [a](a.md), [b](b/c.md#d) |") + list("Look up", "| [x](y.md) a term | [a](a.md), [e](e.md) |"),
  );
  expect(sections).toEqual([
    {
      title: "Do",
      pages: [
        { path: "a.md", purpose: "serve" },
        { path: "b/c.md", purpose: "serve" },
      ],
    },
    { title: "Look up", pages: [{ path: "e.md", purpose: "x a term" }] },
  ]);
});

test("all files are written into the site, so that no link of the list is dead", () => {
  const site = mkdtempSync(join(tmpdir(), "site-"));
  onTestFinished(() => rmSync(site, { recursive: true }));
  writeDocsForModels(root, site);
  const index = readFileSync(join(site, "llms.txt"), "utf8");
  expect(existsSync(join(site, "reference/api/server.md"))).toBe(true);
  for (const [, target = ""] of index.matchAll(/\]\(([^)]+)\)/g))
    expect(existsSync(join(site, target)), target).toBe(true);
});
