import { describe, expect, test } from "vitest";
import { diffModels } from "../../../../generator/commands/diff/diff-models.js";
import type { DiffFinding, DiffReport } from "../../../../generator/commands/diff/finding.js";
import { diffFormats, formatDiff } from "../../../../generator/commands/diff/formats/format-report.js";
import { matches, readIgnores, applyIgnores } from "../../../../generator/commands/diff/ignore-list.js";
import { modelProblem } from "../../../../generator/commands/diff/check-model.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { modelOf } from "./models.js";

const [older, newer] = [modelOf("2025-11-25"), modelOf("2026-07-28")];
const findings = diffModels(older, newer);

function finding(rule: string, at: string): DiffFinding {
  const found = findings.find((one) => one.rule === rule && one.at === at);
  if (!found) throw new Error(`no ${rule} at ${at}`);
  return found;
}

describe("the sender determines which side a finding affects", () => {
  test.each([
    [
      "member-added-required",
      "ListToolsResult.ttlMs",
      ["server"],
      "A client of 2026-07-28 rejects what a server of 2025-11-25 sends",
    ],
    [
      "member-required",
      "RequestParams._meta",
      ["client"],
      "A server of 2026-07-28 rejects what a client of 2025-11-25 sends",
    ],
    [
      "required-member-removed",
      "ElicitRequestURLParams.elicitationId",
      ["server"],
      "A client of 2025-11-25 rejects what a server of 2026-07-28",
    ],
    ["member-removed", "Tool.execution", ["server"], "A client of 2026-07-28 does not act on it"],
  ])("%s at %s", (rule, at, sentBy, receiver) => {
    const found = finding(rule, at);
    expect(found.sentBy).toEqual(sentBy);
    expect(found.receiver).toContain(receiver);
  });
});

test("a model compared with itself gives nothing", () => {
  expect(diffModels(newer, newer)).toEqual([]);
});

test("a model in which types extend and name each other in circles is compared all the same", () => {
  const loop = (name: string, base: string) => ({
    kind: "struct" as const,
    name,
    bases: [base],
    members: [{ name: "next", optional: true, type: { kind: "reference" as const, name: base } }],
  });
  const definitions = [loop("A", "B"), loop("B", "A")];
  const circular = { ...newer, definitions: [...newer.definitions, ...definitions] };
  expect(diffModels(newer, circular).map(({ rule, at }) => `${rule} ${at}`)).toEqual([
    "definition-added A",
    "definition-added B",
  ]);
});

describe("ignore lists", () => {
  test.each([
    ["Tool.icons", "Tool.icons", true],
    ["Tool.icons", "Tool", false],
    ["Tool.icons", "*", true],
    ["Tool.icons", "Tool.*", true],
    ["Tool.icons", "*.icons", true],
    ["Tool.icons", "T*l.*s", true],
    ["Tool.icons", "Tool.icons*icons", false],
    ["Tool[x]", "Tool[x]", true],
    ["Tool", "T.ol", false],
    ["a".repeat(20_000), "*a".repeat(50) + "b", false],
  ])("%# %.20s by %.20s: %s", (text, pattern, expected) => {
    expect(matches(text, pattern)).toBe(expected);
  });

  test("the named findings are omitted with their reasons; entries that match nothing are reported", () => {
    const entries = [
      { rule: "member-added-required", at: "*.ttlMs", reason: "filled in by the cache" },
      { rule: "*", at: "Nowhere", reason: "left over" },
    ];
    const { findings: kept, ignored, staleIgnores } = applyIgnores(findings, entries);
    expect(ignored.map(({ finding: { at }, reason }) => `${at}: ${reason}`)).toContain(
      "ListToolsResult.ttlMs: filled in by the cache",
    );
    expect(kept.length + ignored.length).toBe(findings.length);
    expect(kept.filter(({ at }) => at.endsWith(".ttlMs"))).toEqual([]);
    expect(staleIgnores).toEqual([entries[1]]);
  });

  test.each([
    ["{", /^i\.json:\d+:\d+ ignore-malformed: /],
    ["{}", /^i\.json:1:1 ignore-malformed: the list: expected a list$/],
    ['[{ "rule": "member-added", "at": "A" }]', /^i\.json:1:2 ignore-malformed: 0: expected a member reason$/],
    ['[{ "rule": "x", "at": "A", "reason": "b" }]', /^i\.json:1:12 ignore-malformed: there is no rule x$/],
    ['[{ "rule": "*", "at": "A", "reason": " " }]', /^i\.json:1:\d+ ignore-malformed: 0\.reason: expected a reason$/],
  ])("%s is refused with its place", (text, expected) => {
    const [problem, ...others] = problems(() => readIgnores(text, "i.json"));
    expect(others).toEqual([]);
    expect(problem).toMatch(expected);
  });
});

