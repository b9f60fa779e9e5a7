import { describe, expect, test } from "vitest";
import { checkPages } from "../../scripts/docs/check/check-pages.js";
import { printProblem } from "../../scripts/docs/read/page.js";
import { pagesOf } from "./pages-of.js";

const english = `# Servers

Build a server, see [clients](clients.md#connect) and [the API](../reference/api/server.md).

## Answer \`tools/call\`

\`\`\`ts
// Adds
server.tool("add", ({ a, b }) => a + b); // both
\`\`\`

| a   | b   |
| --- | --- |
| 1   | 2   |

## Test

\`\`\`sh
npm test   # all
npm run "a # b"
\`\`\`
`;
const chinese = `# 服务器

构建服务器，见[客户端](clients.md#connect)和 [API](../../reference/api/server.md)。

## 响应 \`tools/call\` {#answer-toolscall}

\`\`\`ts
// 相加
server.tool("add", ({ a, b }) => a + b); // 两个数
\`\`\`

| 甲 | 乙 |
| -- | -- |
| 1  | 2  |

## 测试 {#test}

\`\`\`sh
npm test # 全部
npm run "a # b"
\`\`\`
`;
const files = {
  "docs/guide/servers.md": english,
  "docs/zh/guide/servers.md": chinese,
  "docs/guide/clients.md": "# Clients\n\n## Connect\n",
  "docs/zh/guide/clients.md": "# 客户端\n\n## 连接 {#connect}\n",
  "docs/reference/api/server.md": "# server\n",
};

/** The problems after a change of the files. */
function check(changed: Readonly<Record<string, string | undefined>>): readonly string[] {
  const all = Object.entries<string | undefined>({ ...files, ...changed }).flatMap(
    ([file, text]): [string, string][] => (text === undefined ? [] : [[file, text]]),
  );
  const repository = pagesOf(Object.fromEntries(all));
  return checkPages(
    all.flatMap(([file]) => (file.endsWith(".md") ? [file] : [])),
    repository,
  ).map(printProblem);
}

const page = "docs/zh/guide/servers.md";

/** The problems after a change of the Chinese page. */
function checkChinese(before: string, after: string): readonly string[] {
  expect(chinese).toContain(before);
  return check({ [page]: chinese.replace(before, after) });
}

test("equal pages have no problem, though comments, table widths and the order of links differ", () => {
  expect(check({})).toEqual([]);
  const swapped = "见 [API](../../reference/api/server.md) 和[客户端](clients.md#connect)。";
  expect(checkChinese("见[客户端](clients.md#connect)和 [API](../../reference/api/server.md)。", swapped)).toEqual([]);
});

describe("pages", () => {
  test("without a translation", () => {
    expect(check({ "docs/zh/guide/clients.md": undefined })).toContain(
      "docs/guide/clients.md:1  there is no Chinese page: write docs/zh/guide/clients.md, or delete this one",
    );
  });

  test("only in Chinese", () => {
    expect(check({ "docs/zh/new.md": "# 新\n" })).toEqual([
      "docs/zh/new.md:1  there is no English page: write docs/new.md, or delete this one",
    ]);
  });

  test("that are too long", () => {
    const lines = `${english}${"\n".repeat(250 - english.split("\n").length + 1)}`;
    expect(check({ "docs/guide/servers.md": lines })).toEqual([]);
    expect(check({ "docs/guide/servers.md": `${lines}\n` })).toEqual([
      "docs/guide/servers.md:251  the page has 251 lines, of which 250 are allowed: split it by what readers want to do",
    ]);
  });

  test("that are generated need no translation and may be long", () => {
    expect(check({ "docs/reference/errors/http.md": `# HTTP\n${"\n".repeat(300)}` })).toEqual([]);
  });

  test("that do not exist", () => {
    expect(checkPages(["docs/none.md"], pagesOf(files)).map(printProblem)).toEqual([
      "docs/none.md:1  no such page: name a Markdown file of the repository",
    ]);
  });
});

