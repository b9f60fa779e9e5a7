import { describe, expect, test } from "vitest";
import { TemplateIndex, templateShape } from "../../../../runtime/src/gateway/composition/template-index.js";

function indexOf(templates: Readonly<Record<string, readonly string[]>>): TemplateIndex {
  const index = new TemplateIndex();
  for (const [server, list] of Object.entries(templates)) for (const template of list) index.add(server, template);
  return index;
}

describe("the only server whose templates match", () => {
  const index = indexOf({
    files: ["file:///{+path}", "memo://a b/{id}"],
    notes: ["note:{id}", "file:///notes/{id}"],
    broken: ["file:///{{path}}", "{", "}", "note:{!id}"],
  });

  test.for<[string, string | undefined]>([
    ["file:///a/b", "files"],
    ["note:1", "notes"],
    ["file:///notes/1", undefined],
    ["other:1", undefined],
    ["memo://a%20b/1", "files"],
    ["%6Eote:1", "notes"],
    ["no%74e:1", "notes"],
    ["no%74a:1", undefined],
    ["", undefined],
  ])("%s", ([uri, server]) => {
    expect(index.onlyServer(uri)).toBe(server);
  });

  test("each server by itself", () => {
    expect(["files", "notes", "broken", "other"].filter((server) => index.matches(server, "file:///notes/1"))).toEqual([
      "files",
      "notes",
    ]);
  });
});

describe("the shape of a template", () => {
  test.for<[string, string]>([
    ["file:///{path}", "file:///{name}"],
    ["file:///{+path}", "file:///{+rest}"],
    ["a:{x}/{y,z}{/w*}", "a:{1}/{2,3}{/4*}"],
    ["a:{x:3}/{x}", "a:{long.name:3}/{long.name}"],
  ])("%s and %s have the same", ([one, other]) => {
    expect(templateShape(one)).toBe(templateShape(other));
  });

  test.for<[string, string]>([
    ["file:///{path}", "file:///{+path}"],
    ["a:{x}/{x}", "a:{x}/{y}"],
    ["a:{?page}", "a:{?size}"],
    ["a:{&x}", "a:{&y}"],
    ["a:{;x}", "a:{;y}"],
    ["a:{x:3}", "a:{x:4}"],
    ["a:{x*}", "a:{x}"],
    ["a:{x}", "A:{x}"],
  ])("%s and %s have not", ([one, other]) => {
    expect(templateShape(one)).not.toBe(templateShape(other));
  });

  test.for(["{".repeat(100_000), `{${"a".repeat(100_000)}!`, `{${"a,".repeat(50_000)}}`, "{{a}}".repeat(20_000)])(
    "takes little time for a hostile template (%#)",
    (template) => {
      const start = performance.now();
      templateShape(template);
      expect(performance.now() - start).toBeLessThan(500);
    },
  );
});

test("100,000 templates of one server take little time", () => {
  const index = new TemplateIndex();
  for (let at = 0; at < 100_000; at++) index.add("many", `item:${at}/{id}`);
  index.add("one", "note:{id}");
  const start = performance.now();
  for (let at = 0; at < 20; at++) expect(index.onlyServer(`note:%20${at}`)).toBe("one");
  expect(performance.now() - start).toBeLessThan(1_500);
});