const nasty = "a</script><img src=x onerror=alert(1)>\"'`|\n::error::\u001b[31m\u2028";
const text = { text: nasty, path: nasty, file: nasty, line: 1, link: "javascript:alert(1)" };
const hostile: DiffReport = {
  format: 1,
  before: { revision: nasty, file: nasty },
  after: { revision: nasty, file: nasty },
  findings: [
    {
      rule: "member-added",
      category: "addition",
      at: nasty,
      message: nasty,
      before: text,
      after: text,
      sentBy: ["client"],
      receiver: nasty,
      sender: nasty,
      source: nasty,
      hint: nasty,
    },
  ],
  ignored: [],
  staleIgnores: [{ rule: nasty, at: nasty, reason: nasty }],
  counts: { wire: 0, behaviour: 0, source: 0, unstated: 0, deprecation: 0, addition: 1 },
};

describe("texts of a schema stay texts", () => {
  test("in HTML", async () => {
    const page = await formatDiff(hostile, "html");
    expect(page).not.toContain("<img");
    expect(page).not.toContain('href="javascript:');
    expect(page.match(/<\/script>/g)).toHaveLength(1);
  });

  test("in annotations", async () => {
    const lines = (await formatDiff(hostile, "github")).trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => /^::(notice|warning) (file=[^:]*,)?title=[^:]*::/.test(line))).toBe(true);
  });

  test("in Markdown", async () => {
    const page = await formatDiff(hostile, "markdown");
    expect(page.replace(/`[^\n]*`/g, "")).not.toMatch(/<img|\]\(javascript:/);
  });
});

describe("reports", () => {
  const report: DiffReport = {
    ...hostile,
    before: { revision: "old", file: "old.ts" },
    after: { revision: "new", file: "new.ts" },
    findings: [{ ...finding("member-added-required", "ListToolsResult.ttlMs") }],
    staleIgnores: [],
    counts: { ...hostile.counts, wire: 1, addition: 0 },
  };

  test.each(diffFormats)("%s names the place and ends with a line break", async (format) => {
    const printed = await formatDiff(report, format);
    expect(printed).toContain("ListToolsResult.ttlMs");
    expect(printed).toMatch(/[^\n]\n$/);
  });

  test("JSON is the report", async () => {
    expect(JSON.parse(await formatDiff(report, "json"))).toEqual(report);
  });

  test.each([
    ["wire", "error"],
    ["addition", "warning"],
  ] as const)("annotations are errors where they fail the run: %s", async (category, level) => {
    const printed = await formatDiff(report, "github", { failOn: new Set([category]) });
    expect(printed).toMatch(new RegExp(`^::${level} `));
  });

  test("a page needs nothing else", async () => {
    const page = await formatDiff({ ...report, findings, counts: { ...report.counts, wire: 9 } }, "html");
    expect(page.match(/<(link|img|iframe|script src|object|embed)\b/g)).toBe(null);
    expect(page.match(/\burl\(|@import/g)).toBe(null);
    expect(page).toContain("default-src 'none'");
  });
});

describe("rejects a file that is not a model", () => {
  const model = newer as unknown as Record<string, unknown>;
  test.each<readonly [change: Record<string, unknown>, problem: string]>([
    [{ format: 2 }, "it is not a model.json of format 1"],
    [{ revision: 1 }, "revision is not a string"],
    [{ definitions: {} }, "definitions is not an array"],
    [{ definitions: [{ kind: "alias", name: "A", type: { kind: "no" } }] }, "definitions[0] is not as expected"],
    [{ requests: [{ method: "a", type: "A", sender: "x" }] }, "requests[0] is not as expected"],
    [{ capabilities: { client: [] } }, "capabilities are not arrays by side"],
    [
      { definitions: [{ kind: "alias", name: "A", type: { kind: "reference", name: "A" } }] },
      "A is an alias of itself",
    ],
    [{ resultTag: {} }, "resultTag has no alternatives"],
  ])("%j", (change, problem) => {
    expect(modelProblem({ ...model, ...change })).toBe(problem);
  });

  test("and what is one is not", () => {
    expect([older, newer].map(modelProblem)).toEqual([undefined, undefined]);
  });
});
