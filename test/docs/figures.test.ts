import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkFigures } from "../../scripts/docs/figures/check-figures.js";
import { claimsOf, otherNumbers, performancePages } from "../../scripts/docs/figures/claims.js";
import { pagesWithFigures } from "../../scripts/docs/figures/pages.js";
import { readResults } from "../../scripts/docs/figures/results.js";
import { printProblem } from "../../scripts/docs/read/page.js";

const root = join(import.meta.dirname, "../..");
const claims = claimsOf(readResults());

describe("figures of the last benchmarks", () => {
  test.each(pagesWithFigures(root))("%s", (page) => {
    const isAllFigures = (performancePages as readonly string[]).includes(page);
    const text = readFileSync(join(root, page), "utf8");
    const problems = checkFigures(page, text, { claims, others: otherNumbers, isAllFigures });
    expect(problems.map(printProblem)).toEqual([]);
  });

  test("every claim names a page that is checked", () => {
    const pages = pagesWithFigures(root);
    expect([...claims, ...otherNumbers].map(({ page }) => page).filter((page) => !pages.includes(page))).toEqual([]);
  });
});

describe("checkFigures", () => {
  const claim = { page: "page.md", words: "A call costs {} times the CPU", measured: [[1.21, 1.44]] };
  const check = (text: string, isAllFigures = false): readonly string[] =>
    checkFigures("page.md", text, { claims: [claim], others: [], isAllFigures }).map(
      ({ line, message }) => `${line}: ${message}`,
    );

  test("accepts a range with the digits of the page, also over two lines", () => {
    expect(check("# Page\n\nA call costs 1.2 to 1.4\ntimes the CPU of another.\n")).toEqual([]);
    expect(check("A call costs 1.21 to 1.44 times the CPU.")).toEqual([]);
  });

  test("reports another value, with line and measured value", () => {
    expect(check("# Page\n\nA call costs 1.2 to 1.3 times the CPU.")).toEqual([
      `3: states 1.2 to 1.3, measured: 1.2 to 1.4 ("A call costs {} times the CPU")`,
    ]);
  });

  test("reports a figure that no claim explains", () => {
    expect(check("A call costs 1.2 to 1.4 times the CPU.\n\nA list takes 3 times the CPU.")).toEqual([
      "3: states 3 times without a source: add the sentence to scripts/docs/figures/claims.ts",
    ]);
    expect(check("A call costs 1.2 to 1.4 times the CPU. Wait 5 s.", true)).toEqual([
      "1: states 5 without a source: add the sentence to scripts/docs/figures/claims.ts",
    ]);
  });

  test("reports a claim that the page does not state", () => {
    expect(check("Nothing.")).toEqual([expect.stringContaining('does not contain "A call costs {} times the CPU"')]);
  });

  test("reads no figures in code, links and revisions", () => {
    expect(
      check("A call costs 1.2 to 1.4 times the CPU (`take 5`, [x](2.md), 2026-07-28).\n\n```ts\n7\n```\n", true),
    ).toEqual([]);
  });
});