test("bold text that is not shown as bold", () => {
  expect(checkChinese("构建服务器", "**注意：**构建服务器")).toEqual([
    `${page}:3  the page shows ** here: put blanks around the bold text, or its punctuation outside of it`,
  ]);
});

describe("headings", () => {
  const test5 = '"## Test" (docs/guide/servers.md:16)';

  test.each([
    [
      "of another level",
      "## 测试 {#test}",
      "### 测试 {#test}",
      `16  the heading has level 3: it must be 2 as for ${test5}`,
    ],
    [
      "without an anchor",
      "## 测试 {#test}",
      "## 测试",
      `16  the heading must end with the anchor of the English one: write {#test}, as for ${test5}`,
    ],
    [
      "with another anchor",
      "## 测试 {#test}",
      "## 测试 {#tests}",
      `16  the heading must end with the anchor of the English one: write {#test}, not {#tests}, as for ${test5}`,
    ],
    ["that are missing", "## 测试 {#test}\n", "", `20  a heading is missing: translate ${test5}`],
    [
      "that the English page lacks",
      "## 测试 {#test}\n",
      "## 测试 {#test}\n\n## 更多 {#more}\n",
      `18  docs/guide/servers.md has no heading for "更多": remove it, or add one to the English page`,
    ],
  ])("%s", (_, before, after, problem) => {
    expect(checkChinese(before, after)).toEqual([`${page}:${problem}`]);
  });

  test("in another order", () => {
    const swapped = chinese
      .replace("{#test}", "{#x}")
      .replace("{#answer-toolscall}", "{#test}")
      .replace("{#x}", "{#answer-toolscall}");
    expect(check({ [page]: swapped })).toEqual([
      `${page}:5  headings are in another order: here must be the heading for "## Answer tools/call" (docs/guide/servers.md:5)`,
    ]);
  });
});

describe("code", () => {
  test.each([
    [
      "in another language",
      "```ts",
      "```js",
      '7  the code block is in "js", that of docs/guide/servers.md:7 in "ts": make them equal',
    ],
    [
      "with another token",
      "a + b);",
      "a - b);",
      '7  the code is not that of docs/guide/servers.md:7: there is "+", here "-"; only comments may differ',
    ],
    [
      "with a translated string",
      '"add"',
      '"加"',
      '7  the code is not that of docs/guide/servers.md:7: there is "\\"add\\"", here "\\"加\\""; only comments may differ',
    ],
    [
      "with another command",
      "npm test # 全部",
      "npm t # 全部",
      '18  the code is not that of docs/guide/servers.md:18: there is "npm test", here "npm t"; only comments may differ',
    ],
    [
      "with a translated string after a hash sign",
      '"a # b"',
      '"a # 乙"',
      '18  the code is not that of docs/guide/servers.md:18: there is "npm run \\"a # b\\"", here "npm run \\"a # 乙\\""; only comments may differ',
    ],
    [
      "that is missing",
      '```sh\nnpm test # 全部\nnpm run "a # b"\n```\n',
      "",
      "17  a code block is missing: copy that of docs/guide/servers.md:18",
    ],
    [
      "that the English page lacks",
      "## 测试 {#test}\n",
      '## 测试 {#test}\n\n```sh\nnpm test # 全部\nnpm run "a # b"\n```\n',
      "23  docs/guide/servers.md has no such code block: remove it",
    ],
  ])("%s", (_, before, after, problem) => {
    expect(checkChinese(before, after)).toEqual([`${page}:${problem}`]);
  });
});

