import { describe, expect, test } from "vitest";
import {
  directoryName,
  pathIn,
  resolveReference,
  skillDirectory,
  uriIn,
} from "../../../../runtime/src/skills/rules/skill-uri.js";

describe("the directory of a skill", () => {
  test.each([
    ["skill://git-workflow/SKILL.md", "skill://git-workflow", "git-workflow"],
    ["skill://acme/billing/refunds/SKILL.md", "skill://acme/billing/refunds", "refunds"],
    ["github://owner/repo/skills/refunds/SKILL.md", "github://owner/repo/skills/refunds", "refunds"],
    ["HTTPS://example.com:443/a%20b/SKILL.md", "https://example.com/a%20b", "a b"],
  ])("%s", (uri, directory, name) => {
    expect(skillDirectory(uri)).toBe(directory);
    expect(directoryName(directory)).toBe(name);
  });

  test.each([
    ["another file", "skill://a/README.md"],
    ["another case", "skill://a/skill.md"],
    ["no directory", "skill:///SKILL.md"],
    ["no hierarchy", "data:a/SKILL.md"],
    ["no URI", "a/SKILL.md"],
    ["a query", "skill://a/x?/SKILL.md"],
    ["a fragment", "skill://a/SKILL.md#/SKILL.md"],
    ["a segment that is resolved away", "skill://a/b/../SKILL.md"],
    ["the same, encoded", "skill://a/b/%2E%2e/SKILL.md"],
    ["a host that is not allowed", "https://a b/c/SKILL.md"],
  ])("%s has none", (_what, uri) => {
    expect(skillDirectory(uri)).toBeUndefined();
  });
});

describe("the path of a file", () => {
  const directory = "skill://acme/pdf";

  test.each([
    ["skill://acme/pdf/SKILL.md", "SKILL.md"],
    ["skill://acme/pdf/references/FORMS.md", "references/FORMS.md"],
    ["skill://acme/pdf/Q&A.md", "Q&A.md"],
    ["skill://acme/pdf/Q%26A.md", "Q&A.md"],
    ["skill://acme/pdf/%F0%9F%98%80.md", "😀.md"],
    ["skill://acme/pdf/%FF.md", "%FF.md"],
  ])("%s", (uri, path) => {
    expect(pathIn(directory, uri)).toBe(path);
  });

  test.each([
    ["the directory itself", "skill://acme/pdf"],
    ["a sibling with the same prefix", "skill://acme/pdf-2/a.md"],
    ["a way out", "skill://acme/pdf/../other/a.md"],
    ["an encoded way out", "skill://acme/pdf/%2e%2E/a.md"],
    ["an encoded separator", "skill://acme/pdf/..%2Fother%2Fa.md"],
    ["an encoded separator of Windows", "skill://acme/pdf/..%5C..%5Cevil.exe"],
    ["an encoded NUL", "skill://acme/pdf/a%00.md"],
    ["an empty name", "skill://acme/pdf//a.md"],
    ["a name in a directory", "skill://acme/pdf/a/"],
    ["another scheme", "file://acme/pdf/a.md"],
    ["another host", "skill://other/pdf/a.md"],
    ["a query", "skill://acme/pdf/a.md?b"],
  ])("is undefined for %s", (_what, uri) => {
    expect(pathIn(directory, uri)).toBeUndefined();
  });
});

describe("a reference", () => {
  const directory = "skill://acme/pdf";

  test.each([
    ["references/FORMS.md", "references/FORMS.md"],
    ["./references/FORMS.md#fields", "references/FORMS.md"],
    ["references/../a%20b.md", "a b.md"],
    ["a b.md", "a b.md"],
    ["skill://acme/pdf/a.md#top", "a.md"],
  ])("%s", (reference, path) => {
    expect(resolveReference(directory, reference)).toBe(path);
  });

  test.each([
    "../other/a.md",
    "a/../../pdf/a.md",
    "%2e%2e/a.md",
    "..%2fa.md",
    "..%5c..%5cevil.exe",
    "a\\b.md",
    "/a.md",
    "a//b.md",
    "",
    "#top",
    "a.md?b",
  ])("%s leads to no file", (reference) => {
    expect(resolveReference(directory, reference)).toBeUndefined();
  });

  test.each(["file:///etc/passwd", "C:\\secrets.md", "skill://other/a.md", "\uD800.md"])(
    "%s leads out",
    (reference) => {
      expect(resolveReference(directory, reference)).toBeUndefined();
    },
  );

  test.each(["a b.md", "Q&A?.md", "100%#.md", "a/ü.md"])("%s has a URI with the same path", (path) => {
    expect(pathIn(directory, uriIn(directory, path))).toBe(path);
  });
});
