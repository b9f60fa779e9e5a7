import { describe, expect, test } from "vitest";
import { instanceMaker } from "../../generator/pipeline/emit/corpus/instances.js";
import { published, publishedRevision } from "../support/protocol.js";

const sides = ["client", "server"] as const;

describe.each(published)("$revision: rows of list results", ({ revision, entry, model }) => {
  const items: Readonly<Record<string, string>> = {
    "resources/list": "Resource",
    "resources/templates/list": "ResourceTemplate",
    "prompts/list": "Prompt",
    "tools/list": "Tool",
    "tasks/list": "Task",
  };
  const rows = sides.flatMap((side) =>
    Object.entries(entry[`${side}Side`].receives.results).map(([method, row]) => ({ side, method, row })),
  );
  const paged = rows.filter(({ row }) => row.pages !== undefined);

  test("exist for these methods", () => {
    const tasks = revision === "2025-11-25" ? ["client tasks/list", "server tasks/list"] : [];
    const lists = Object.keys(items).filter((method) => method !== "tasks/list");
    expect(paged.map(({ side, method }) => `${side} ${method}`).toSorted()).toEqual(
      [...lists.map((method) => `client ${method}`), ...tasks].toSorted(),
    );
  });

  test.each(paged)("$method of a $side: `item` is the predicate of one item", ({ method, row }) => {
    const type = items[method] ?? "";
    const instances = instanceMaker(model);
    expect(row.item).toBe(entry[`is${type}`]);
    expect([instances.minimal(type), ...instances.full(type)].every((item) => row.item?.(item))).toBe(true);
    expect([undefined, null, {}, [], "name"].some((item) => row.item?.(item))).toBe(false);
  });

  test("no other row has `item`", () => {
    expect(rows.filter(({ row }) => "item" in row)).toEqual(paged);
  });
});

describe("answers", () => {
  const { entry } = publishedRevision("2026-07-28");
  const { answers = {} } = entry.serverSide.receives;

  test.each(Object.entries(entry.clientSide.receives.inputs ?? {}))(
    "%s needs the same capabilities in both tables, and has the same result",
    (method, { params: _, paramsOptional: __, answer, ...needs }) => {
      const { result, ...asked } = answers[method] ?? {};
      expect(asked).toEqual(needs);
      expect(result).toBeTypeOf("function");
      expect(answer).toBe(result);
    },
  );

  test("are these", () => {
    const url = [{ member: "mode", values: ["url"], capability: "client.elicitation.url" }];
    expect(Object.keys(answers)).toEqual(["sampling/createMessage", "roots/list", "elicitation/create"]);
    expect(answers["elicitation/create"]).toEqual({
      result: entry["isElicitResult"],
      capability: "client.elicitation",
      conditions: url,
    });
  });

  test("only revisions with embedded requests have them", () => {
    const having = published.filter(({ entry: { serverSide } }) => serverSide.receives.answers);
    expect(having.map(({ revision }) => revision)).toEqual(["2026-07-28"]);
    expect(published.filter(({ entry: { clientSide } }) => clientSide.receives.answers)).toEqual([]);
  });
});