describe("tables", () => {
  test.each([
    [
      "with another shape",
      "| 1  | 2  |\n",
      "",
      "12  the table has 1 rows and 2 columns, that of docs/guide/servers.md:12 has 2 rows and 2 columns: make them equal",
    ],
    [
      "that are missing",
      "| 甲 | 乙 |\n| -- | -- |\n| 1  | 2  |\n",
      "",
      "18  a table is missing: translate that of docs/guide/servers.md:12",
    ],
    [
      "that the English page lacks",
      "## 测试 {#test}\n",
      "## 测试 {#test}\n\n| a | b |\n| - | - |\n",
      "18  docs/guide/servers.md has no such table: remove it",
    ],
  ])("%s", (_, before, after, problem) => {
    expect(checkChinese(before, after)).toEqual([`${page}:${problem}`]);
  });
});

describe("links", () => {
  test.each([
    [
      "to the English page",
      "(clients.md#connect)",
      "(../../guide/clients.md#connect)",
      [
        "1  this section needs a link to docs/zh/guide/clients.md#connect, as docs/guide/servers.md:3 has it",
        "3  the English section (docs/guide/servers.md:1) has no link to docs/guide/clients.md#connect: link to the Chinese page",
      ],
    ],
    [
      "without the step out of docs/zh/",
      "(../../reference/api/server.md)",
      "(../reference/api/server.md)",
      [
        "3  the link ../reference/api/server.md is dead: docs/zh/reference/api/server.md does not exist",
        "1  this section needs a link to docs/reference/api/server.md, as docs/guide/servers.md:3 has it",
        "3  the English section (docs/guide/servers.md:1) has no link to docs/zh/reference/api/server.md: remove it, or correct its path (one more ../ out of docs/zh/)",
      ],
    ],
    [
      "to a heading that does not exist",
      "(clients.md#connect)",
      "(clients.md#close)",
      [
        '3  the link clients.md#close is dead: docs/zh/guide/clients.md has no heading "close": name one of its headings',
        "1  this section needs a link to docs/zh/guide/clients.md#connect, as docs/guide/servers.md:3 has it",
        "3  the English section (docs/guide/servers.md:1) has no link to docs/zh/guide/clients.md#close: remove it, or correct its path (one more ../ out of docs/zh/)",
      ],
    ],
  ])("%s", (_, before, after, problems) => {
    expect(checkChinese(before, after)).toEqual(problems.map((problem) => `${page}:${problem}`));
  });

  test.each([
    ["/guide", "write a path relative to the page"],
    ["../../x.md", "it leads out of the repository"],
    ["docs/none.md", "docs/none.md does not exist"],
    ["LICENSE#top", "LICENSE is not a page, so it has no anchors"],
    ["#none", 'README.md has no heading "none": name one of its headings'],
  ])("of other documents: %s", (target, problem) => {
    const text = `# A\n\n[outside](https://example.com/#a) [id](#here) <a id="here"></a>\n\n- [x](${target})\n`;
    expect(check({ "README.md": text, LICENSE: "" })).toEqual([`README.md:5  the link ${target} is dead: ${problem}`]);
  });

  test("of diagrams, which have a text, to the Chinese one", () => {
    const shown = (folder: string): Record<string, string> => ({
      "docs/a.md": "# A\n\n![a](images/a.svg) ![b](images/b.png)\n",
      "docs/zh/a.md": `# 甲\n\n![甲](${folder}/a.svg) ![乙](../images/b.png)\n`,
      "docs/images/a.svg": "",
      "docs/images/b.png": "",
      "docs/zh/images/a.svg": "",
    });
    expect(check(shown("images"))).toEqual([]);
    expect(check(shown("../images"))).toEqual([
      "docs/zh/a.md:1  this section needs a link to docs/zh/images/a.svg, as docs/a.md:3 has it",
      expect.stringContaining("docs/zh/a.md:3  the English section (docs/a.md:1) has no link to docs/images/a.svg"),
    ]);
  });

  test("of images", () => {
    const text = '# A\n\n![a](a.svg)\n\n<img src="b.svg" alt="b">\n';
    expect(check({ "README.md": text })).toEqual([
      "README.md:3  the link a.svg is dead: a.svg does not exist",
      "README.md:5  the link b.svg is dead: b.svg does not exist",
    ]);
  });
});
